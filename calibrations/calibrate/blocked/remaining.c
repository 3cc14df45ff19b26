/* Estimates the remaining time of a refinement.  The share of the volume of sizes that is done says
 * little: the regions that are split again and again have the smallest sizes and the shortest
 * calls. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>

/* Regions along a step of the time double with each level, and their calls become shorter. */
static const double most_growth = 1.6;

void fr_remaining_take(struct fr_remaining *remaining, const struct blocked_kernel *kernel,
                       const struct blocked_sample *sample, size_t count, double batch_s)
{
    const size_t step = 1 + count / FR_REMAINING_POINTS;

    *remaining = (struct fr_remaining){ .kernel = *kernel, .batch_s = batch_s };
    for (size_t i = 0; i < count; i++) {
        remaining->sum_s += sample[i].time_s[BLOCKED_MED];
        if (i % step == 0)
            remaining->point[remaining->points++] = sample[i];
    }
}

static double distance(const struct blocked_sample *a, const struct blocked_sample *b,
                       size_t dimensions)
{
    double sum = 0;

    for (size_t d = 0; d < dimensions; d++)
        sum += fabs(log((double)a->at[d] / (double)b->at[d]));
    return sum;
}

static double point_s(const struct fr_remaining *remaining, const struct blocked_sample *planned)
{
    const struct blocked_sample *nearest = &remaining->point[0];
    double least = HUGE_VAL;

    for (size_t i = 0; i < remaining->points; i++) {
        const double here =
            distance(&remaining->point[i], planned, remaining->kernel.routine->sizes);

        if (here < least) {
            least = here;
            nearest = &remaining->point[i];
        }
    }
    return nearest->time_s[BLOCKED_MED] * blocked_flops(&remaining->kernel, planned->at) /
           blocked_flops(&remaining->kernel, nearest->at);
}

double fr_remaining_planned_s(const struct fr_remaining *remaining,
                              const struct blocked_sample *planned, size_t count)
{
    double sum_s = 0;

    if (!remaining->points || !(remaining->sum_s > 0))
        return 0;
    for (size_t i = 0; i < count; i++)
        sum_s += point_s(remaining, &planned[i]);
    return sum_s * remaining->batch_s / remaining->sum_s;
}

double fr_remaining_s(const struct fr_remaining *remaining, const struct blocked_progress *progress,
                      size_t most)
{
    const size_t count = progress->planned_count;
    const double next_s = fr_remaining_planned_s(remaining, progress->planned, count);
    const double growth = fmin(most_growth, next_s / fmax(remaining->batch_s, 1e-9));
    double all_s = 0, level_s = next_s;

    for (size_t level = 0; count && level <= progress->levels_after; level++) {
        all_s += level_s;
        level_s *= growth;
    }
    return most && count ? fmin(all_s, next_s * (double)most / (double)count) : all_s;
}
