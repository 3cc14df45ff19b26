/* Where values come from: what a prediction used that was assumed, or whose source is not told. */
#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <string.h>

/* The round machine with these sources. */
static const struct fr_calibration *with_sources(struct fr_arena *arena, json_t *sources)
{
    json_t *document = json_of(round_machine);
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults = { 0 };
    char id[17];

    json_object_set_new(document, "sources", sources);
    if (fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    return cal;
}

/* Pairs of pointer and text, NULL-ended. */
static const struct fr_calibration *sourced(struct fr_arena *arena, const char *const *sources)
{
    json_t *object = json_object();

    for (; *sources; sources += 2)
        json_object_set_new(object, sources[0], json_string(sources[1]));
    return with_sources(arena, object);
}

#define SOURCES(...) sourced(*state, (const char *const[]){ __VA_ARGS__, NULL })

static const fr_uses everything = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) |
                                  FR_USE(PROTOCOLS) | FR_USE(CONTENTION_BYTES) |
                                  FR_USE(CONTENTION_AVERAGE) | FR_USE(CONTENTION_MAXIMUM) |
                                  FR_USE(DGEMM) | FR_USE(DTRSM) | FR_USE(DSYRK) | FR_USE(DPOTRF);

TEST(without_sources_everything_is_unstated)
{
    const struct fr_calibration *cal = sourced(*state, (const char *const[]){ NULL });

    assert_true(cal->unstated == everything);
    assert_true(cal->assumed == 0);
}

TEST(a_source_of_the_whole_covers_every_value)
{
    const struct fr_calibration *cal = SOURCES("", "measured: all of it");

    assert_true(cal->unstated == 0);
    assert_true(cal->assumed == 0);
    cal = SOURCES("", "assumed: all of it");
    assert_true(cal->assumed == everything);
    assert_true(cal->unstated == 0);
}

TEST(a_source_covers_its_subtree_and_nothing_beside)
{
    const struct fr_calibration *cal =
        SOURCES("/node", "published: a title", "/kernels/dgemm", "assumed: a guess");

    assert_true(cal->assumed == FR_USE(DGEMM));
    assert_true(cal->unstated == (everything & ~(FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) |
                                                 FR_USE(NODE_MEMORY) | FR_USE(DGEMM))));
}

TEST(the_longest_pointer_is_the_one_that_holds)
{
    const struct fr_calibration *cal = SOURCES("", "measured: here", "/node", "assumed: there",
                                               "/node/memory_bytes", "measured: again");

    assert_true(cal->assumed == (FR_USE(NODE_CORES) | FR_USE(NODE_PEAK)));
    assert_true(cal->unstated == 0);
    /* In whatever order they stand. */
    cal = SOURCES("/node/memory_bytes", "measured: again", "/node", "assumed: there", "",
                  "measured: here");
    assert_true(cal->assumed == (FR_USE(NODE_CORES) | FR_USE(NODE_PEAK)));
}

/* One row of a table is enough to rest the table on an assumption. */
TEST(an_assumed_row_makes_its_table_assumed)
{
    const struct fr_calibration *cal =
        SOURCES("", "measured: here", "/kernels/dtrsm/square/3/efficiency_fraction", "assumed: x");

    assert_true(cal->assumed == FR_USE(DTRSM));
}

TEST(an_uncovered_row_leaves_its_table_unstated)
{
    const struct fr_calibration *cal =
        SOURCES("/node", "measured: x", "/network", "measured: x", "/contention", "measured: x",
                "/kernels/dtrsm", "measured: x", "/kernels/dsyrk", "measured: x", "/kernels/dpotrf",
                "measured: x", "/kernels/dgemm/square/0", "measured: x");

    assert_true(cal->unstated == FR_USE(DGEMM));
}

/* Other forms than measured, published, assumed count as stated. */
TEST(a_text_of_another_form_counts_as_stated)
{
    const struct fr_calibration *cal = SOURCES("", "paper section 4");

    assert_true(cal->unstated == 0 && cal->assumed == 0);
    cal = SOURCES("", "we assumed: nothing");
    assert_true(cal->unstated == 0 && cal->assumed == 0);
}

