/* Intervals and quantiles of measured times: from runs, from a margin, and for answers with runs.
 */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/question.h"

enum { MOST = 40 };
static const struct fr_spread no_runs = { .runs = 0 };
static const struct fr_outlook_asked nothing = { .quantile = NAN, .margin_percent = NAN };
static const struct fr_outlook_asked in_95 = { .quantile = 0.95, .margin_percent = NAN };
static const struct fr_outlook_asked in_95_or_10_percent = { .quantile = 0.95,
                                                             .margin_percent = 10 };

/* `count` runs that took 1.01, 1.02, ... of `predicted`, times `factor`. */
static struct fr_conformal past(void **state, size_t count, double predicted, double factor)
{
    struct fr_residual residual[MOST];
    struct fr_conformal conformal;

    for (size_t i = 0; i < count; i++)
        residual[i] =
            (struct fr_residual){ predicted * factor * (1.01 + 0.01 * (double)i), predicted, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, count, *state, &conformal), FR_OK);
    return conformal;
}

static struct fr_outlook found(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                               double predicted_s, const struct fr_spread *spread)
{
    const struct fr_prediction prediction = { .time_s = predicted_s };
    struct fr_outlook outlook;

    fr_outlook_find(asked, errors, &prediction, spread, &outlook);
    return outlook;
}

TEST(without_a_quantile_there_is_an_interval_alone)
{
    const struct fr_errors errors = { .unaided = past(state, 19, 2, 1) };
    const struct fr_outlook outlook = found(&nothing, &errors, 2, &no_runs);

    assert_true(outlook.has_interval);
    assert_close(outlook.interval.high_s, 2 * 1.18, 1e-12); /* the eighteenth of 19 */
    assert_true(isnan(outlook.quantile_s));
    assert_false(found(&nothing, NULL, 2, &no_runs).has_interval);
}

/* e = ln 1.1 and ln 1.05 in quadrature above, ln 1.1 and ln 0.98 below; runs replace both. */
TEST(processors_and_the_error_of_the_model_give_an_interval)
{
    const struct fr_prediction prediction = {
        .time_s = 2, .slowest_low = 0.98, .slowest_high = 1.05, .error_fraction = 0.1
    };
    const struct fr_prediction unknown = { .time_s = 2, .slowest_low = 0.98, .slowest_high = 1.05 };
    const struct fr_prediction alike = { .time_s = 2, .error_fraction = 0.1 };
    const struct fr_errors errors = { .unaided = past(state, 19, 2, 1) };
    struct fr_outlook outlook;

    fr_outlook_find(&nothing, NULL, &prediction, &no_runs, &outlook);
    assert_true(outlook.has_interval);
    assert_close(outlook.interval.low_s, 2 * exp(-0.09742782), 1e-7);
    assert_close(outlook.interval.high_s, 2 * exp(0.10707245), 1e-7);
    assert_int_equal(outlook.interval.basis, FR_BASIS_VARIABILITY);
    assert_int_equal(outlook.interval.runs, 0);
    fr_outlook_find(&nothing, &errors, &prediction, &no_runs, &outlook);
    assert_int_equal(outlook.interval.basis, FR_BASIS_MODEL);
    fr_outlook_find(&nothing, NULL, &unknown, &no_runs, &outlook);
    assert_false(outlook.has_interval);
    fr_outlook_find(&nothing, NULL, &alike, &no_runs, &outlook);
    assert_false(outlook.has_interval);
}

TEST(enough_runs_give_the_quantile_and_no_margin)
{
    const struct fr_errors errors = { .unaided = past(state, 19, 2, 1) };
    const struct fr_outlook outlook = found(&in_95, &errors, 2, &no_runs);

    assert_close(outlook.quantile_s, 2 * 1.19, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_MODEL);
    assert_false(outlook.is_assumed);
    assert_close(found(&in_95_or_10_percent, &errors, 2, &no_runs).quantile_s, 2 * 1.19, 1e-12);
}

TEST(without_runs_a_margin_is_assumed_with_a_warning)
{
    const struct fr_outlook outlook = found(&in_95, NULL, 2, &no_runs);
    struct fr_prediction prediction;

    assert_close(outlook.quantile_s, 2.5, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_ASSUMED);
    fr_prediction_clear(&prediction);
    fr_outlook_warn(&outlook, &prediction);
    assert_int_equal(prediction.warning_count, 1);
    assert_int_equal(prediction.warning[0].code, FR_WARN_MARGIN);
    assert_close(prediction.warning[0].value, 25, 0);
    assert_close(prediction.warning[0].low, 0, 0);
    assert_close(prediction.warning[0].high, 19, 0);
}

