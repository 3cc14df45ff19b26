/* Measured times of whole communication patterns, as ratios to the times of an equation.
 *
 * Times jump where the protocol changes; the ratios vary slowly.  So ratios are interpolated:
 * linear in log2 of the bytes, then of the distance, then of the process count, constant outside
 * (docs/models/dense.md#interpolation-of-measured-patterns,
 * docs/models/krylov.md#measured-ratios).  Private to the engine.
 */
#ifndef FR_TIMING_H
#define FR_TIMING_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/prediction/prediction.h"

/* Fills cal->patterns, exchange, fold and burst from the tables of `contention`, sorted, in the
 * arena. Rows of patterns whose processes form no square layers are left out.  Adds a fault
 * FR_NOMEM if the arena is full. */
void fr_timings_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults);
/* Whether processes communicate only with those at the same place of other layers. */
bool fr_pattern_crosses_layers(enum fr_pattern_kind pattern);
/* The rows of cal->patterns with this pattern and number of layers, possibly none; borrowed.
 * O(log rows). */
struct fr_timings fr_timings_of(const struct fr_calibration *cal, enum fr_pattern_kind pattern,
                                int64_t layers);

/* A lookup of a ratio. */
struct fr_timing_question {
    struct fr_evaluation *run;
    struct fr_timings rows; /* at least one */
    double at[FR_TIMING_KEYS];
    const char *const *what; /* names of the keys in warnings, FR_TIMING_KEYS of them */
    /* The measured time of a row over that of the equation. */
    double (*ratio)(const void *context, const struct fr_timing *row);
    const void *context;
};
/* The evaluation with the calibration as it was measured.  Ratios are computed with it, so a
 * what-if that changes messages changes patterns in the same proportion. */
struct fr_evaluation fr_timing_run(const struct fr_evaluation *run);
/* The interpolated ratio; warns where the question lies outside the rows. */
double fr_timing_ratio(const struct fr_timing_question *question);

#endif
