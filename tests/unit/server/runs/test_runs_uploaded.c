/* Uploads of many runs: one document, an array, lines; which run a fault is about. */
#include "tests/unit/support/question.h"

#include "server/runs/run_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct upload {
    struct fr_arena *arena;
    struct fr_run_upload of;
    struct fr_uploaded_runs runs;
    struct fr_faults faults;
};

static int set_up(void **state)
{
    static struct upload upload;

    upload = (struct upload){ .arena = fr_arena_new(64 << 20), .of = { .machine = "round" } };
    *state = &upload;
    return 0;
}

#define RUN(n, time)                                                                     \
    "{'model': 'trsm', 'time_s': " time ", 'parameters': {'variant': '2d', 'n': " n ", " \
    "'processes': 4, 'blocks_per_process': 2, 'threads': 1}}"

static int read(struct upload *u, const char *text, size_t length, bool is_json_lines)
{
    u->faults.count = 0;
    u->runs = (struct fr_uploaded_runs){ .run = NULL };
    u->of.text = text;
    u->of.length = length;
    u->of.is_json_lines = is_json_lines;
    return fr_runs_read(&u->of, u->arena, &u->runs, &u->faults);
}

/* Texts with single quotes for double ones. */
static void takes(struct upload *u, const char *text, bool is_json_lines, size_t count)
{
    if (read(u, quoted(text, u->arena), strlen(text), is_json_lines) != FR_OK)
        fail_msg("%s: %s", u->faults.fault[0].where, u->faults.fault[0].message);
    assert_int_equal(u->runs.count, count);
}

static void refuses(struct upload *u, const char *text, bool is_json_lines, size_t faults)
{
    assert_int_not_equal(read(u, quoted(text, u->arena), strlen(text), is_json_lines), FR_OK);
    assert_int_equal(u->runs.count, 0);
    if (u->faults.count != faults)
        fail_msg("%zu faults, the first at %s: %s", u->faults.count, u->faults.fault[0].where,
                 u->faults.fault[0].message);
}

#define CASE(name) TEST_OF(name, struct upload *u, set_up, place_end)

CASE(one_document_an_array_and_lines_are_the_same_runs)
{
    char id[17];

    takes(u, RUN("100", "1.5"), false, 1);
    assert_true(u->runs.is_single);
    snprintf(id, sizeof id, "%s", u->runs.run[0].id);
    assert_int_equal(strspn(id, "0123456789abcdef"), 16);
    takes(u, "[" RUN("100", "1.5") ", " RUN("200", "2") "]", false, 2);
    assert_false(u->runs.is_single);
    assert_string_equal(u->runs.run[0].id, id);
    assert_string_not_equal(u->runs.run[1].id, id);
    takes(u, RUN("200", "2") "\n" RUN("100", "1.50"), true, 2);
    assert_string_equal(u->runs.run[1].id, id);
    takes(u, "[]", false, 0);
}

CASE(an_id_is_made_of_machine_and_canonical_form)
{
    static const char document[] =
        "{\"model\":\"trsm\",\"parameters\":{\"blocks_per_process\":2,\"n\":100,\"processes\":4,"
        "\"threads\":1,\"variant\":\"2d\"},\"time_s\":1.5}";
    const struct fr_stored_run *run;

    takes(u, RUN("100", "1.5"), false, 1);
    run = &u->runs.run[0];
    assert_string_equal(run->document, document);
    assert_int_equal(run->document_length, strlen(document));
    /* printf 'round\n%s' "$document" | sha256sum */
    assert_string_equal(run->id, "c50415502bd88cb2");
    u->of.machine = "other";
    takes(u, RUN("100", "1.5"), false, 1);
    assert_string_equal(u->runs.run[0].id, "b951b48eb2e34a97");
}

CASE(a_run_is_ready_to_be_stored)
{
    const struct fr_stored_run *run;

    u->of.cal = calibration_of(round_machine, u->arena);
    takes(u,
          "[" RUN("100", "1.5") ", {'model': 'matmul', 'repetitions': [1, 2, 4], 'job': 'j-1',"
                                "'started_at': '2026-11-20T12:00:00+01:00', 'parameters': "
                                "{'algorithm': 'cannon',"
                                "'variant': '2d', 'n': 4, 'cores': 4, 'threads': 1}}]",
          false, 2);
    run = &u->runs.run[1];
    assert_string_equal(run->machine, "round");
    assert_string_equal(run->model, "matmul");
    assert_string_equal(run->started_at, "2026-11-20T11:00:00.000Z");
    assert_string_equal(run->job, "j-1");
    assert_close(run->time_s, 2, 0);
    assert_non_null(strstr(run->parameters, "\"processes\":4"));
    assert_non_null(strstr(run->parameters, "\"cores\":4"));
    assert_null(u->runs.run[0].job);
    assert_null(u->runs.run[0].started_at);
}

