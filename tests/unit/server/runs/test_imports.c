/* What holds of every import filter: the request's part, and texts that are cut, changed or no
 * texts at all. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/imported.h"

#include <stdlib.h>

/* Each sample with a request by which it is taken. */
static const struct {
    const char *filter, *given, *name;
    size_t runs;
} samples[] = {
    { "hpl", "ranks_per_node=2", "hpl.txt", 4 },
    { "hpl", "", "hpl-2.3.txt", 1 },
    { "hpl", "", "hpl-wide-labels.txt", 2 },
    { "hpl", "", "hpl-nvidia.txt", 1 },
    { "scalapack", "ranks_per_node=2", "scalapack.txt", 9 },
    { "scalapack", "", "scalapack-pblas.txt", 4 },
    { "scalapack", "", "scalapack-overfull.txt", 2 },
    { "petsc", "solver=pcg&nodes=1", "petsc-cg.csv", 1 },
    { "petsc", "solver=pipe2cg&nodes=2", "petsc-pipecg2.csv", 1 },
    { "petsc", "solver=pcg&iterations=5&nodes=1", "petsc-gamg.csv", 1 },
    { "petsc", "nodes=1&global_grid=16x16x16&stencil=star", "petsc-pgmres.txt", 1 },
    { "petsc", "nodes=1&matrix=m", "petsc-bcgs.txt", 1 },
    { "petsc", "nodes=2&system=symmetric", "petsc-minres.txt", 1 },
    { "petsc", "", "petsc-gmres.txt", 1 },
    { "petsc", "nodes=1&global_grid=16x16x16&stencil=star", "petsc-text.txt", 1 },
    { "petsc", "solver=cg&nodes=2", "petsc-3.12.txt", 1 },
    { "petsc", "nodes=1", "petsc-3.7.txt", 1 },
    { "petsc", "solver=cg", "petsc-3.22-gpu.txt", 1 },
    { "superlu_dist", "matrix=big", "superlu_dist.txt", 1 },
    { "superlu_dist", "matrix=big", "superlu_dist-solves.txt", 1 },
    { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", 1 },
    { "sacct", "model=matmul&n=4096", "sacct.txt", 5 },
    { "sacct", "model=matmul&n=4096&step=gemm", "sacct-steps.txt", 1 },
    { "extrap", "model=matmul", "extrap.jsonl", 2 },
    { "extrap", "model=matmul&callpath=main", "extrap-text.txt", 3 },
    { "extrap", "model=matmul", "extrap.json", 3 },
    { "extrap", "model=matmul", "extrap-ids.json", 3 },
    { "extrap", "model=matmul", "extrap-talpas.txt", 3 },
    { "seconds", "model=matmul&n=4096", "seconds.txt", 1 },
    { "samples", "threads=1", "samples.csv", 7 },
    { "samples", "", "samples-journal.csv", 9 },
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

TEST(every_filter_has_a_sample_that_it_takes)
{
    for (size_t i = 0; fr_imports[i]; i++) {
        size_t found = 0;

        assert_ptr_equal(fr_import_find(fr_imports[i]->name), fr_imports[i]);
        assert_true(fr_imports[i]->summary && fr_imports[i]->read);
        for (size_t j = 0; j < SAMPLES; j++)
            found += strcmp(samples[j].filter, fr_imports[i]->name) == 0;
        if (!found)
            fail_msg("%s has no sample", fr_imports[i]->name);
    }
    assert_null(fr_import_find("csv"));
    for (size_t i = 0; i < SAMPLES; i++) {
        json_t *runs =
            imported_sample(samples[i].filter, samples[i].given, samples[i].name, samples[i].runs);

        for (size_t run = 0; run < samples[i].runs; run++) {
            json_t *document = json_array_get(runs, run);

            assert_string_equal(text_at(document, "/schema"), "forerun-run-1");
            assert_true(number_at(document, "/time_s") > 0);
            assert_true(json_is_object(part(document, "/parameters")));
            assert_true(*text_at(document, "/model"));
        }
    }
}

/* The entry of a field in what was read for a run, or NULL. */
static json_t *entry_of(json_t *read, json_int_t run, const char *field)
{
    for (size_t i = 0; i < json_array_size(read); i++) {
        json_t *entry = json_array_get(read, i);

        if (json_integer_value(part(entry, "/run")) == run &&
            strcmp(text_at(entry, "/field"), field) == 0)
            return entry;
    }
    return NULL;
}

static size_t lines_of(const char *name)
{
    size_t length, lines = 0;
    char *text = sample(name, &length);

    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

/* What was read is what the document has, and no parameter comes from elsewhere than the text, the
 * request and the program. */
TEST(what_was_read_of_a_text_is_listed_with_its_line)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct import import = import_sample(samples[i].filter, samples[i].given, samples[i].name);
        const size_t lines = lines_of(samples[i].name);

        for (size_t k = 0; k < json_array_size(import.read); k++) {
            json_t *entry = json_array_get(import.read, k);
            const char *field = text_at(entry, "/field");
            json_t *run = json_array_get(import.runs, (size_t)number_at(entry, "/run") - 1);
            json_t *members[] = { run, json_object_get(run, "parameters"),
                                  json_object_get(run, "outputs") };
            json_t *found = NULL;
            const double line = number_at(entry, "/line");

            for (size_t j = 0; j < 3 && !found; j++)
                found = json_object_get(members[j], field);
            if (!found || line < 1 || line > (double)lines)
                fail_msg("%s: %s of line %g", samples[i].name, field, line);
            if (json_is_number(found))
                assert_close(json_number_value(part(entry, "/value")), json_number_value(found), 0);
            else if (json_is_string(found))
                assert_string_equal(text_at(entry, "/value"), json_string_value(found));
            else
                assert_int_equal(json_array_size(part(entry, "/value")), json_array_size(found));
        }
        for (size_t run = 0; run < samples[i].runs; run++) {
            json_t *parameters = part(json_array_get(import.runs, run), "/parameters");
            const char *name;
            json_t *value;

            assert_non_null(entry_of(import.read, (json_int_t)run + 1, "time_s"));
            json_object_foreach(parameters, name, value)
            {
                const bool is_read = entry_of(import.read, (json_int_t)run + 1, name) != NULL;

                if (!is_read && !strstr(samples[i].given, name) &&
                    !strstr("mapping locality threads nodes restart", name))
                    fail_msg("%s: where does %s come from?", samples[i].name, name);
            }
        }
    }
}

TEST(lines_of_what_was_read_are_those_of_an_editor)
{
    static const struct {
        const char *filter, *given, *name, *field;
        json_int_t run, line;
        double number;
        const char *text;
    } cases[] = {
        { "hpl", "utc_offset=Z", "hpl-2.3.txt", "swap", 1, 30, 0, "binary_exchange" },
        { "hpl", "utc_offset=Z", "hpl-2.3.txt", "mapping", 1, 47, 0, "column" },
        { "hpl", "utc_offset=Z", "hpl-2.3.txt", "n", 1, 47, 2000, NULL },
        { "hpl", "utc_offset=Z", "hpl-2.3.txt", "started_at", 1, 48, 0, "2026-11-23T03:39:03Z" },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "process_columns", 1, 2, 3, NULL },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "ordering", 1, 14, 0, "metis" },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "supernode_max", 1, 6, 128, NULL },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "time_s", 1, 33, 1.25, NULL },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "flops", 1, 34, 4e9, NULL },
        { "superlu_dist", "matrix=grid", "superlu_dist-5.txt", "nnz_lu", 1, 26, 300000, NULL },
        { "scalapack", "", "scalapack-pblas.txt", "process_rows", 1, 24, 2, NULL },
        { "scalapack", "", "scalapack-pblas.txt", "k", 1, 29, 200, NULL },
        { "petsc", "nodes=1", "petsc-3.7.txt", "restart", 1, 3, 60, NULL },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct import import = import_sample(cases[i].filter, cases[i].given, cases[i].name);
        json_t *entry = entry_of(import.read, cases[i].run, cases[i].field);

        if (!entry || json_integer_value(part(entry, "/line")) != cases[i].line)
            fail_msg("%s of %s", cases[i].field, cases[i].name);
        if (cases[i].text)
            assert_string_equal(text_at(entry, "/value"), cases[i].text);
        else
            assert_close(number_at(entry, "/value"), cases[i].number, 1e-12);
    }
}

