/* Drift: a lasting change of the errors of predictions (docs/saved_runs.md#drift). */
#ifndef FR_RUNS_DRIFT_H
#define FR_RUNS_DRIFT_H

#include "engine/runs/accuracy.h"

#include <stdbool.h>
#include <stddef.h>

/* The newest runs lie outside the interval of those before them, on one side: an exact exceedance
 * test with a Bonferroni correction raises a false alarm in at most 1 of 200 steady series; a
 * cumulative sum dates the change (docs/saved_runs.md#drift). */
struct fr_drift {
    size_t since;         /* index of the first of them */
    size_t runs, outside; /* since then, and how many of them lie outside */
    size_t earlier_runs;  /* before */
    /* Median of measured / predicted before and since, and the second relative to the first. */
    double earlier_ratio, ratio, slowdown;
};
/* Reads the newest 2,000 runs in the order of time; false: no drift, or out of memory. */
bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out);

#endif