CASE(blank_lines_and_carriage_returns_are_passed_over)
{
    takes(u, "\n" RUN("1", "1") "\r\n\r\n \t\r\n" RUN("2", "1") "\n\n", true, 2);
    takes(u, "  " RUN("1", "1") "  ", true, 1);
}

CASE(a_fault_in_an_array_says_which_element)
{
    refuses(u, "[" RUN("1", "1") ", 7, " RUN("0", "-1") "]", false, 3);
    assert_fault(&u->faults, FR_TYPE, "/1", "must be an object");
    assert_fault(&u->faults, FR_RANGE, "/2/time_s", "-1 must be greater");
    assert_fault(&u->faults, FR_RANGE, "/2/parameters/n", "0 is outside");
    refuses(u, RUN("0", "1"), false, 1);
    assert_fault(&u->faults, FR_RANGE, "/parameters/n", "0 is outside");
}

CASE(a_fault_in_lines_says_which_line)
{
    refuses(u, RUN("4", "1") "\n\n" RUN("0", "1") "\n{'model': 'trsm'", true, 2);
    assert_fault(&u->faults, FR_RANGE, "/3/parameters/n", "line 3: 0 is outside");
    assert_fault(&u->faults, FR_SYNTAX, "/4", "line 4, column ");
    refuses(u, "[" RUN("4", "1") "]\n", true, 1);
    assert_fault(&u->faults, FR_TYPE, "/1", "line 1: must be an object");
    refuses(u, RUN("4", "1") RUN("4", "1"), true, 1);
    assert_fault(&u->faults, FR_SYNTAX, "/1", "line 1, column ");
    refuses(u, "{'model': 'trsm', 'model': 'trsm'}", true, 1);
    assert_fault(&u->faults, FR_SYNTAX, "/1", "duplicate");
    refuses(u, "\r\n \n", true, 1);
    assert_fault(&u->faults, FR_MISSING, "", "one run on each line");
    refuses(u, "", true, 1);
    refuses(u, "", false, 1);
    assert_fault(&u->faults, FR_SYNTAX, "", "line 1");
}

CASE(an_imported_run_is_counted)
{
    u->of.is_imported = true;
    refuses(u, "[" RUN("1", "1") ", " RUN("0", "1") "]", false, 1);
    assert_fault(&u->faults, FR_RANGE, "/parameters/n", "run 2: 0 is outside");
}

CASE(the_machine_is_asked_about_each)
{
    u->of.cal = calibration_of(round_machine, u->arena);
    refuses(u,
            RUN("4", "1") "\n"
                          "{'model': 'matmul', 'time_s': 1, 'parameters': {'algorithm': "
                          "'cannon', 'variant': '2d', 'n': 4, 'processes': 15, 'threads': 1}}",
            true, 1);
    assert_fault(&u->faults, FR_RELATION, "/2/parameters/processes", "line 2: 15");
}

CASE(bytes_that_are_no_text_are_refused)
{
    char text[] = "{\"model\": \"trsm\", \"notes\": \"\xe9\xff\"}\n{\"model\": \"tr\0sm\"}\n";

    assert_int_not_equal(read(u, text, sizeof text - 1, true), FR_OK);
    assert_int_equal(u->faults.count, 2);
    assert_fault(&u->faults, FR_SYNTAX, "/1", "unable to decode");
    assert_fault(&u->faults, FR_SYNTAX, "/2", "line 2");
}

CASE(all_faults_are_counted_and_the_first_are_kept)
{
    enum { LINES = 100 };
    char *text = calloc(LINES, 200);

    for (size_t i = 0; i < LINES; i++)
        strcat(text, RUN("0", "0") "\n");
    refuses(u, text, true, 2 * (size_t)LINES);
    assert_string_equal(u->faults.fault[0].where, "/1/time_s");
    assert_string_equal(u->faults.fault[31].where, "/16/parameters/n");
    free(text);
}

CASE(more_than_the_limit_are_refused_unread)
{
    const size_t line = strlen("{}\n");
    char *text = malloc(line * (FR_MAX_UPLOADED_RUNS + 1) + 1);

    for (size_t i = 0; i <= FR_MAX_UPLOADED_RUNS; i++)
        memcpy(text + i * line, "{}\n", line);
    assert_int_equal(read(u, text, line * (FR_MAX_UPLOADED_RUNS + 1), true), FR_NOMEM);
    assert_int_equal(u->faults.count, 1);
    assert_fault(&u->faults, FR_NOMEM, "", "10001 runs; at most 10000");
    read(u, text, line * FR_MAX_UPLOADED_RUNS, true);
    assert_int_equal(u->faults.count, 2 * FR_MAX_UPLOADED_RUNS); /* model and time of each */
    free(text);
}
