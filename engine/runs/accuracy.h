/* Errors of past predictions (docs/saved_runs.md#accuracy-of-past-predictions). */
#ifndef FR_RUNS_ACCURACY_H
#define FR_RUNS_ACCURACY_H

#include <stddef.h>
#include <stdint.h>

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

#endif
