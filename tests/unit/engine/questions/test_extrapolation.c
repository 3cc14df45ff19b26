/* Errors that are expected of extrapolated predictions, by hand. */
#include "engine/forerun.h"
#include "engine/questions/answer.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <string.h>

static const struct fr_held_out_step steps[] = {
    { 4, 16, 0.2, 1 }, { 4, 64, 0.9, 1 }, { 16, 64, 0.5, 1 },
    { 8, 32, 0.6, 1 }, { 16, 32, 3, 1 },  { 64, 16, 0.1, 1 },
};
static const struct fr_held_out checks = { .what = "contention.patterns.processes",
                                           .step = steps,
                                           .steps = sizeof steps / sizeof *steps };

/* Of three values that were left out: (10 / 4)^(1/3) times the largest. */
TEST(the_largest_of_the_steps_with_the_nearest_gaps_is_expected)
{
    const double allowance = cbrt(2.5);

    /* Two doublings: 4 to 16, 16 to 64, 8 to 32. */
    assert_close(fr_held_out_error(&checks, 256, 4, 64), 0.6 * allowance, 1e-12);
    /* Four: 4 to 64 exceeds sqrt(2) times the errors of 4 to 16 and of 8 to 32. */
    assert_close(fr_held_out_error(&checks, 1024, 4, 64), 0.9 * allowance, 1e-12);
    /* Eight: sqrt(2) times 4 to 64 exceeds twice 8 to 32. */
    assert_close(fr_held_out_error(&checks, 16384, 4, 64), 0.9 * sqrt(2) * allowance, 1e-12);
    /* One: the gap of 16 to 32 fits. */
    assert_close(fr_held_out_error(&checks, 128, 4, 64), 3 * allowance, 1e-12);
}

/* A factor of 10^6 is the logarithm 13.8. */
TEST(errors_that_say_nothing_are_unknown)
{
    static const struct fr_held_out_step large[] = { { 2, 8, 7.5, 1 }, { 4, 16, 1, 1 } };
    const struct fr_held_out of = { .step = large, .steps = 2 };
    const double allowance = sqrt(10.0 / 3);

    assert_close(fr_held_out_error(&of, 64, 2, 16), 7.5 * allowance, 1e-12);
    assert_true(isnan(fr_held_out_error(&of, 128, 2, 16)));
}

/* Nine errors and more are taken as they are: a further one exceeds them with probability 0.1. */
TEST(many_steps_need_no_allowance)
{
    struct fr_held_out_step step[12];
    struct fr_held_out of = { .step = step };

    for (int i = 0; i < 12; i++)
        step[i] = (struct fr_held_out_step){ ldexp(1, i), ldexp(2, i), 0.25, 1 };
    for (of.steps = 2; of.steps <= 12; of.steps++)
        assert_close(
            fr_held_out_error(&of, 8192, 1, 4096),
            of.steps < 9 ? 0.25 * pow(10.0 / (double)(of.steps + 1), 1.0 / (double)of.steps) : 0.25,
            1e-12);
}

TEST(a_direction_without_checks_is_unknown)
{
    struct fr_held_out above = checks;

    above.steps--;
    assert_true(isnan(fr_held_out_error(&checks, 1, 4, 64))); /* only 64 to 16 */
    assert_true(isnan(fr_held_out_error(&above, 1, 4, 64)));
    assert_true(isnan(fr_held_out_error(&checks, 32, 4, 64)));
    assert_true(isnan(fr_held_out_error(NULL, 256, 4, 64)));
}

/* A halo exchange of one dimension: messages of 8 bytes take 2 s, further ones what is measured. */
#define NETWORK(rows)                                                     \
    "{'schema':'forerun-calibration-1','machine':'m',"                    \
    "'network':{'protocols':[{'name':'all','max_message_bytes':null,"     \
    "'off_node':{'latency_s':1,'inverse_bandwidth_s_per_byte':0.125}}]}," \
    "'contention':{'message_bytes':8,'burst':[" rows "]}}"
#define BURST(processes, gap) "{'processes':" processes ",'message_bytes':8,'gap_s':" gap "}"

struct answer {
    struct fr_prediction prediction;
    struct fr_extrapolation extrapolation;
    const struct fr_calibration *cal;
};

static struct answer answered(void **state, const char *document, const char *query)
{
    struct answer out = { .cal = calibration_of(document, *state) };
    void *values;
    const struct fr_model *model = resolved("halo_exchange", query, out.cal, *state, &values);

    out.prediction = predicted_of(model, values, out.cal, *state);
    out.extrapolation = fr_extrapolation_find(model, values, out.cal, *state, &out.prediction);
    return out;
}

static const struct fr_warning *extrapolated(const struct answer *answer)
{
    for (size_t i = 0; i < answer->prediction.warning_count; i++)
        if (answer->prediction.warning[i].code == FR_WARN_EXTRAPOLATED)
            return &answer->prediction.warning[i];
    return NULL;
}

#define ASK(nodes)                                                      \
    "dimensions=1&nodes=" nodes "&processes_per_node=1&message_bytes=8" \
    "&contention_model=refined"