TEST(lines_may_end_as_on_windows_and_the_text_begin_with_a_byte_order_mark)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t length, used = 3;
        char *text = sample(samples[i].name, &length);
        char *changed = malloc(2 * length + 4);
        json_t *runs =
            imported_sample(samples[i].filter, samples[i].given, samples[i].name, samples[i].runs);
        struct import import;

        assert_non_null(changed);
        memcpy(changed, "\xef\xbb\xbf", 3);
        for (size_t at = 0; at < length; at++) {
            if (text[at] == '\n')
                changed[used++] = '\r';
            changed[used++] = text[at];
        }
        import = import_text(samples[i].filter, samples[i].given, changed, used);
        if (!import.runs)
            fail_msg("%s: %s", samples[i].name, import.faults.fault[0].message);
        assert_true(json_equal(import.runs, runs));
        free(changed);
        free(text);
    }
}

TEST(a_text_of_two_bytes_a_character_is_named)
{
    struct import import = import_text("seconds", "model=new",
                                       "\xff\xfe"
                                       "4\0\r\0\n\0"
                                       "5\0",
                                       10);

    assert_int_equal(import.faults.count, 1);
    assert_fault(&import.faults, FR_SYNTAX, "", "the text is UTF-16");
}

/* 16 tasks; hpl takes them as such, or as a grid, cores or nodes. */
TEST(processes_of_the_text_are_compared_with_another_form_of_them)
{
    static const char text[] = "JobID|State|ElapsedRaw|NTasks\n7.0|COMPLETED|64|16\n"
                               "8.0|COMPLETED|65|16\n";
    static const struct request {
        const char *given, *fault;
        bool is_warned;
    } requests[] = {
        { "process_rows=4", NULL, false },
        { "process_rows=4&process_columns=4", NULL, false },
        { "process_rows=4&process_columns=8", "16 processes here, but 32", false },
        { "cores=32&threads=2", NULL, false },
        { "cores=32&threads=1", "16 processes here, but 32", false },
        { "cores=32", NULL, true },
        { "nodes=2", NULL, true },
    };
    /* 1 x 2 processes */
    static const char grid[] = "WR11C2R4  400  32  1  2  0.00  5.461e+01\n";
    static const struct request grids[] = {
        { "", NULL, false },
        { "processes=2", NULL, false },
        { "processes=4", "2 processes here, but 4", false },
        { "cores=8&threads=2", "2 processes here, but 4", false },
        { "nodes=2", NULL, true },
    };

    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct import import = import_text("hpl", grids[i].given, grid, strlen(grid));

        assert_int_equal(import.imported.warnings.count, grids[i].is_warned);
        assert_int_equal(import.faults.count, grids[i].fault != NULL);
        if (grids[i].fault)
            assert_fault(&import.faults, FR_RELATION, "line 1", grids[i].fault);
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char given[100];
        struct import import;

        snprintf(given, sizeof given, "model=hpl&n=1000&%s", requests[i].given);
        import = import_text("sacct", given, text, strlen(text));
        assert_int_equal(import.imported.warnings.count, requests[i].is_warned);
        assert_int_equal(import.faults.count, requests[i].fault ? 2 : 0);
        if (requests[i].fault)
            assert_fault(&import.faults, FR_RELATION, "line 2", requests[i].fault);
    }
}

