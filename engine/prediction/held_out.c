/* Errors of look-ups beyond measured values. */
#include "engine/prediction/prediction.h"

#include <math.h>
#include <string.h>

static double doublings(double from, double to)
{
    return log2(fmax(1, to) / fmax(1, from));
}

const struct fr_held_out *fr_held_out_of(const struct fr_held_outs *all, const char *what)
{
    for (size_t i = 0; all && i < all->count; i++)
        if (strcmp(all->of[i].what, what) == 0)
            return &all->of[i];
    return NULL;
}

/* One error does not tell how much errors differ. */
enum { LEAST_STEPS = 2 };

/* The step to this value whose gap is nearest to `beyond`, in ratio. */
static const struct fr_held_out_step *nearest(const struct fr_held_out *of, double to,
                                              double beyond)
{
    const struct fr_held_out_step *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < of->steps; i++) {
        if (of->step[i].to != to)
            continue;
        const double gap = doublings(of->step[i].from, to) / beyond;

        if (gap <= 0 || fabs(log(gap)) >= least)
            continue;
        least = fabs(log(gap));
        best = &of->step[i];
    }
    return best;
}

/* The factor on the largest of `count` errors that a further one exceeds with probability 0.1, if
 * errors are uniform up to a limit: it exceeds c times the largest with c^-count / (count + 1). */
static double allowance(double count)
{
    return fmax(1, pow(10 / (count + 1), 1 / count));
}

/* The logarithm of a factor of 10^6: a table that is wrong by more says nothing outside itself. */
static const double most_error = 13.815510557964274;

double fr_held_out_error(const struct fr_held_out *of, double value, double low, double high)
{
    const double beyond = value > high  ? doublings(high, value)
                          : value < low ? doublings(low, value)
                                        : 0;
    double worst = NAN;
    int count = 0;

    for (size_t i = 0; of && beyond != 0 && i < of->steps; i++) {
        const struct fr_held_out_step *step = &of->step[i];
        const double gap = doublings(step->from, step->to);

        if (!(gap / beyond > 0) || nearest(of, step->to, beyond) != step)
            continue;
        worst = fmax(worst, step->error * sqrt(beyond / gap));
        count++;
    }
    if (count < LEAST_STEPS || !(worst * allowance(count) <= most_error))
        return NAN;
    return worst * allowance(count);
}