ARENA_TEST(the_time_errs_by_its_share_of_the_expected_error)
{
    /* The ratio doubles from 2 to 4 and from 4 to 8 processes: for 16 it is expected to be wrong by
     * a factor of 2 to the power of (10 / 3)^(1/2). */
    const double factor = exp2(sqrt(10.0 / 3));
    const struct answer of = answered(
        state, NETWORK(BURST("2", "2") "," BURST("4", "4") "," BURST("8", "8")), ASK("16"));
    const double time_s = of.prediction.time_s;
    const struct fr_warning *table = extrapolated(&of);
    char text[600];

    assert_true(of.extrapolation.is_present);
    assert_close(of.extrapolation.measured_processes, 8, 0);
    assert_close(of.extrapolation.processes, 16, 0);
    assert_non_null(table);
    assert_close(table->expected_error_fraction, factor - 1, 1e-12);
    assert_true(table->share_fraction > 0 && table->share_fraction < 1);
    assert_close(of.extrapolation.high_s, time_s * (1 + (factor - 1) * table->share_fraction),
                 1e-5);
    assert_close(of.extrapolation.low_s, time_s * (1 - (1 - 1 / factor) * table->share_fraction),
                 1e-5);
    assert_close(of.extrapolation.expected_error_fraction, of.extrapolation.high_s / time_s - 1,
                 1e-12);
    fr_warning_print(table, &of.prediction, of.cal, text, sizeof text);
    assert_true((factor - 1) * table->share_fraction > 1);
    assert_non_null(strstr(text, "; the time may be wrong several times over"));
    fr_extrapolation_print(&of.extrapolation, text, sizeof text);
    assert_non_null(strstr(text, "network measured on 8 of 16 processes: expect errors of "));
}

ARENA_TEST(two_process_counts_tell_too_little)
{
    const struct answer of =
        answered(state, NETWORK(BURST("2", "2") "," BURST("4", "4")), ASK("8"));
    char text[600];

    assert_true(of.extrapolation.is_present);
    assert_close(of.extrapolation.measured_processes, 4, 0);
    assert_true(isnan(of.extrapolation.expected_error_fraction));
    assert_true(isnan(of.extrapolation.low_s) && isnan(of.extrapolation.high_s));
    assert_true(isnan(extrapolated(&of)->expected_error_fraction));
    fr_extrapolation_print(&of.extrapolation, text, sizeof text);
    assert_non_null(strstr(text, "how wrong the time may be is unknown"));
}

ARENA_TEST(nothing_is_expected_within_the_measurements)
{
    const struct answer of =
        answered(state, NETWORK(BURST("2", "2") "," BURST("4", "4")), ASK("4"));

    assert_false(of.extrapolation.is_present);
    assert_true(isnan(of.extrapolation.expected_error_fraction));
}

/* Independent errors: ln of the half widths 3 and 4 make 5, around the same middle. */
TEST(an_interval_is_widened_by_the_square_of_the_error)
{
    struct fr_outlook outlook = { .has_interval = true,
                                  .interval = { .low_s = exp(-2), .high_s = exp(4) },
                                  .quantile_s = NAN };

    fr_outlook_widen(&outlook, exp(3), NAN);
    assert_close(outlook.interval.low_s, exp(-2), 0);
    fr_outlook_widen(&outlook, exp(3), expm1(4));
    assert_close(outlook.interval.low_s, exp(1 - 5), 1e-12);
    assert_close(outlook.interval.high_s, exp(1 + 5), 1e-12);
    assert_true(isnan(outlook.quantile_s));
}

/* A quantile at the upper end of the interval stays there. */
TEST(a_quantile_moves_with_the_interval)
{
    struct fr_outlook outlook = { .has_interval = true,
                                  .interval = { .low_s = exp(-2), .high_s = exp(4) },
                                  .quantile_s = exp(4) };

    fr_outlook_widen(&outlook, exp(3), NAN);
    assert_close(outlook.quantile_s, exp(4), 0);
    assert_false(outlook.is_widened);
    fr_outlook_widen(&outlook, exp(3), expm1(4));
    assert_close(outlook.quantile_s, outlook.interval.high_s, 1e-12);
    assert_true(outlook.is_widened);
    outlook.interval = (struct fr_interval){ .low_s = exp(-2), .high_s = exp(4) };
    outlook.quantile_s = exp(0.5); /* faster than the middle, 1 */
    fr_outlook_widen(&outlook, exp(3), expm1(4));
    assert_close(outlook.quantile_s, exp(0.5 + 4), 1e-12);
}

/* Without an interval the time is the middle: ln of the margin 3 and of the error 4 make 5. */
TEST(a_margin_is_never_below_the_expected_error)
{
    struct fr_outlook outlook = { .quantile_s = 7 * exp(3) };

    fr_outlook_widen(&outlook, 7, expm1(4));
    assert_close(outlook.quantile_s, 7 * exp(5), 1e-12);
    assert_false(outlook.has_interval);
    outlook.quantile_s = 7; /* a margin of 0 % */
    fr_outlook_widen(&outlook, 7, expm1(4));
    assert_close(outlook.quantile_s, 7 * exp(4), 1e-12);
}
