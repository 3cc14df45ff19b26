/* Contention factors C_avg and C_max between and beyond the measured distances and process counts
 * (docs/models/dense.md#messages-and-contention-factors). */
#include "engine/lookup/lookup.h"

#include <math.h>

double fr_contention_average(struct fr_evaluation *run, double distance)
{
    const struct fr_curve *curve = &run->cal->average;
    const double x = log2(distance);
    double weight = 1;

    run->out->used |= FR_USE(CONTENTION_AVERAGE);
    if (!fr_curve_covers(curve, x))
        weight =
            fr_extrapolate(run->out, "contention.average", distance,
                           round(exp2(fr_curve_low(curve))), round(exp2(fr_curve_high(curve))));
    return weight * fr_curve_at(curve, x);
}

/* A table of factors by process count and distance, and the names in its warnings. */
struct factors {
    const struct fr_curves *measured;
    const char *what_distance, *what_processes;
};

/* The weight of a factor at a distance that was not measured; 1 if one of the curves covers it. */
static double beyond(struct fr_evaluation *run, const struct factors *factors, double distance,
                     const struct fr_curve *curve, size_t count)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        if (fr_curve_covers(&curve[i], log2(distance)))
            return 1;
        low = fmin(low, fr_curve_low(&curve[i]));
        high = fmax(high, fr_curve_high(&curve[i]));
    }
    return fr_extrapolate(run->out, factors->what_distance, distance, round(exp2(low)),
                          round(exp2(high)));
}

/* By the four rules of docs/models/dense.md#messages-and-contention-factors: the measured process
 * count, between two counts, below the least, above the largest. */
static double factor_at(struct fr_evaluation *run, const struct factors *factors, double processes,
                        double distance)
{
    const struct fr_curves *measured = factors->measured;
    const double x = log2(distance), log2_processes = log2(processes);
    double xs[FR_MAX_CURVES], ys[FR_MAX_CURVES], low = 0, high = 0, weight, distant;
    size_t count = 0, above = 0;
    bool is_covered = false;

    for (size_t i = 0; i < measured->count; i++) {
        if ((double)measured->key[i] == processes)
            return beyond(run, factors, distance, &measured->curve[i], 1) *
                   fr_curve_at(&measured->curve[i], x);
        is_covered = is_covered || fr_curve_covers(&measured->curve[i], x);
    }

    distant = beyond(run, factors, distance, measured->curve, measured->count);
    /* The process counts measured at this distance; all counts if there are none. */
    for (size_t i = 0; i < measured->count; i++) {
        if (is_covered && !fr_curve_covers(&measured->curve[i], x))
            continue;
        xs[count] = measured->log2_key[i];
        ys[count] = distant * fr_curve_at(&measured->curve[i], x);
        if (!count)
            low = (double)measured->key[i];
        high = (double)measured->key[i];
        if (xs[count] < log2_processes)
            above = count + 1;
        count++;
    }
    if (above > 0 && above < count)
        return fr_interpolate(log2_processes, xs[above - 1], ys[above - 1], xs[above], ys[above]);
    weight = fr_extrapolate(run->out, factors->what_processes, processes, low, high);
    if (above == 0)
        return weight * ys[0];
    /* A concave fit would predict less contention on more processes
     * (docs/models/dense.md#decision-extrapolated-contention-does-not-fall). */
    return weight * fmax(fr_fit_quadratic(xs, ys, count, log2_processes), ys[count - 1]);
}

double fr_contention_maximum(struct fr_evaluation *run, double processes, double distance)
{
    const struct factors factors = { &run->cal->maximum, "contention.maximum.distance",
                                     "contention.maximum.processes" };

    run->out->used |= FR_USE(CONTENTION_MAXIMUM);
    return factor_at(run, &factors, processes, distance);
}

double fr_contention_average_among(struct fr_evaluation *run, double processes, double distance)
{
    const struct factors factors = { &run->cal->averages, "contention.average.distance",
                                     "contention.average.processes" };

    if (!factors.measured->count)
        return fr_contention_average(run, distance);
    run->out->used |= FR_USE(CONTENTION_AVERAGE);
    return factor_at(run, &factors, processes, distance);
}
