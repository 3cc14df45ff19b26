/* Messages that share the network, and collectives made of them.  In step i of a
 * collective the distance is 2^i that of neighbours; all steps have the same statistic
 * (docs/models/dense.md#messages-under-contention). */
#include "engine/dense/refined.h"
#include "engine/lookup/lookup.h"

#include <math.h>

double refined_factor(const struct dense *d, double distance, enum refined_statistic statistic)
{
    double factor;

    if (!d->has_contention)
        return 1;
    factor = statistic == REFINED_AVERAGE ? fr_contention_average_among(d->run, d->p, distance)
                                          : fr_contention_maximum(d->run, d->p, distance);
    return d->idle_share > 0 ? fmax(1, (1 - d->idle_share) * factor) : factor;
}

struct cost refined_message(const struct dense *d, double words, double factor)
{
    const double reference_bytes = d->has_contention ? fr_contention_bytes(d->run) : INFINITY;

    return (struct cost){
        fr_message_contended_s(d->run, d->word_bytes * words, factor, reference_bytes),
        words,
        1,
    };
}

/* What gives the contention factor of each step of a collective. */
struct sharing {
    const struct dense *d;
    double distance; /* of the first step */
    enum refined_statistic statistic;
    bool is_alone; /* no other group communicates */
};

static double factor_of(const struct sharing *sharing, int step)
{
    if (sharing->is_alone)
        return 1;
    return refined_factor(sharing->d, ldexp(sharing->distance, step), sharing->statistic);
}

/* Recursive halving. */
static struct cost scatter(const struct sharing *sharing, double group, double words)
{
    const int k = dense_steps(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost = cost_plus(
            cost, refined_message(sharing->d, ldexp(words, -(i + 1)), factor_of(sharing, i)));
    return cost;
}

/* Recursive doubling. */
static struct cost gather(const struct sharing *sharing, double group, double words)
{
    const int k = dense_steps(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost = cost_plus(cost,
                         refined_message(sharing->d, ldexp(words, i - k), factor_of(sharing, i)));
    return cost;
}

/* In step i one member in 2^(i+1) sends. */
static struct cost binomial_tree(const struct sharing *sharing, double group, double words)
{
    const int k = dense_steps(group);
    struct cost cost = { 0 };

    for (int i = 0; i < k; i++)
        cost = cost_plus(cost, refined_message(sharing->d, words,
                                               fmax(1, ldexp(factor_of(sharing, i), -(i + 1)))));
    return cost;
}

struct cost refined_scatter(const struct dense *d, double group, double words, double distance,
                            enum refined_statistic statistic)
{
    const struct sharing sharing = { d, distance, statistic, false };

    dense_warn_rounded(d, group);
    return scatter(&sharing, group, words);
}

struct cost refined_gather(const struct dense *d, double group, double words, double distance,
                           enum refined_statistic statistic)
{
    const struct sharing sharing = { d, distance, statistic, false };

    dense_warn_rounded(d, group);
    return gather(&sharing, group, words);
}

struct cost refined_gather_alone(const struct dense *d, double group, double words, double distance)
{
    const struct sharing sharing = { d, distance, REFINED_MAXIMUM, true };

    dense_warn_rounded(d, group);
    return gather(&sharing, group, words);
}

/* From the table of the calibration; without one, what MPI libraries commonly do. */
static enum fr_broadcast_algorithm algorithm_of(const struct dense *d, double group, double words)
{
    const double bytes = d->word_bytes * words;
    const bool is_binomial = group < 8 || (bytes <= 12288 && !d->has_one_broadcast);

    return fr_broadcast_chosen(d->run, bytes, is_binomial ? FR_BINOMIAL : FR_SCATTER_ALLGATHER);
}

static struct cost broadcast(const struct sharing *sharing, double group, double words)
{
    const struct dense *d = sharing->d;

    if (group == 1)
        return (struct cost){ 0 };
    switch (algorithm_of(d, group, words)) {
    case FR_BINOMIAL:
        return binomial_tree(sharing, group, words);
    case FR_SCATTER_RING:
        return cost_plus(
            scatter(sharing, group, words),
            cost_times(group - 1, refined_message(d, words / group, factor_of(sharing, 0))));
    case FR_SCATTER_ALLGATHER:
        break;
    }
    dense_warn_rounded(d, group);
    return cost_plus(scatter(sharing, group, words), gather(sharing, group, words));
}

struct cost refined_broadcast(const struct dense *d, double group, double words, double distance,
                              enum refined_statistic statistic)
{
    const struct sharing sharing = { d, distance, statistic, false };

    return broadcast(&sharing, group, words);
}

struct cost refined_broadcast_alone(const struct dense *d, double group, double words,
                                    double distance)
{
    const struct sharing sharing = { d, distance, REFINED_MAXIMUM, true };

    return broadcast(&sharing, group, words);
}
