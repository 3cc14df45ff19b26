/* Errors of predictions of saved runs: their summary, intervals from them, and drift. */
#ifndef FR_RUNS_ACCURACY_H
#define FR_RUNS_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Errors of past predictions (docs/saved_runs.md#accuracy-of-past-predictions). */

struct fr_arena;

/* A measurement and its prediction, in the same unit.  `problem` is equal for runs that differ only
 * in tunable parameters, `configuration` for repetitions. */
struct fr_residual {
    double measured, predicted;
    uint64_t problem, configuration;
};

/* log(measured / predicted); NaN unless both are positive and finite. */
double fr_log_ratio(const struct fr_residual *residual);
/* Predicted minus measured percent of the peak, of times; `at_peak` is the time of the same work at
 * the full peak, NaN if it is not known. */
double fr_percent_points(double predicted, double measured, double at_peak);

/* Errors are |predicted - measured| / measured, the bias is the mean of the signed errors
 * (docs/saved_runs.md#accuracy-of-past-predictions).  Measurements of 0 are left out.  Fractions
 * are NaN if nothing is left. */
struct fr_accuracy {
    size_t count; /* residuals with an error */
    double median_error_fraction, p90_error_fraction, worst_error_fraction, bias_fraction;
    double within_5_percent_fraction, within_10_percent_fraction;
    double within_20_percent_fraction, within_30_percent_fraction;
    /* Of |fr_percent_points|; NaN without fr_accuracy_add_points. */
    double median_error_percent_points, worst_error_percent_points;
    /* Over problems with several configurations: pairs in the right order (a tie in the predictions
     * counts half), problems whose best configuration was predicted, and by which fraction the
     * predicted best was slower than the true one (the mean over ties).  Repetitions count once, by
     * their median. */
    size_t problems, pairs;
    double pairs_right_fraction, best_right_fraction;
    double median_regret_fraction, worst_regret_fraction;
};
/* FR_OK, or FR_NOMEM; `arena` holds scratch. */
int fr_accuracy(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                struct fr_accuracy *out);
/* Adds the points of the residuals, NaN where they are not known; sorts them. */
void fr_accuracy_add_points(double *points, size_t count, struct fr_accuracy *accuracy);
/* Writes the indices of the largest errors, largest first, at most `most`; returns their number. */
size_t fr_worst_residuals(const struct fr_residual *residual, size_t count, size_t *worst,
                          size_t most);

/* Prediction intervals from residuals: split conformal prediction. */

/* The fewest runs that give an interval. */
enum { FR_LEAST_RUNS = 10, FR_LEAST_TRANSFERRED = 3 };

enum fr_interval_basis {
    FR_BASIS_MODEL,
    FR_BASIS_SIZE_CLASS,
    FR_BASIS_TRANSFER,
    FR_BASIS_VARIABILITY, /* of processors, and the error of the model elsewhere; no runs */
};
struct fr_interval {
    double low_s, high_s, coverage_fraction;
    size_t runs; /* whose residuals it uses */
    enum fr_interval_basis basis;
};
/* The name in answers; static. */
const char *fr_interval_basis_name(enum fr_interval_basis basis);

/* Residuals prepared for split conformal prediction (docs/saved_runs.md#prediction-intervals).  A
 * residual is log(measured / predicted); the classes are decades of the predicted time.  Runs with
 * a time of 0, measured or predicted, are left out.  Immutable; the arrays belong to the arena. */
struct fr_conformal_class {
    int decade;
    size_t count;
    const double *ratio; /* log(measured / predicted), ascending */
};
struct fr_conformal {
    struct fr_conformal_class all;
    const struct fr_conformal_class *decade;
    size_t decades;
};
/* FR_OK, or FR_NOMEM. */
int fr_conformal_prepare(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                         struct fr_conformal *out);
/* The interval of a prediction in seconds; false with fewer than FR_LEAST_RUNS. */
bool fr_conformal_interval(const struct fr_conformal *conformal, double predicted_s,
                           struct fr_interval *out);
/* The same from FR_LEAST_TRANSFERRED runs on, by the smallest and the largest ratio
 * (docs/saved_runs.md#prediction-intervals); false with fewer, or with enough for
 * fr_conformal_interval. */
bool fr_conformal_range(const struct fr_conformal *conformal, double predicted_s,
                        struct fr_interval *out);
/* A time that a share of new runs does not exceed: split conformal prediction with one side
 * (docs/saved_runs.md#quantiles-of-the-measured-time). */
struct fr_time_limit {
    double time_s;
    size_t runs; /* whose residuals it uses */
    enum fr_interval_basis basis;
    bool is_guaranteed; /* the runs suffice for the share; otherwise it is their largest ratio */
};
/* The fewest runs whose largest ratio covers `share` (0 to 1) of new runs, and FR_LEAST_RUNS. */
size_t fr_conformal_least_runs(double share);
/* False, and *out is unchanged, without any runs. */
bool fr_conformal_limit(const struct fr_conformal *conformal, double predicted_s, double share,
                        struct fr_time_limit *out);

/* Residuals of predictions made without and with the measurements of saved runs; the latter of
 * models that read runs. */
struct fr_errors {
    struct fr_conformal unaided, aided;
};
/* Of runs in the order of time: the share that fell into the interval of all runs before them.
 * *tested is the number of runs with an interval.  NaN if there are none. */
double fr_conformal_coverage(const struct fr_residual *residual, size_t count,
                             struct fr_arena *arena, size_t *tested);

/* Drift: a lasting change of the errors of predictions (docs/saved_runs.md#drift). */

/* Runs that lie outside the interval of all others before them, and after, on one side. */
struct fr_drift {
    size_t since, last;   /* indexes of the first and the last of them */
    size_t runs, outside; /* between, and how many of them lie outside */
    size_t other_runs;
    /* Median of measured / predicted of the others and of these, and the second relative to the
     * first. */
    double other_ratio, ratio, slowdown;
};
/* Of the newest runs: an exact exceedance test with a Bonferroni correction raises a false alarm in
 * at most 1 of 200 steady series; a cumulative sum dates the change.  Reads the newest 2,000 runs
 * in the order of time; false: no drift, or out of memory. */
bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out);
/* Stretches that have passed, by the same test over all stretches; in the order of time.  All are
 * predicted with one calibration: another one is no change of the machine.  `started_s` are the
 * times of the runs, in seconds.  The number found; 0 too: out of memory. */
enum { FR_MOST_PASSED = 4 };
size_t fr_past_drifts_find(const struct fr_residual *residual, const double *started_s,
                           size_t count, struct fr_arena *arena,
                           struct fr_drift out[FR_MOST_PASSED]);

#endif
