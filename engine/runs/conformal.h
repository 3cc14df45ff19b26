/* Prediction intervals from residuals: split conformal prediction. */
#ifndef FR_RUNS_CONFORMAL_H
#define FR_RUNS_CONFORMAL_H

#include "engine/core/statistics.h"
#include "engine/runs/accuracy.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
