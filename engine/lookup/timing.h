/* Measured times of whole communication patterns, as ratios to what an equation says of them.
 *
 * Ratios vary slowly where times jump (between protocols), so ratios are interpolated: linear in
 * log2 of the bytes, then of the distance, then of the process count, constant outside
 * (dense-distributed.md 14.3, krylov.md 12).  Private to the engine.
 */
#ifndef FR_TIMING_H
#define FR_TIMING_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/prediction/prediction.h"

/* Sorts the three tables of a document; rows that no grid of processes fits are left out. */
void fr_timings_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults);
/* Whether only processes at the same place of the layers communicate. */
bool fr_pattern_is_through_layers(enum fr_pattern_kind pattern);
/* Of contention.patterns the rows of one pattern and count of layers. O(log rows). */
struct fr_timings fr_timings_of(const struct fr_calibration *cal, enum fr_pattern_kind pattern,
                                int64_t layers);

/* What is looked up, and what it warns of where that lies outside. */
struct fr_timing_question {
    struct fr_evaluation *run;
    struct fr_timings rows; /* at least one */
    double at[FR_TIMING_KEYS];
    const char *const *what; /* FR_TIMING_KEYS names */
    double (*ratio)(const void *context, const struct fr_timing *row);
    const void *context;
};
/* The run with the calibration that the times were measured with: where a what-if changes messages,
 * it changes patterns alike. */
struct fr_evaluation fr_timing_run(const struct fr_evaluation *run);
double fr_timing_ratio(const struct fr_timing_question *question);

#endif