/* /node covers /node/…, not /nodes. */
TEST(a_pointer_ends_at_a_whole_name)
{
    const struct fr_calibration *cal = SOURCES("/kernels/dgemm/square/1", "assumed: x");
    struct fr_calibration other = *cal;

    other.assumed = other.unstated = 0;
    fr_calibration_note_value(&other, "/kernels/dgemm/square/10/n");
    assert_true(other.assumed == 0);
    assert_true(other.unstated == FR_USE(DGEMM));
}

/* ---- what a source states ---- */

static void assert_text(const char *found, const char *expected)
{
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_null(found);
}

static void assert_source(const struct fr_source *found, const struct fr_source *expected)
{
    assert_int_equal(found->kind, expected->kind);
    assert_string_equal(found->text, expected->text);
    assert_int_equal(found->samples, expected->samples);
    if (isnan(expected->spread_fraction))
        assert_true(isnan(found->spread_fraction));
    else
        assert_close(found->spread_fraction, expected->spread_fraction, 1e-15);
    assert_text(found->statistic, expected->statistic);
    assert_text(found->measured_on, expected->measured_on);
    assert_text(found->load, expected->load);
}

/* Each form that forerun-calibrate wrote before it wrote records, and what others wrote. */
static const struct {
    const char *text;
    struct fr_source source;
} worded[] = {
    { "measured: counted by hwloc (1 sample); on 2026-11-23",
      { .text = "counted by hwloc",
        .samples = 1,
        .spread_fraction = NAN,
        .measured_on = "2026-11-23" } },
    { "measured: triad, 24 bytes per element, on all cores at once, median of 4 nodes that differ "
      "by "
      "1.2 % (15 samples, spread 1.8 %); on 2026-11-23",
      { .text = "triad, 24 bytes per element, on all cores at once, median of 4 nodes that differ "
                "by 1.2 %",
        .samples = 15,
        .spread_fraction = 0.018,
        .measured_on = "2026-11-23" } },
    { "measured: mean over simultaneous copies on every node (2 of 1 thread, 1 of 2 threads), "
      "operands in place; median of rounds, samples of 10 ms or one call (42 samples, spread 4.4 "
      "%, "
      "at most 15.8 %); on 2026-11-23; loaded: a reference loop took 1.11 times its best time",
      { .text = "mean over simultaneous copies on every node (2 of 1 thread, 1 of 2 threads), "
                "operands in place; median of rounds, samples of 10 ms or one call",
        .samples = 42,
        .spread_fraction = 0.044,
        .statistic = "at most 15.8 %",
        .measured_on = "2026-11-23",
        .load = "a reference loop took 1.11 times its best time" } },
    { "measured: SuperLU_DIST on one process: median factor 1.077, worst 1.169 (24 samples, best "
      "median of 4 rounds of 5, spread 1.3 %); on 2026-11-23",
      { .text = "SuperLU_DIST on one process: median factor 1.077, worst 1.169",
        .samples = 24,
        .spread_fraction = 0.013,
        .statistic = "best median of 4 rounds of 5",
        .measured_on = "2026-11-23" } },
    { "measured: solves of SuperLU_DIST: median factor 1.05 (48 samples, best of 5)",
      { .text = "solves of SuperLU_DIST: median factor 1.05",
        .samples = 48,
        .spread_fraction = NAN,
        .statistic = "best of 5" } },
    { "measured: one call at a time, shuffled, up to 3 repetitions (11284 samples, spread: each "
      "model's std); 307 regions, worst error 63.7 %; the time limit did not allow all; on "
      "2026-11-23",
      { .text = "one call at a time, shuffled, up to 3 repetitions; 307 regions, worst error 63.7 "
                "%; the time limit did not allow all",
        .samples = 11284,
        .spread_fraction = NAN,
        .statistic = "spread: each model's std",
        .measured_on = "2026-11-23" } },
    { "measured: grids (processes:layers) 4, 16, 16:4 (876 samples, spread 0.0 %); on 2026-11-23; "
      "loaded: other work on 1.1 cores; a core was throttled",
      { .text = "grids (processes:layers) 4, 16, 16:4",
        .samples = 876,
        .spread_fraction = 0,
        .measured_on = "2026-11-23",
        .load = "other work on 1.1 cores; a core was throttled" } },
    { "measured: doubtful, the fit ends at a tenth of the prior 1.6; on 2026-11-23",
      { .text = "doubtful, the fit ends at a tenth of the prior 1.6",
        .spread_fraction = NAN,
        .measured_on = "2026-11-23" } },
    { "published: given on the command line",
      { .kind = FR_FROM_PUBLISHED, .text = "given on the command line", .spread_fraction = NAN } },
    { "assumed: same as dgemm_unroll",
      { .kind = FR_FROM_ASSUMED, .text = "same as dgemm_unroll", .spread_fraction = NAN } },
    { "read: the numbers at the end of host names, in the order of the ranks",
      { .kind = FR_FROM_STATED,
        .text = "read: the numbers at the end of host names, in the order of the ranks",
        .spread_fraction = NAN } },
    /* By hand. */
    { "measured: x; on all cores; on 2026-09-01",
      { .text = "x; on all cores", .spread_fraction = NAN, .measured_on = "2026-09-01" } },
    { "measured: x (2 samples); on 2026-09-01, at night",
      { .text = "x, at night",
        .samples = 2,
        .spread_fraction = NAN,
        .measured_on = "2026-09-01" } },
    { "measured: x; loaded: ", { .text = "x", .spread_fraction = NAN } },
    { "stated: x", { .kind = FR_FROM_STATED, .text = "stated: x", .spread_fraction = NAN } },
    { "measured: x, spread over nodes, spread 3 %",
      { .text = "x, spread over nodes", .spread_fraction = 0.03 } },
    { "measured: x (spread 3 %, 5 samples)",
      { .text = "x (spread 3 %, 5 samples)", .spread_fraction = 0.03 } },
    { "measured: x; on 2026-13-01; on 2026-09",
      { .text = "x; on 2026-13-01; on 2026-09", .spread_fraction = NAN } },
    { "measured: (3 samples of each kind) and (5 samples",
      { .text = "(3 samples of each kind) and (5 samples", .samples = 3, .spread_fraction = NAN } },
    { "measured: spread 1.2.3 %, (7 samples, spread -1 %)",
      { .text = "spread 1.2.3 %,",
        .samples = 7,
        .spread_fraction = NAN,
        .statistic = "spread -1 %" } },
    { "assumed: half of that of others (4 samples, spread 3 %)",
      { .kind = FR_FROM_ASSUMED,
        .text = "half of that of others",
        .samples = 4,
        .spread_fraction = NAN,
        .statistic = "spread 3 %" } },
    { "measured:", { .text = "", .spread_fraction = NAN } },
    { "measured", { .kind = FR_FROM_STATED, .text = "measured", .spread_fraction = NAN } },
    { "", { .kind = FR_FROM_STATED, .text = "", .spread_fraction = NAN } },
};

