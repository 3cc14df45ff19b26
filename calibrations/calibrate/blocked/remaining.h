/* The remaining time of a refinement, from the measured times and the points of the next batch. */
#ifndef FR_REMAINING_H
#define FR_REMAINING_H

#include "engine/blocked/modeler.h"

enum { FR_REMAINING_POINTS = 256 };

/* The last batch, thinned. */
struct fr_remaining {
    struct blocked_kernel kernel;
    struct blocked_sample point[FR_REMAINING_POINTS];
    size_t points;
    double batch_s; /* wall time of the batch */
    double sum_s;   /* of its median times, of all points */
};

/* Takes a batch that took `batch_s` seconds. */
void fr_remaining_take(struct fr_remaining *remaining, const struct blocked_kernel *kernel,
                       const struct blocked_sample *sample, size_t count, double batch_s);

/* Seconds that the planned points take: each has the rate of the nearest point of the last batch,
 * and the executions and overhead of that batch. */
double fr_remaining_planned_s(const struct fr_remaining *remaining,
                              const struct blocked_sample *planned, size_t count);

/* Seconds of the next batch and of those after it: each level is taken to grow or shrink as the
 * next one does, until no region can be split.  `most` is the number of samples that may still be
 * taken, 0: any. */
double fr_remaining_s(const struct fr_remaining *remaining, const struct blocked_progress *progress,
                      size_t most);

#endif
