/* Held-out checks: errors of look-ups at measured values that were left out, worked out by hand. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MACHINE(tables)                                               \
    "{'schema':'forerun-calibration-1','machine':'m',"                \
    "'network':{'protocols':[{'name':'all','max_message_bytes':null," \
    "'off_node':{'latency_s':1,'inverse_bandwidth_s_per_byte':0.125}}]}," tables "}"

static const struct fr_held_out *checked(const char *document, const char *what, void **state)
{
    return fr_held_out_of(calibration_of(document, *state)->held_outs, what);
}

static double error_of(const struct fr_held_out *of, double from, double to)
{
    for (size_t i = 0; i < of->steps; i++)
        if (of->step[i].from == from && of->step[i].to == to)
            return of->step[i].error;
    fail_msg("%s was not checked from %g to %g", of->what, from, to);
    return NAN;
}

/* Beyond two counts the factor goes on in log2 of the processes, beyond one it stays. */
ARENA_TEST(outer_counts_are_looked_up_in_the_others)
{
    const struct fr_held_out *of = checked(
        MACHINE(
            "'contention':{'average':[{'distance':1,'factor':1}],"
            "'maximum':[{'processes':4,'distance':1,'factor':1},"
            "{'processes':16,'distance':1,'factor':2},{'processes':64,'distance':1,'factor':8}]}"),
        "contention.maximum.processes", state);

    assert_non_null(of);
    assert_int_equal(of->steps, 6);
    assert_close(error_of(of, 16, 64), log(8.0 / 3), 1e-12);
    assert_close(error_of(of, 4, 64), log(8), 1e-12);
    assert_close(error_of(of, 4, 16), log(2), 1e-12);
    assert_close(error_of(of, 16, 4), log(2), 1e-12);
    assert_close(error_of(of, 64, 16), log(4), 1e-12);
    assert_close(error_of(of, 64, 4), log(8), 1e-12);
    assert_int_equal(of->between_rows, 1);
    assert_close(of->between_error, log(4.5 / 2), 1e-12);
}

/* Bursts at 1, 2 and 4 times the time of a message, whose ratio is kept beyond the last count. */
ARENA_TEST(a_step_has_the_ninetieth_percentile_of_its_rows)
{
    const struct fr_held_out *of =
        checked(MACHINE("'contention':{'burst':["
                        "{'processes':2,'message_bytes':8,'gap_s':2},"
                        "{'processes':2,'message_bytes':24,'gap_s':4},"
                        "{'processes':4,'message_bytes':8,'gap_s':4},"
                        "{'processes':4,'message_bytes':24,'gap_s':16}]}"),
                "contention.burst.processes", state);

    assert_non_null(of);
    assert_int_equal(of->step[0].rows, 2);
    assert_close(error_of(of, 2, 4), log(2) + 0.9 * (log(4) - log(2)), 1e-12);
}

/* Where single messages have no price, nothing is looked up outside a table. */
ARENA_TEST(a_table_without_what_replaces_it_is_not_checked)
{
    static const char rows[] =
        "'contention':{'patterns':[{'pattern':'shift_row','processes':4,'layers':1,"
        "'message_bytes':8,'average_s':1,'maximum_s':1},{'pattern':'shift_row','processes':16,"
        "'layers':1,'message_bytes':8,'average_s':1,'maximum_s':1}],"
        "'burst':[{'processes':2,'message_bytes':8,'gap_s':2},"
        "{'processes':4,'message_bytes':8,'gap_s':4}]";
    char document[1000];

    snprintf(document, sizeof document,
             "{'schema':'forerun-calibration-1','machine':'m',%s,"
             "'average':[{'distance':1,'factor':1}],"
             "'maximum':[{'processes':4,'distance':1,'factor':1}]}}",
             rows);
    assert_null(checked(document, "contention.patterns.processes", state));
    assert_null(checked(document, "contention.burst.processes", state));
    snprintf(document, sizeof document, MACHINE("%s}"), rows);
    assert_null(checked(document, "contention.patterns.processes", state));
    assert_non_null(checked(document, "contention.burst.processes", state));
}

ARENA_TEST(a_row_outside_by_two_keys_is_not_checked)
{
    const struct fr_held_out *of =
        checked(MACHINE("'contention':{'average':[{'distance':1,'factor':1}],"
                        "'maximum':[{'processes':4,'distance':1,'factor':1},"
                        "{'processes':8,'distance':1,'factor':1},"
                        "{'processes':8,'distance':4,'factor':9}]}"),
                "contention.maximum.processes", state);

    assert_non_null(of);
    assert_close(error_of(of, 4, 8), 0, 1e-12);
}