TEST(a_source_in_words_is_read_into_its_record)
{
    for (size_t i = 0; i < sizeof worded / sizeof *worded; i++)
        assert_source(&SOURCES("/node", worded[i].text)->sources.row[0], &worded[i].source);
}

TEST(a_record_states_the_same)
{
    for (size_t i = 0; i < sizeof worded / sizeof *worded; i++) {
        const struct fr_source *source = &worded[i].source;
        json_t *record =
            json_pack("{ssss}", "kind", fr_provenances[source->kind], "text", source->text);

        if (source->samples)
            json_object_set_new(record, "samples", json_integer(source->samples));
        if (!isnan(source->spread_fraction))
            json_object_set_new(record, "spread_fraction", json_real(source->spread_fraction));
        json_object_set_new(record, "statistic",
                            source->statistic ? json_string(source->statistic) : json_null());
        json_object_set_new(record, "measured_on",
                            source->measured_on ? json_string(source->measured_on) : json_null());
        json_object_set_new(record, "load", json_string(source->load ? source->load : ""));
        assert_source(&with_sources(*state, json_pack("{so}", "/node", record))->sources.row[0],
                      source);
    }
}

TEST(a_record_tells_the_spread_of_a_prediction_as_a_text_does)
{
    const struct fr_calibration *text =
        SOURCES("", "measured: x (9 samples, spread 2.5 %)", "/node", "assumed: x");
    const struct fr_calibration *record = with_sources(
        *state, json_of("{'':{'kind':'measured','text':'x','samples':9,'spread_fraction':0.025},"
                        "'/node':{'kind':'assumed','text':'x'}}"));

    assert_close(fr_calibration_spread(text, FR_USE(DGEMM)), 0.025, 1e-15);
    assert_close(fr_calibration_spread(record, FR_USE(DGEMM)), 0.025, 1e-15);
    assert_close(fr_calibration_spread(record, FR_USE(DGEMM) | FR_USE(LINE_BYTES)), 0.025, 1e-15);
    assert_true(record->assumed == text->assumed && record->unstated == text->unstated);
    assert_true(isnan(fr_calibration_spread(record, FR_USE(DGEMM) | FR_USE(NODE_PEAK))));
}

