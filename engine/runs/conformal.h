/* Prediction intervals from residuals: split conformal prediction. */
#ifndef FR_RUNS_CONFORMAL_H
#define FR_RUNS_CONFORMAL_H

#include "engine/runs/accuracy.h"

#include <stdbool.h>
#include <stddef.h>

/* The nominal coverage of intervals, and the fewest runs that give one. */
#define FR_COVERAGE 0.9
enum { FR_LEAST_RUNS = 10 };

enum fr_interval_basis { FR_BASIS_MODEL, FR_BASIS_SIZE_CLASS };
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
/* Of runs in the order of time: the share that fell into the interval of all runs before them.
 * *tested is the number of runs with an interval.  NaN if there are none. */
double fr_conformal_coverage(const struct fr_residual *residual, size_t count,
                             struct fr_arena *arena, size_t *tested);

#endif
