/* The slowest of the processors of a job (docs/models/variability.md). */
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <string.h>

static const struct fr_calibration *with_times(struct loaded *loaded, const char *times)
{
    json_t *document = full_json();

    put(document, "/kernels/variability", times);
    return accepted(loaded, document);
}

static const struct fr_calibration *without_waiting_senders(struct loaded *loaded,
                                                            const char *times)
{
    json_t *document = full_json(), *protocol;
    json_t *protocols = json_object_get(json_object_get(document, "network"), "protocols");
    size_t i;

    put(document, "/kernels/variability", times);
    json_array_foreach(protocols, i, protocol)
        json_object_set_new(protocol, "pipelined", json_true());
    return accepted(loaded, document);
}

static double slowest(struct loaded *loaded, const struct fr_calibration *cal, double cores,
                      struct fr_prediction *out)
{
    struct fr_evaluation run = { .cal = cal, .arena = loaded->arena, .out = out };

    fr_prediction_clear(out);
    return fr_kernel_slowest(&run, cores, 1);
}

#define CASE(name) TEST_WITH(name, documents_begin, documents_end)

/* The means of the greatest of 2, 8, 100 and 1000 normal numbers are 0.5642, 1.4236, 2.5076 and
 * 3.2414 (H. L. Harter, Biometrika 48, 1961). */
CASE(whoever_waits_goes_on_with_the_last)
{
    static const struct {
        double meeting, greatest;
    } of[] = { { 1, 0 }, { 2, 0.5642 }, { 8, 1.4236 }, { 100, 2.5076 }, { 1000, 3.2414 } };
    struct loaded *loaded = *state;
    const struct fr_calibration *cal =
        with_times(loaded, "{'cores': 8, 'processor_times': [1.5], 'late_fraction': 0.14236}");
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .arena = loaded->arena, .out = &out };

    fr_prediction_clear(&out);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_close(fr_kernel_slowest(&run, 8, of[i].meeting), 1.5 * (1 + of[i].greatest / 10),
                     0.003);
    assert_close(fr_kernel_slowest(&run, 8, 8), 1.5 * 1.14236, 1e-12);
}

static double computation_s(const struct fr_prediction *out)
{
    double sum = 0;

    for (size_t i = 0; i < out->phase_count; i++)
        sum += out->phase[i].kind == FR_COMPUTATION ? out->phase[i].time_s : 0;
    return sum;
}

/* Processes of a column of HPL wait for each other at each swap, columns do not.  Copies, which are
 * not late, hide products of small orders. */
CASE(columns_of_hpl_may_be_late)
{
    static const char question[] = "n=4000&block_size=100&process_rows=%d&process_columns=%d";
    static const char *const lateness[] = { "0", "0.2" };
    double time_s[2][2];

    for (int is_tall = 0; is_tall < 2; is_tall++)
        for (int i = 0; i < 2; i++) {
            char times[120], query[160];

            snprintf(times, sizeof times,
                     "{'cores': 8, 'processor_times': [1], 'late_fraction': %s}", lateness[i]);
            snprintf(query, sizeof query, question, is_tall ? 4 : 1, is_tall ? 1 : 4);
            time_s[is_tall][i] = predicted("hpl", query, with_times(*state, times)).time_s;
        }
    assert_close(time_s[0][1], time_s[0][0], 1e-12);
    assert_true(time_s[1][1] > 1.05 * time_s[1][0]);
}

/* The last of eight processes of a node is as late as calls of its eight cores were. */
CASE(iterative_solvers_wait_for_the_last)
{
    static const char grid[] = "nodes=1&processes_per_node=8&local_grid=20x20x20";
    static const char *const lateness[] = { "", ", 'late_fraction': 0.1" };
    struct fr_prediction cg[2], solve[2], stated;

    for (int i = 0; i < 2; i++) {
        char times[120], query[160];
        const struct fr_calibration *cal;

        snprintf(times, sizeof times, "{'cores': 8, 'processor_times': [1]%s}", lateness[i]);
        cal = with_times(*state, times);
        snprintf(query, sizeof query, "%s&solver=pcg&iterations=50", grid);
        cg[i] = predicted("cg", query, cal);
        strcat(query, "&preconditioner=icc");
        solve[i] = predicted("solve", query, cal);
        if (i == 0) {
            snprintf(query, sizeof query, "%s&solver=pcg&iterations=50&wait_fraction=0.1", grid);
            stated = predicted("cg", query, cal);
        }
    }
    assert_true(cg[1].time_s > 1.01 * cg[0].time_s);
    assert_close(cg[1].time_s, stated.time_s, 1e-12);
    assert_close(solve[1].time_s - solve[0].time_s, 0.1 * computation_s(&solve[0]), 1e-9);
}

/* Four processors with times of 1.3, 0.9, 1.1 and 0.7 deviate by sqrt(0.05) from 1; calls on one
 * core by 0.14236/1.4236. */
CASE(deviations_are_of_processors_and_calls)
{
    const struct fr_calibration *cal = with_times(
        *state, "{'cores': 8, 'processor_times': [1.3, 0.9, 1.1, 0.7], 'late_fraction': 0.14236}");
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .out = &out };

    fr_prediction_clear(&out);
    assert_close(fr_kernel_deviation(&run, 8), 0.1, 0.01);
    assert_close(fr_kernel_deviation(&run, 9), sqrt(0.06), 0.01);
    run.cal = with_times(*state, NULL);
    assert_close(fr_kernel_deviation(&run, 1000), 0, 0);
}