TEST(a_number_at_the_end_without_a_line_end_may_be_cut)
{
    static const char head[] = "JobID|State|ElapsedRaw\n9|COMPLETED|10\n";
    static const struct {
        const char *last;
        bool is_warned;
    } texts[] = { { "7|COMPLETED|64", true },
                  { "7|COMPLETED|64\n", false },
                  { "7|FAILED|64", false },
                  { "", false } };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct import import;
        char text[100];

        snprintf(text, sizeof text, "%s%s", head, texts[i].last);
        import = import_text("sacct", "model=new", text, strlen(text));
        assert_int_equal(import.faults.count, 0);
        assert_int_equal(import.imported.warnings.count, texts[i].is_warned);
        if (texts[i].is_warned)
            assert_fault(&import.imported.warnings, FR_SYNTAX, "line 3", "without a line end");
    }
    /* A time that a script sends alone. */
    imported_text("seconds", "model=new", "1.5", 1);
}

/* What a launcher puts before each line is named in the refusal. */
TEST(labels_before_the_lines_are_named)
{
    static const char *const labels[] = { "0: ", "[1,0]<stdout>:" };

    for (size_t i = 0; i < 2 * SAMPLES; i++) {
        const char *label = labels[i / SAMPLES];
        size_t length, used = 0, named = 0;
        char *text = sample(samples[i % SAMPLES].name, &length);
        char *changed = malloc(20 * length + 20);
        struct import import;

        assert_non_null(changed);
        for (size_t at = 0; at < length; at++) {
            if (!at || text[at - 1] == '\n')
                used += (size_t)sprintf(changed + used, "%s", label);
            changed[used++] = text[at];
        }
        import =
            import_text(samples[i % SAMPLES].filter, samples[i % SAMPLES].given, changed, used);
        for (size_t j = 0; j < fr_faults_kept(&import.faults); j++)
            named += strstr(import.faults.fault[j].message, "stands before") != NULL;
        if (import.runs || !named)
            fail_msg("%s with %s: %s", samples[i % SAMPLES].name, label,
                     import.runs ? "taken" : import.faults.fault[0].message);
        free(changed);
        free(text);
    }
}