TEST(a_stated_margin_is_no_assumption)
{
    const struct fr_outlook outlook = found(&in_95_or_10_percent, NULL, 2, &no_runs);
    struct fr_prediction prediction;

    assert_close(outlook.quantile_s, 2.2, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_STATED);
    fr_prediction_clear(&prediction);
    fr_outlook_warn(&outlook, &prediction);
    assert_int_equal(prediction.warning_count, 0);
}

/* A margin below what the few runs took is known to be too small. */
TEST(too_few_runs_raise_a_margin_that_they_exceed)
{
    const struct fr_errors slow = { .unaided = past(state, 5, 2, 1.5) };
    const struct fr_errors fast = { .unaided = past(state, 18, 2, 1) };
    struct fr_outlook outlook = found(&in_95, &slow, 2, &no_runs);

    assert_false(outlook.has_interval);
    assert_close(outlook.quantile_s, 2 * 1.5 * 1.05, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_LARGEST);
    assert_true(outlook.is_assumed);
    assert_int_equal(outlook.runs, 5);
    outlook = found(&in_95, &fast, 2, &no_runs);
    assert_true(outlook.has_interval);
    assert_close(outlook.quantile_s, 2.5, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_ASSUMED);
    outlook = found(&in_95_or_10_percent, &fast, 2, &no_runs);
    assert_close(outlook.quantile_s, 2 * 1.18, 1e-12);
    assert_int_equal(outlook.basis, FR_QUANTILE_LARGEST);
    assert_false(outlook.is_assumed);
}

/* An answer from saved runs, where no configuration was run twice: the estimate without them is
 * compared with past estimates. */
TEST(an_answer_with_runs_falls_back_to_the_estimate_without_them)
{
    const struct fr_spread spread = { .runs = 1, .unaided_s = 4 };
    const struct fr_spread impossible = { .runs = 1, .unaided_s = NAN };
    const struct fr_errors first_runs = { .unaided = past(state, 19, 4, 0.5),
                                          .aided = past(state, 0, 2, 1) };
    const struct fr_errors repeated = { .unaided = past(state, 19, 4, 0.5),
                                        .aided = past(state, 12, 2, 1) };
    struct fr_outlook outlook = found(&in_95, &first_runs, 2, &spread);

    assert_true(outlook.has_interval);
    assert_int_equal(outlook.interval.runs, 19);
    assert_close(outlook.quantile_s, 4 * 0.5 * 1.19, 1e-12);
    assert_false(found(&in_95, &first_runs, 2, &impossible).has_interval);
    outlook = found(&in_95, &repeated, 2, &spread);
    assert_int_equal(outlook.interval.runs, 12); /* enough for the interval */
    assert_close(outlook.interval.high_s, 2 * 1.12, 1e-12);
    assert_close(outlook.quantile_s, 4 * 0.5 * 1.19, 1e-12); /* but not for the quantile */
}

TEST(a_margin_alone_is_refused)
{
    const struct fr_outlook_asked margin = { .quantile = NAN, .margin_percent = 50 };
    struct fr_faults faults;

    faults.count = 0;
    assert_int_equal(fr_outlook_check(&nothing, &faults), FR_OK);
    assert_int_equal(fr_outlook_check(&in_95_or_10_percent, &faults), FR_OK);
    assert_int_equal(fr_outlook_check(&margin, &faults), FR_RELATION);
    assert_fault(&faults, FR_RELATION, "margin_percent", "quantile=0.95");
}

TEST(the_basis_of_a_quantile_is_worded)
{
    static const struct {
        struct fr_outlook outlook;
        const char *words;
    } cases[] = {
        { { .basis = FR_QUANTILE_MODEL }, "in 95 of 100 runs" },
        { { .basis = FR_QUANTILE_SIZE_CLASS }, "in 95 of 100 runs" },
        { { .basis = FR_QUANTILE_LARGEST, .runs = 7 }, "with the largest error of 7 runs" },
        { { .basis = FR_QUANTILE_STATED, .margin_percent = 40 }, "with a margin of 40 %" },
        { { .basis = FR_QUANTILE_ASSUMED, .margin_percent = 25 },
          "with an assumed margin of 25 %" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[64];

        fr_outlook_print_basis(&cases[i].outlook, &in_95, words, sizeof words);
        assert_string_equal(words, cases[i].words);
    }
}

TEST(a_wall_time_is_rounded_up_to_a_minute)
{
    static const struct {
        double time_s;
        const char *text;
    } cases[] = {
        { 0, "00:01:00" },       { 1e-6, "00:01:00" },       { 60, "00:01:00" },
        { 60.001, "00:02:00" },  { 3600 * 1.1, "01:06:00" }, { 3599, "01:00:00" },
        { 360000, "100:00:00" }, { 86400 + 61, "24:02:00" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FR_WALL_TIME_BYTES];

        fr_wall_time_print(cases[i].time_s, text);
        assert_string_equal(text, cases[i].text);
    }
}

GROUP(arena_begin, arena_end)