/* ---- in predictions ---- */

static const char *message_of(const struct fr_prediction *out, const struct fr_calibration *cal,
                              enum fr_warning_code code, char text[600])
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].code == code) {
            fr_warning_print(&out->warning[i], out, cal, text, 600);
            return text;
        }
    return NULL;
}

TEST(one_warning_names_all_assumed_pointers_that_were_used)
{
    const struct fr_calibration *cal =
        SOURCES("", "measured: x", "/node/memory_bytes", "assumed: x", "/network", "assumed: x",
                "/kernels/dtrsm", "assumed: not used by matmul");
    const struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4", cal);
    char text[600];

    assert_int_equal(out.warning_count, 1);
    assert_non_null(message_of(&out, cal, FR_WARN_ASSUMED, text));
    assert_non_null(strstr(text, "/node/memory_bytes"));
    assert_non_null(strstr(text, "/network"));
    assert_null(strstr(text, "dtrsm"));
}

TEST(one_warning_names_all_unstated_values_that_were_used)
{
    const struct fr_calibration *cal = SOURCES("/node", "measured: x", "/network", "measured: x");
    const struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4", cal);
    char text[600];

    assert_int_equal(out.warning_count, 1);
    assert_non_null(message_of(&out, cal, FR_WARN_UNSTATED, text));
    assert_non_null(strstr(text, "/contention/maximum"));
    assert_non_null(strstr(text, "/kernels/dgemm/square"));
    assert_null(strstr(text, "/contention/average")); /* Cannon on one layer has no collective */
    assert_null(strstr(text, "dtrsm"));
    assert_null(strstr(text, "/node"));
}

TEST(what_is_measured_and_published_needs_no_warning)
{
    const struct fr_calibration *cal = SOURCES("", "published: a title, table 1");

    assert_int_equal(
        predicted("matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=64&processes=4",
                  cal)
            .warning_count,
        0);
}

/* Without contention its factors are not used, and their source does not matter. */
TEST(what_is_not_used_is_not_told)
{
    const struct fr_calibration *cal =
        SOURCES("", "measured: x", "/contention", "assumed: a guess");
    const char *question =
        "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&contention=false";

    assert_int_equal(predicted("matmul", question, cal).warning_count, 0);
}

TEST(a_day_is_one_of_the_calendar)
{
    static const char *const days[] = { "2026-01-31", "2026-02-28", "2024-02-29", "2000-02-29",
                                        "2026-04-30", "2026-07-31", "2026-08-31", "2026-12-31" };
    static const char *const others[] = {
        "2026-02-29", "2026-02-31", "1900-02-29", "2026-04-31", "2026-06-31", "2026-09-31",
        "2026-11-31", "2026-01-32", "2026-00-10", "2026-13-01", "2026-01-00", "-026-01-01",
        " 202-01-01", "2026- 1-01", "2026-01- 1", "2026-+1-01", "2026-1-011", "2026-01-011",
        "2026-01-1",  "2026/01/01", "",
    };

    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        assert_true(fr_day_is_valid(days[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (fr_day_is_valid(others[i]))
            fail_msg("'%s' is taken for a day", others[i]);
    assert_true(fr_days_between("2024-02-28", "2024-03-01T12:00:00Z") == 2);
    assert_true(isnan(fr_days_between("2026-02-30", "2026-03-01")));
}

GROUP(arena_begin, arena_end)