/* Taken or refused: import_text fails where what is taken is not JSON.  At each third or fourth
 * byte, or with FORERUN_DRAWS=full at each. */
TEST(a_text_cut_anywhere_gives_runs_or_faults)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t length;
        char *text = sample(samples[i].name, &length);

        for (size_t cut = 0; cut < length; cut += length / (size_t)draws_of((int)length)) {
            struct import import = import_text(samples[i].filter, samples[i].given, text, cut);

            assert_true(import.imported.runs <= samples[i].runs);
        }
        free(text);
    }
}

static void change(char *text, size_t length, uint64_t *random)
{
    static const char bytes[] = { '\0', '\n', '\r', '|', ',', ' ',    '.',    'e',    '-',   '"',
                                  '{',  '9',  '0',  'X', ':', '\x80', '\xff', '\xc3', '\x1b' };
    const int64_t last = (int64_t)length - 1;

    for (int64_t changes = random_between(random, 1, 8); changes; changes--) {
        const size_t at = (size_t)random_between(random, 0, last);
        const size_t from = (size_t)random_between(random, 0, last);
        size_t count = (size_t)random_between(random, 1, 40);

        if (count > length - (at > from ? at : from))
            count = length - (at > from ? at : from);
        if (random_bits(random) % 3 == 0)
            memmove(text + at, text + from, count);
        else
            text[at] = bytes[(size_t)random_between(random, 0, sizeof bytes - 1)];
    }
}

TEST(a_text_changed_at_random_gives_runs_or_faults)
{
    uint64_t random = draws_from(7);
    size_t taken = 0, refused_count = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        size_t length;
        char *text = sample(samples[i].name, &length), *changed = malloc(length);

        assert_non_null(changed);
        for (int round = 0; round < draws_of(1500); round++) {
            struct import import;

            memcpy(changed, text, length);
            change(changed, length, &random);
            import = import_text(samples[i].filter, samples[i].given, changed, length);
            taken += import.code == FR_OK;
            refused_count += import.code != FR_OK;
        }
        free(changed);
        free(text);
    }
    assert_true(taken > 1000 && refused_count > 1000);
}

TEST(bytes_that_are_no_text_are_refused)
{
    uint64_t random = 3;
    char noise[4096];

    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)random_bits(&random);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct import import =
            import_text(samples[i].filter, samples[i].given, noise, sizeof noise);

        assert_true(import.code != FR_OK);
        import = import_text(samples[i].filter, samples[i].given, "", 0);
        assert_true(import.code != FR_OK);
        import = import_text(samples[i].filter, samples[i].given, "\n\n\n", 3);
        assert_true(import.code != FR_OK);
    }
}

/* ---- what the request says ---- */

