/* Statistics of times: quantiles and boxes, how far predictions lay from what was measured, and
 * what that says of the next one.  Part of forerun.h.
 */
#ifndef FR_STATISTICS_H
#define FR_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_arena;

/* Of ascending values: position (count - 1) q, linear between neighbours (krylov.md 2.3). */
double fr_quantile(const double *sorted, size_t count, double q);

/* Tukey's box: whiskers are the furthest values within 1.5 interquartile ranges of the box
 * (krylov.md D1). */
struct fr_box_statistics {
    double minimum, lower_whisker, first_quartile, median, third_quartile, upper_whisker, maximum;
    size_t outliers, count;
};
/* Of ascending values, at least one. */
void fr_box_statistics(const double *sorted, size_t count, struct fr_box_statistics *out);

/* One run beside its prediction, in the same unit.  `problem` is the same for runs that differ in
 * their tunables alone, `configuration` for repetitions. */
struct fr_residual {
    double measured, predicted;
    uint64_t problem, configuration;
};

/* Errors are |predicted - measured| / measured, the bias is the mean of that without the bars. What
 * was measured as 0 (no message was sent) has none, and is left out of all that follows.  Fractions
 * are NaN where nothing was to be judged. */
struct fr_accuracy {
    size_t count; /* judged */
    double median_error_fraction, p90_error_fraction, worst_error_fraction, bias_fraction;
    double within_5_percent_fraction, within_10_percent_fraction;
    double within_20_percent_fraction, within_30_percent_fraction;
    /* Over problems that were run in several configurations: pairs of them in the right order (a
     * tie in the predictions counts half), problems whose best was predicted, and how much slower
     * the predicted best was than the true one (where several tie for it, the mean over them).
     * Repetitions count once, by their median. */
    size_t problems, pairs;
    double pairs_right_fraction, best_right_fraction;
    double median_regret_fraction, worst_regret_fraction;
};
/* FR_OK, or FR_NOMEM. */
int fr_accuracy(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                struct fr_accuracy *out);
/* Places of the largest errors, largest first, at most `most`; returns how many. */
size_t fr_worst_residuals(const struct fr_residual *residual, size_t count, size_t *worst,
                          size_t most);

/* The nominal coverage of intervals, and the fewest runs that make one. */
#define FR_COVERAGE 0.9
enum { FR_LEAST_RUNS = 10 };

enum fr_interval_basis { FR_BASIS_MODEL, FR_BASIS_SIZE_CLASS };
struct fr_interval {
    double low_s, high_s, coverage_fraction;
    size_t runs; /* that it rests on */
    enum fr_interval_basis basis;
};
const char *fr_interval_basis_name(enum fr_interval_basis basis);

/* Residuals ready for split conformal prediction (Lei, G'Sell, Rinaldo, Tibshirani, Wasserman:
 * Distribution-Free Predictive Inference for Regression, section 2.2), with the logarithm of
 * measured / predicted as the residual.  Size classes are decades of the predicted time: a class
 * with enough runs of its own speaks for itself, which keeps the guarantee (the class is a function
 * of the prediction: Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, Mondrian
 * conformal predictors).
 * The guarantee is at least FR_COVERAGE, and 10 to 18 runs keep more of it, up to 95 %, as ranks
 * are whole numbers.  Runs of time 0, measured or predicted, have no ratio and are left out.
 * Immutable; what it points to lives in the arena it was made in. */
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
/* False where there are fewer than FR_LEAST_RUNS: no width is made up. */
bool fr_conformal_interval(const struct fr_conformal *conformal, double predicted_s,
                           struct fr_interval *out);
/* The share of runs, in the order of time, that fell into the interval that fr_conformal_interval
 * makes of all runs before them; *tested is how many had one.  NaN where none had. */
double fr_conformal_coverage(const struct fr_residual *residual, size_t count,
                             struct fr_arena *arena, size_t *tested);

/* The newest runs leave the interval of those before, together and to one side: so many outside
 * that the exact exceedance (hypergeometric) test, corrected for the starts that are tried
 * (Bonferroni), explains it by chance in no more than 1 of 200 steady series.  Dated by a
 * cumulative sum (Page: Continuous Inspection Schemes), which also tells whether it has passed:
 * some five to ten runs that are as before end it. */
struct fr_drift {
    size_t since;         /* the first of them */
    size_t runs, outside; /* from there on, and how many of these lie outside */
    double slowdown;      /* their median measured / predicted, relative to that before */
};
/* Of runs in the order of time, of which the newest 2,000 are looked at; false: no drift. */
bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out);

#endif
