/* Broadcasts in the steps of TRSM and Cholesky, from measured sequences of steps
 * (docs/models/dense.md#measured-steps-of-trsm-and-cholesky). */
#include "engine/dense/refined.h"

#include <math.h>

static double slowest_s(const struct dense *d, enum fr_pattern_kind pattern, double words)
{
    return refined_pattern(d, pattern, words, REFINED_MAXIMUM).time_s;
}

struct refined_steps refined_steps(const struct dense *d, enum fr_pattern_kind one,
                                   enum fr_pattern_kind four, double words, double once_s,
                                   double block_s)
{
    const double one_s = slowest_s(d, one, words);
    struct refined_steps steps = { .first = one_s / (once_s + block_s), .pace = 1 };

    if (refined_is_measured(d, four))
        steps.pace =
            fmax(0, slowest_s(d, four, words) - one_s) / ((REFINED_STEP_BLOCKS - 1) * block_s);
    return steps;
}

bool refined_has_factor_steps(const struct dense *d)
{
    return refined_is_measured(d, d->is_overlapped ? FR_FACTOR_STEPS_AHEAD : FR_FACTOR_STEPS);
}

struct refined_steps refined_factor_steps(const struct dense *d, double diagonal_s, double panel_s)
{
    const double share = (d->q - 1) / d->q; /* the last of q steps has no panel */

    return refined_steps(d, d->is_overlapped ? FR_FACTOR_STEPS_AHEAD : FR_FACTOR_STEPS,
                         d->is_overlapped ? FR_FACTOR_STEPS_AHEAD_FOUR : FR_FACTOR_STEPS_FOUR, d->w,
                         share * diagonal_s, share * panel_s);
}