TEST(a_text_about_no_model_needs_the_model_named)
{
    struct import import = import_sample("sacct", "n=200", "sacct.txt");

    assert_fault(&import.faults, FR_MISSING, "model", "does not name the model");
    import = import_sample("superlu_dist", "model=matmul", "superlu_dist.txt");
    assert_fault(&import.faults, FR_RELATION, "model", "are always runs of sparse_lu");
    imported_sample("superlu_dist", "model=sparse_lu", "superlu_dist.txt", 1);
}

TEST(the_request_and_the_text_must_agree)
{
    struct import import = import_sample("superlu_dist", "process_rows=4", "superlu_dist.txt");

    assert_fault(&import.faults, FR_RELATION, "line 57",
                 "process_rows is 2 here, but 4 in the request");
    imported_sample("superlu_dist", "process_rows=2e0", "superlu_dist.txt", 1);
    import = import_sample("superlu_dist", "ordering=amd", "superlu_dist.txt");
    assert_fault(&import.faults, FR_RELATION, "line 57",
                 "ordering is metis here, but amd in the request");
    import = import_sample("superlu_dist", "n=1&n=2", "superlu_dist.txt");
    assert_fault(&import.faults, FR_REPEATED, "n", "twice");
}

TEST(the_requests_texts_become_what_they_plainly_are)
{
    json_t *runs = imported_sample("sacct",
                                   "model=new&a=4096&b=1e-3&c=true&d=8x16x4&e=hops:max_rate&f=2d&"
                                   "g=8x&h=none&i=x8&j=1x2x3x4&utc_offset=Z",
                                   "sacct.txt", 5),
           *given = part(runs, "/0/parameters");

    assert_holds(given, "", "{'a': 4096, 'b': 1e-3}");
    assert_true(json_is_true(part(given, "c")));
    assert_int_equal(json_array_size(part(given, "d")), 3);
    assert_close(number_at(given, "d/1"), 16, 0);
    assert_string_equal(text_at(given, "e/1"), "max_rate");
    assert_holds(given, "",
                 "{'f': '2d', 'g': '8x', 'h': 'none', 'i': 'x8', 'j': '1x2x3x4', "
                 "'utc_offset': null}");
}

/* The dense models take processes, cores or nodes, one of them; a variant is a text even where it
 * looks like a number. */
TEST(a_known_models_descriptors_decide)
{
    static const char nodes[] = "JobID|State|ElapsedRaw|NNodes|NTasks\n7.0|COMPLETED|5|4|16\n";
    json_t *runs = imported_sample("sacct", "model=matmul&n=4096&variant=1e6&contention=false",
                                   "sacct.txt", 5);

    assert_string_equal(text_at(runs, "/0/parameters/variant"), "1e6");
    assert_true(json_is_false(part(runs, "/0/parameters/contention")));
    assert_holds(runs, "/0", "{'parameters': {'processes': 64, 'nodes': null}}");
    runs = imported_sample("sacct", "model=matmul&n=4096&cores=128", "sacct.txt", 5);
    assert_holds(runs, "/0", "{'parameters': {'cores': 128, 'processes': null}}");
    runs = imported_text("sacct", "model=matmul&nodes=4", nodes, 1);
    assert_close(number_at(runs, "/0/parameters/nodes"), 4, 0);
    assert_refused("sacct", "model=matmul&nodes=8", nodes, FR_RELATION, "line 2",
                   "nodes is 4 here, but 8 in the request");
}

TEST(ten_thousand_runs_are_the_most)
{
    static const char row[] = "WR11C2R4         400    32     1     2    0.00    5.461e+01\n";
    const size_t length = sizeof row - 1;
    char *text = malloc(length * (FR_MAX_IMPORTED + 2));
    struct import import;

    assert_non_null(text);
    for (size_t i = 0; i < FR_MAX_IMPORTED + 2; i++)
        memcpy(text + i * length, row, length);
    import = import_text("hpl", "", text, length * FR_MAX_IMPORTED);
    assert_int_equal(import.imported.runs, FR_MAX_IMPORTED);
    import = import_text("hpl", "", text, length * (FR_MAX_IMPORTED + 2));
    assert_fault(&import.faults, FR_NOMEM, "line 10001", "more than 10000 runs");
    assert_int_equal(import.faults.count, 1);
    free(text);
}
