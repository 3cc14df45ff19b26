/* Where values come from: what a prediction used that was assumed, or whose source is not told. */
#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <string.h>

static int begin(void **state)
{
    *state = fr_arena_new(1 << 24);
    return 0;
}

static int end(void **state)
{
    fr_arena_free(*state);
    return 0;
}

/* The round machine with these sources: pairs of pointer and text, NULL-ended. */
static const struct fr_calibration *sourced(struct fr_arena *arena, const char *const *sources)
{
    json_t *document = json_of(round_machine), *object = json_object();
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults = { 0 };
    char id[17];

    for (; *sources; sources += 2)
        json_object_set_new(object, sources[0], json_string(sources[1]));
    json_object_set_new(document, "sources", object);
    if (fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    return cal;
}

#define SOURCES(...) sourced(*state, (const char *const[]){ __VA_ARGS__, NULL })

static const uint64_t everything = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) |
                                   FR_USE(PROTOCOLS) | FR_USE(CONTENTION_BYTES) |
                                   FR_USE(CONTENTION_AVERAGE) | FR_USE(CONTENTION_MAXIMUM) |
                                   FR_USE(DGEMM) | FR_USE(DTRSM) | FR_USE(DSYRK) | FR_USE(DPOTRF);

static void without_sources_everything_is_unstated(void **state)
{
    const struct fr_calibration *cal = sourced(*state, (const char *const[]){ NULL });

    assert_true(cal->unstated == everything);
    assert_true(cal->assumed == 0);
}

static void a_source_of_the_whole_covers_every_value(void **state)
{
    const struct fr_calibration *cal = SOURCES("", "measured: all of it");

    assert_true(cal->unstated == 0);
    assert_true(cal->assumed == 0);
    cal = SOURCES("", "assumed: all of it");
    assert_true(cal->assumed == everything);
    assert_true(cal->unstated == 0);
}

static void a_source_covers_its_subtree_and_nothing_beside(void **state)
{
    const struct fr_calibration *cal =
        SOURCES("/node", "published: a title", "/kernels/dgemm", "assumed: a guess");

    assert_true(cal->assumed == FR_USE(DGEMM));
    assert_true(cal->unstated == (everything & ~(FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) |
                                                 FR_USE(NODE_MEMORY) | FR_USE(DGEMM))));
}

static void the_longest_pointer_is_the_one_that_holds(void **state)
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
static void an_assumed_row_makes_its_table_assumed(void **state)
{
    const struct fr_calibration *cal =
        SOURCES("", "measured: here", "/kernels/dtrsm/square/3/efficiency_fraction", "assumed: x");

    assert_true(cal->assumed == FR_USE(DTRSM));
}

static void an_uncovered_row_leaves_its_table_unstated(void **state)
{
    const struct fr_calibration *cal =
        SOURCES("/node", "measured: x", "/network", "measured: x", "/contention", "measured: x",
                "/kernels/dtrsm", "measured: x", "/kernels/dsyrk", "measured: x", "/kernels/dpotrf",
                "measured: x", "/kernels/dgemm/square/0", "measured: x");

    assert_true(cal->unstated == FR_USE(DGEMM));
}

/* Other forms than measured, published, assumed count as stated. */
static void a_text_of_another_form_counts_as_stated(void **state)
{
    const struct fr_calibration *cal = SOURCES("", "paper section 4");

    assert_true(cal->unstated == 0 && cal->assumed == 0);
    cal = SOURCES("", "we assumed: nothing");
    assert_true(cal->unstated == 0 && cal->assumed == 0);
}

/* /node covers /node/…, not /nodes. */
static void a_pointer_ends_at_a_whole_name(void **state)
{
    const struct fr_calibration *cal = SOURCES("/kernels/dgemm/square/1", "assumed: x");
    struct fr_calibration other = *cal;

    other.assumed = other.unstated = 0;
    fr_calibration_note_value(&other, "/kernels/dgemm/square/10/n");
    assert_true(other.assumed == 0);
    assert_true(other.unstated == FR_USE(DGEMM));
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

static void one_warning_names_all_assumed_pointers_that_were_used(void **state)
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

static void one_warning_names_all_unstated_values_that_were_used(void **state)
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

static void what_is_measured_and_published_needs_no_warning(void **state)
{
    const struct fr_calibration *cal = SOURCES("", "published: a title, table 1");

    assert_int_equal(
        predicted("matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=64&processes=4",
                  cal)
            .warning_count,
        0);
}

/* Without contention its factors are not used, and their source does not matter. */
static void what_is_not_used_is_not_told(void **state)
{
    const struct fr_calibration *cal =
        SOURCES("", "measured: x", "/contention", "assumed: a guess");
    const char *question =
        "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&contention=false";

    assert_int_equal(predicted("matmul", question, cal).warning_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_sources_everything_is_unstated),
        cmocka_unit_test(a_source_of_the_whole_covers_every_value),
        cmocka_unit_test(a_source_covers_its_subtree_and_nothing_beside),
        cmocka_unit_test(the_longest_pointer_is_the_one_that_holds),
        cmocka_unit_test(an_assumed_row_makes_its_table_assumed),
        cmocka_unit_test(an_uncovered_row_leaves_its_table_unstated),
        cmocka_unit_test(a_text_of_another_form_counts_as_stated),
        cmocka_unit_test(a_pointer_ends_at_a_whole_name),
        cmocka_unit_test(one_warning_names_all_assumed_pointers_that_were_used),
        cmocka_unit_test(one_warning_names_all_unstated_values_that_were_used),
        cmocka_unit_test(what_is_measured_and_published_needs_no_warning),
        cmocka_unit_test(what_is_not_used_is_not_told),
    };

    return cmocka_run_group_tests_name("provenance", tests, begin, end);
}
