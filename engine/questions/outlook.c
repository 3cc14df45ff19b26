/* Intervals and quantiles of measured times, from the errors of past predictions or a margin. */
#include "engine/core/fault.h"
#include "engine/questions/answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const struct fr_param fr_outlook_params[] = {
    FR_REAL(
        struct fr_outlook_asked, quantile, .unit = "1", .min = 0.5, .max = 0.99,
        .flags = FR_AUTOMATIC,
        .doc =
            "Asks for `time_quantile_s`, the time that this share of runs keeps, and `wall_time`, "
            "the same as HH:MM:SS rounded up to a whole minute. Residuals of comparable runs give "
            "it (one-sided split conformal prediction) if there are at least ten, and quantile / "
            "(1 - quantile): 19 for 0.95, 99 for 0.99. Otherwise the predicted time and "
            "`margin_percent` do. `deadline_s` of a recommendation is compared with it."),
    FR_REAL(struct fr_outlook_asked, margin_percent, .unit = "%", .min = 0, .max = 10000,
            .flags = FR_AUTOMATIC,
            .doc = "The margin for `quantile` where too few runs are comparable. Not given, 25 is "
                   "assumed, with the warning `margin_assumed`."),
    FR_PARAMS_END,
};

int fr_outlook_check(const struct fr_outlook_asked *asked, struct fr_faults *faults)
{
    if (isnan(asked->margin_percent) || !isnan(asked->quantile))
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "margin_percent",
                    "serves a quantile that too few runs are known for; give quantile=0.95, or "
                    "leave it out");
}

const char *fr_quantile_basis_name(enum fr_quantile_basis basis)
{
    static const char *const names[] = {
        [FR_QUANTILE_MODEL] = "residuals_of_runs_of_this_model",
        [FR_QUANTILE_SIZE_CLASS] = "residuals_of_runs_of_this_size",
        [FR_QUANTILE_LARGEST] = "largest_residual",
        [FR_QUANTILE_STATED] = "stated_margin",
        [FR_QUANTILE_ASSUMED] = "assumed_margin",
    };

    return names[basis];
}

/* Residuals, and the prediction that is comparable with those of the past. */
struct comparison {
    const struct fr_conformal *conformal; /* NULL: there are none */
    double predicted_s;
};

/* With fewer than `least` runs whose configuration was run before, an answer with saved runs is
 * compared by its estimate without them, as past estimates were. */
static struct comparison compare(const struct fr_errors *errors, double predicted_s,
                                 const struct fr_spread *spread, size_t least)
{
    if (errors && spread->is_transferred)
        return (struct comparison){ &errors->aided, predicted_s };
    if (!errors || !spread->runs)
        return (struct comparison){ errors ? &errors->unaided : NULL, predicted_s };
    if (errors->aided.all.count >= least || isnan(spread->unaided_s))
        return (struct comparison){ &errors->aided, predicted_s };
    return (struct comparison){ &errors->unaided, spread->unaided_s };
}

static void find_quantile(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                          double predicted_s, const struct fr_spread *spread,
                          struct fr_outlook *out)
{
    const bool is_stated = !isnan(asked->margin_percent);
    struct fr_time_limit limit = { .time_s = 0 };
    struct comparison past;
    double with_margin_s;

    out->needed = fr_conformal_least_runs(asked->quantile);
    past = compare(errors, predicted_s, spread, out->needed);
    if (past.conformal)
        fr_conformal_limit(past.conformal, past.predicted_s, asked->quantile, &limit);
    out->runs = limit.runs;
    out->margin_percent = is_stated ? asked->margin_percent : FR_USUAL_MARGIN_PERCENT;
    out->quantile_s = limit.time_s;
    out->basis = limit.basis == FR_BASIS_MODEL ? FR_QUANTILE_MODEL : FR_QUANTILE_SIZE_CLASS;
    if (limit.is_guaranteed)
        return;
    out->is_assumed = !is_stated;
    with_margin_s = predicted_s * (1 + out->margin_percent / 100);
    out->quantile_s = fmax(limit.time_s, with_margin_s);
    out->basis = limit.time_s > with_margin_s ? FR_QUANTILE_LARGEST
                 : is_stated                  ? FR_QUANTILE_STATED
                                              : FR_QUANTILE_ASSUMED;
}

/* The logarithm of a ratio with an error that has another cause; what is not above the middle moves
 * by the whole error. */
static double add_error(double ratio, double error)
{
    return ratio > 0 ? sqrt(ratio * ratio + error * error) : ratio + error;
}

