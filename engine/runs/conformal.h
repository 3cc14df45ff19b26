/* Prediction intervals from residuals: split conformal prediction. */
#ifndef FR_RUNS_CONFORMAL_H
#define FR_RUNS_CONFORMAL_H

#include "engine/runs/accuracy.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
