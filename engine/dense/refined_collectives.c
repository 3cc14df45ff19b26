/* Collectives from messages that share the network (dense-distributed.md 14.3); distances as in
 * section 4, nearest first, and one statistic in every step. */
#include "engine/dense/refined.h"

#include <math.h>

/* k = ceil(log2 group). */
static int steps_of(double group)
{
    int k = 0;

    while (ldexp(1, k) < group)
        k++;
    return k;
}

static void warn_rounded(const struct dense *d, double group)
{
    const double rounded = ldexp(1, steps_of(group));

    if (rounded != group)
        fr_warn(d->run->out, FR_WARN_ROUNDED, NULL, group, 1, rounded);
}

/* Factors of the steps; 1 where nobody else communicates. */
struct crowd {
    const struct dense *d;
    double distance;
    enum refined_statistic statistic;
    bool is_alone;
};

static double factor_of(const struct crowd *crowd, int step)
{
    if (crowd->is_alone)
        return 1;
    return refined_factor(crowd->d, ldexp(crowd->distance, step), crowd->statistic);
}

static struct cost halve(const struct crowd *crowd, double group, double words)
{
    const int k = steps_of(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost =
            cost_plus(cost, refined_message(crowd->d, ldexp(words, -(i + 1)), factor_of(crowd, i)));
    return cost;
}

static struct cost collect(const struct crowd *crowd, double group, double words)
{
    const int k = steps_of(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost = cost_plus(cost, refined_message(crowd->d, ldexp(words, i - k), factor_of(crowd, i)));
    return cost;
}

/* In the step of distance 2^i only one member in 2^(i+1) sends. */
static struct cost climb(const struct crowd *crowd, double group, double words)
{
    const int k = steps_of(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost = cost_plus(
            cost, refined_message(crowd->d, words, fmax(1, ldexp(factor_of(crowd, i), -(i + 1)))));
    return cost;
}

struct cost refined_scatter(const struct dense *d, double group, double words, double distance,
                            enum refined_statistic statistic)
{
    const struct crowd crowd = { d, distance, statistic, false };

    warn_rounded(d, group);
    return halve(&crowd, group, words);
}

struct cost refined_gather(const struct dense *d, double group, double words, double distance,
                           enum refined_statistic statistic)
{
    const struct crowd crowd = { d, distance, statistic, false };

    warn_rounded(d, group);
    return collect(&crowd, group, words);
}

struct cost refined_gather_alone(const struct dense *d, double group, double words, double distance)
{
    const struct crowd crowd = { d, distance, REFINED_MAXIMUM, true };

    warn_rounded(d, group);
    return collect(&crowd, group, words);
}

/* By the table of the document; without one as usual implementations of MPI do. */
static enum fr_broadcast_algorithm algorithm_of(const struct dense *d, double group, double words)
{
    const struct fr_calibration *cal = d->run->cal;
    const struct fr_broadcast_choice *row = cal->network.broadcast.row;
    const double bytes = d->word_bytes * words;

    if (!cal->network.broadcast.count) {
        fr_warn(d->run->out, FR_WARN_BROADCAST, NULL, 1, 1, 1);
        return bytes <= 12288 || group < 8 ? FR_BINOMIAL : FR_SCATTER_ALLGATHER;
    }
    d->run->out->used |= FR_USE(BROADCAST);
    while (row->max_message_bytes < bytes)
        row++; /* the last one has no limit */
    return (enum fr_broadcast_algorithm)row->algorithm;
}

static struct cost broadcast(const struct crowd *crowd, double group, double words)
{
    const struct dense *d = crowd->d;

    if (group == 1)
        return (struct cost){ 0 };
    switch (algorithm_of(d, group, words)) {
    case FR_BINOMIAL:
        return climb(crowd, group, words);
    case FR_SCATTER_RING:
        return cost_plus(
            halve(crowd, group, words),
            cost_times(group - 1, refined_message(d, words / group, factor_of(crowd, 0))));
    case FR_SCATTER_ALLGATHER:
        break;
    }
    warn_rounded(d, group);
    return cost_plus(halve(crowd, group, words), collect(crowd, group, words));
}

struct cost refined_broadcast(const struct dense *d, double group, double words, double distance,
                              enum refined_statistic statistic)
{
    const struct crowd crowd = { d, distance, statistic, false };

    return broadcast(&crowd, group, words);
}

struct cost refined_broadcast_alone(const struct dense *d, double group, double words,
                                    double distance)
{
    const struct crowd crowd = { d, distance, REFINED_MAXIMUM, true };

    return broadcast(&crowd, group, words);
}
