/* Drift: since when a machine is slower or faster than its saved runs were. */
#ifndef FR_RUNS_DRIFT_H
#define FR_RUNS_DRIFT_H

#include "engine/runs/accuracy.h"

#include <stdbool.h>
#include <stddef.h>

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