/* Both shifts take three times their equation: T(8; 1) = 9 s, T(8; 2) = 17 s.  The contention
 * factors of a count are left out with its patterns, so the other factor is charged. */
ARENA_TEST(patterns_are_looked_up_as_models_do)
{
    const struct fr_held_out *of =
        checked(MACHINE("'contention':{'average':[{'distance':1,'factor':1}],"
                        "'maximum':[{'processes':4,'distance':1,'factor':1},"
                        "{'processes':16,'distance':1,'factor':2}],'patterns':["
                        "{'pattern':'shift_row','processes':4,'layers':1,'message_bytes':64,"
                        "'average_s':27,'maximum_s':27},"
                        "{'pattern':'shift_row','processes':16,'layers':1,'message_bytes':64,"
                        "'average_s':27,'maximum_s':51}]}"),
                "contention.patterns.processes", state);

    assert_non_null(of);
    assert_close(error_of(of, 4, 16), log(51.0 / 27), 1e-12);
    assert_close(error_of(of, 16, 4), log(51.0 / 27), 1e-12);
}

ARENA_TEST(kernels_are_checked_by_order_and_threads)
{
    static const char document[] =
        MACHINE("'kernels':{'dgemm':{'square':[{'n':1,'threads':1,'time_s':2},"
                "{'n':4,'threads':1,'time_s':64},{'n':4,'threads':4,'time_s':64}]}}");
    const struct fr_held_out *by_n = checked(document, "kernels.dgemm.n", state);
    const struct fr_held_out *by_threads = checked(document, "kernels.dgemm.threads", state);

    assert_non_null(by_n);
    assert_close(error_of(by_n, 1, 4), log(2), 1e-12); /* rates of 1 and 2 */
    assert_int_equal(by_n->between_rows, 0);
    assert_true(isnan(by_n->between_error));
    assert_non_null(by_threads);
    assert_close(error_of(by_threads, 1, 4), log(4), 1e-12); /* rates of 2 and 0.5 */
}

ARENA_TEST(one_count_cannot_be_checked)
{
    const struct fr_calibration *cal =
        calibration_of(MACHINE("'contention':{'burst':["
                               "{'processes':4,'message_bytes':8,'gap_s':4}]}"),
                       *state);

    assert_int_equal(cal->held_outs->count, 0);
    assert_null(fr_held_out_of(cal->held_outs, "contention.burst.processes"));
    assert_null(fr_held_out_of(NULL, "contention.burst.processes"));
}

/* A client chooses the number of rows; each value that is left out costs a copy of the others. */
ARENA_TEST(a_large_table_is_checked_in_part)
{
    enum { ROWS = 10000, BETWEEN = 64, OUTER = 40, ROOM = 100 };
    char *document = fr_arena_zeroed(*state, ROWS, ROOM);
    size_t used = 0, rows;
    const struct fr_held_out *of;

    for (int i = 0; i < ROWS; i++)
        used +=
            (size_t)snprintf(document + used, (size_t)ROWS * ROOM - used,
                             "%s{'processes':4,'message_bytes':%d,'gap_s':1}", i ? "," : "", i + 1);
    {
        char *whole = fr_arena_zeroed(*state, used + 1000, 1);

        snprintf(whole, used + 1000, MACHINE("'contention':{'burst':[%s]}"), document);
        of = checked(whole, "contention.burst.message_bytes", state);
    }
    assert_non_null(of);
    rows = of->between_rows;
    for (size_t i = 0; i < of->steps; i++)
        rows += of->step[i].rows;
    assert_in_range(of->between_rows, BETWEEN / 2, BETWEEN);
    assert_in_range(rows - of->between_rows, 1, OUTER);
}

ARENA_TEST(a_full_arena_is_a_fault)
{
    struct fr_calibration cal = *calibration_of(
        MACHINE("'contention':{'burst':[{'processes':4,'message_bytes':8,'gap_s':4}]}"), *state);
    struct fr_arena *full = fr_arena_new(1);
    struct fr_faults faults;

    faults.count = 0;
    cal.held_outs = NULL;
    while (fr_arena_zeroed(full, 1, 1024))
        ;
    assert_int_equal(fr_held_outs_find(&cal, full, &faults), FR_NOMEM);
    assert_int_equal(faults.count, 1);
    assert_null(cal.held_outs);
    fr_arena_free(full);
}