/* Which processors the job gets, and how wrong the model was elsewhere, are independent. */
static bool find_before_runs(const struct fr_prediction *prediction, struct fr_interval *out)
{
    const double error = log1p(prediction->error_fraction);

    if (error == 0 || prediction->slowest_low == 0)
        return false;
    *out = (struct fr_interval){
        .low_s = prediction->time_s * exp(-add_error(-log(prediction->slowest_low), error)),
        .high_s = prediction->time_s * exp(add_error(log(prediction->slowest_high), error)),
        .coverage_fraction = FR_COVERAGE,
        .basis = FR_BASIS_VARIABILITY,
    };
    return true;
}

void fr_outlook_find(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                     const struct fr_prediction *prediction, const struct fr_spread *spread,
                     struct fr_outlook *out)
{
    const double predicted_s = prediction->time_s;
    const struct comparison past = compare(errors, predicted_s, spread, FR_LEAST_RUNS);

    *out = (struct fr_outlook){ .quantile_s = NAN };
    out->has_interval = past.conformal &&
                        (fr_conformal_interval(past.conformal, past.predicted_s, &out->interval) ||
                         (spread->is_transferred &&
                          fr_conformal_range(past.conformal, past.predicted_s, &out->interval)));
    if (!out->has_interval)
        out->has_interval = find_before_runs(prediction, &out->interval);
    if (!isnan(asked->quantile))
        find_quantile(asked, errors, predicted_s, spread, out);
}

void fr_outlook_widen(struct fr_outlook *outlook, double predicted_s,
                      double expected_error_fraction)
{
    struct fr_interval *interval = &outlook->interval;
    const double error = fabs(log1p(expected_error_fraction));
    double middle = log(predicted_s), half;

    if (isnan(error) || error == 0)
        return;
    if (outlook->has_interval) {
        middle = (log(interval->low_s) + log(interval->high_s)) / 2;
        half = add_error((log(interval->high_s) - log(interval->low_s)) / 2, error);
        interval->low_s = exp(middle - half);
        interval->high_s = exp(middle + half);
    }
    if (isnan(outlook->quantile_s))
        return;
    outlook->quantile_s = exp(middle + add_error(log(outlook->quantile_s) - middle, error));
    outlook->is_widened = true;
}

void fr_outlook_foresee(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                        const struct fr_model *model, const void *values,
                        const struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_prediction *prediction, const struct fr_spread *spread,
                        struct fr_outlook *out)
{
    struct fr_extrapolation extrapolation;

    fr_outlook_find(asked, errors, prediction, spread, out);
    if ((!out->has_interval && isnan(out->quantile_s)) || spread->runs)
        return;
    extrapolation = fr_extrapolation_find(model, values, cal, arena, prediction);
    fr_outlook_widen(out, prediction->time_s, extrapolation.expected_error_fraction);
}

void fr_outlook_print_basis(const struct fr_outlook *outlook, const struct fr_outlook_asked *asked,
                            char *out, size_t size)
{
    const char *more = outlook->is_widened ? ", extrapolated" : "";

    switch (outlook->basis) {
    case FR_QUANTILE_MODEL:
    case FR_QUANTILE_SIZE_CLASS:
        snprintf(out, size, "in %.6g of 100 runs%s", 100 * asked->quantile, more);
        break;
    case FR_QUANTILE_LARGEST:
        snprintf(out, size, "with the largest error of %zu runs%s", outlook->runs, more);
        break;
    case FR_QUANTILE_STATED:
        snprintf(out, size, "with a margin of %.6g %%%s", outlook->margin_percent, more);
        break;
    case FR_QUANTILE_ASSUMED:
        snprintf(out, size, "with an assumed margin of %.6g %%%s", outlook->margin_percent, more);
        break;
    }
}

void fr_outlook_warn(const struct fr_outlook *outlook, struct fr_prediction *prediction)
{
    if (outlook->is_assumed)
        fr_warn(prediction, FR_WARN_MARGIN, NULL, outlook->margin_percent, (double)outlook->runs,
                (double)outlook->needed);
}

void fr_wall_time_print(double time_s, char out[FR_WALL_TIME_BYTES])
{
    const double rounding = 1e-9; /* 3600 * 1.1 is slightly more than 3960 */
    const int64_t minutes = (int64_t)fmin(fmax(1, ceil(time_s / 60 * (1 - rounding))), 1e18);

    snprintf(out, FR_WALL_TIME_BYTES, "%02" PRId64 ":%02" PRId64 ":00", minutes / 60, minutes % 60);
}