/* How much longer hpl takes on processors of 0.9 and 1.1 than on two of 1.1. */
static double held_up_s(struct loaded *loaded, const char *options,
                        const struct fr_calibration *(*with)(struct loaded *, const char *))
{
    static const char question[] = "n=20000&block_size=100&process_rows=16&process_columns=4&%s";
    static const char *const times[] = { "{'cores': 32, 'processor_times': [0.9, 1.1]}",
                                         "{'cores': 32, 'processor_times': [1.1, 1.1]}" };
    char query[300];

    snprintf(query, sizeof query, question, options);
    return predicted("hpl", query, with(loaded, times[0])).time_s -
           predicted("hpl", query, with(loaded, times[1])).time_s;
}

/* Rolls with look-ahead and rings alone; the slowest processor is the same. */
CASE(rings_hold_up_rolls_where_processors_differ)
{
    static const char *const free_of_it[] = {
        "swap=binary_exchange&lookahead_depth=1&broadcast=1ring",
        "swap=spread_roll&lookahead_depth=0&broadcast=1ring",
        "swap=spread_roll&lookahead_depth=1&broadcast=long",
        "swap=mix&swap_threshold=20000&lookahead_depth=1&broadcast=2ring",
    };
    static const char rolls[] = "swap=spread_roll&lookahead_depth=1&broadcast=1ring";
    const double jam_s = held_up_s(*state, rolls, with_times);

    for (size_t i = 0; i < sizeof free_of_it / sizeof *free_of_it; i++)
        assert_close(held_up_s(*state, free_of_it[i], with_times), 0, 1e-9);
    assert_true(jam_s > 0);
    assert_close(held_up_s(*state, rolls, without_waiting_senders), 0, 1e-9);
    assert_close(held_up_s(*state, "swap=mix&lookahead_depth=1&broadcast=1ring", with_times), jam_s,
                 1e-9);
    assert_true(
        held_up_s(*state, "swap=spread_roll&lookahead_depth=2&broadcast=2ringM", with_times) > 0);
}

/* All six pairs of four processors: their slowest ones are 1, 1.1, 1.1, 1.3, 1.3 and 1.3. */
CASE(any_choice_of_processors_is_as_likely)
{
    const struct fr_calibration *cal =
        with_times(*state, "{'cores': 8, 'processor_times': [1.3, 0.9, 1.1, 1]}");
    struct fr_prediction out;

    assert_close(slowest(*state, cal, 1, &out), 4.3 / 4, 1e-12);
    assert_close(slowest(*state, cal, 8, &out), 4.3 / 4, 1e-12);
    assert_close(slowest(*state, cal, 9, &out), 7.1 / 6, 1e-12);
    assert_close(slowest(*state, cal, 24, &out), (3 * 1.3 + 1.1) / 4, 1e-12);
    assert_close(slowest(*state, cal, 32, &out), 1.3, 1e-12);
    assert_int_equal(out.warning_count, 0);
    assert_true(out.used & FR_USE(VARIABILITY));
}

/* Of 30 processors, 29 with times from 1.00 to 1.28 and one with 2: one of 30 choices of one is
 * above 1.28, and one below 1.01.  All together they have one slowest. */
CASE(nine_of_ten_choices_lie_between_two_times)
{
    char times[500] = "{'cores': 1, 'processor_times': [2";
    const double mean = (2 + 29 * 1.14) / 30;
    const struct fr_calibration *cal;
    struct fr_prediction out;

    for (int i = 0; i < 29; i++)
        snprintf(times + strlen(times), sizeof times - strlen(times), ", %.2f", 1 + 0.01 * i);
    strcat(times, "]}");
    cal = with_times(*state, times);
    assert_close(slowest(*state, cal, 1, &out), mean, 1e-12);
    assert_close(out.slowest_low, 1.01 / mean, 1e-12);
    assert_close(out.slowest_high, 1.28 / mean, 1e-12);
    assert_close(slowest(*state, cal, 30, &out), 2, 1e-12);
    assert_close(out.slowest_low, 1, 1e-12);
    assert_close(out.slowest_high, 1, 1e-12);
}

CASE(more_processors_than_were_measured_warn)
{
    const struct fr_calibration *cal =
        with_times(*state, "{'cores': 8, 'processor_times': [1.3, 0.9]}");
    struct fr_prediction out;

    assert_close(slowest(*state, cal, 17, &out), 1.3, 1e-5);
    assert_int_equal(out.warning_count, 1);
    assert_string_equal(out.warning[0].what, "kernels.variability.processor_times");
}

CASE(without_it_all_processors_are_alike)
{
    const struct fr_calibration *cal = with_times(*state, NULL);
    struct fr_prediction out;

    assert_close(slowest(*state, cal, 1000, &out), 1, 0);
    assert_false(out.used & FR_USE(VARIABILITY));
    assert_close(out.slowest_high, 0, 0);
}

/* Ten thousand processors: the sum keeps its digits. */
CASE(many_processors_keep_the_digits)
{
    struct loaded *loaded = *state;
    json_t *document = full_json(), *times = json_array();
    const struct fr_calibration *cal;
    struct fr_prediction out;

    put(document, "/kernels/variability", "{'cores': 1, 'processor_times': [1]}");
    for (int i = 1; i <= 10000; i++)
        json_array_append_new(times, json_real(i));
    json_object_set_new(json_object_get(json_object_get(document, "kernels"), "variability"),
                        "processor_times", times);
    cal = accepted(loaded, document);
    /* of k numbers of 1 to N the greatest is k (N + 1)/(k + 1) on average */
    assert_close(slowest(loaded, cal, 100, &out), 100 * 10001.0 / 101, 1e-9);
    assert_close(slowest(loaded, cal, 9999, &out), 9999 * 10001.0 / 10000, 1e-9);
}
