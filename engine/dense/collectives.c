/* Point-to-point and collective costs (dense-distributed.md 3 and 4). A synchronised transfer,
 * which the slowest process delays, takes C_max; any other C_avg. */
#include "engine/dense/dense.h"
#include "engine/lookup/lookup.h"

#include <math.h>

struct cost cost_times(double factor, struct cost cost)
{
    return (struct cost){ factor * cost.time_s, factor * cost.words, factor * cost.messages };
}

struct cost cost_plus(struct cost a, struct cost b)
{
    return (struct cost){ a.time_s + b.time_s, a.words + b.words, a.messages + b.messages };
}

static double average(const struct dense *d, double distance)
{
    return d->has_contention ? fr_contention_average(d->run, distance) : 1;
}

static double maximum(const struct dense *d, double distance)
{
    return d->has_contention ? fr_contention_maximum(d->run, d->p, distance) : 1;
}

static double ideal_s(const struct dense *d, double words)
{
    return fr_message_s(d->run, d->word_bytes * words);
}

struct cost dense_shift(const struct dense *d, double words, double distance)
{
    return (struct cost){ maximum(d, distance) * ideal_s(d, words), words, 1 };
}

/* k = ceil(log2 group): the steps of recursive halving and doubling (D7). */
static int steps_of(const struct dense *d, double group)
{
    int k = 0;

    while (ldexp(1, k) < group)
        k++;
    if (ldexp(1, k) != group)
        fr_warn(d->run->out, FR_WARN_ROUNDED, NULL, group, 1, ldexp(1, k));
    return k;
}

/* Recursive halving, nearest first: w/2, w/4, ... w/2^k; the last step is synchronised (D8). */
struct cost dense_scatter(const struct dense *d, double group, double words, double distance)
{
    struct cost cost = { 0 };
    const int k = steps_of(d, group);

    for (int i = 0; i < k; i++) {
        const double piece = ldexp(words, -(i + 1)), reach = ldexp(distance, i);
        const double factor = i < k - 1 ? average(d, reach) : maximum(d, reach);

        cost = cost_plus(cost, (struct cost){ factor * ideal_s(d, piece), piece, 1 });
    }
    return cost;
}

/* Recursive doubling, nearest first: w/2^k, ... w/4, w/2. */
static struct cost gather(const struct dense *d, double group, double words, double distance,
                          bool is_synchronised)
{
    struct cost cost = { 0 };
    const int k = steps_of(d, group);

    for (int i = 0; i < k; i++) {
        const double piece = ldexp(words, i - k), reach = ldexp(distance, i);
        const bool waits = is_synchronised && i == k - 1;
        const double factor = waits ? maximum(d, reach) : average(d, reach);

        cost = cost_plus(cost, (struct cost){ factor * ideal_s(d, piece), piece, 1 });
    }
    return cost;
}

struct cost dense_gather(const struct dense *d, double group, double words, double distance)
{
    return gather(d, group, words, distance, false);
}

struct cost dense_gather_sync(const struct dense *d, double group, double words, double distance)
{
    return gather(d, group, words, distance, true);
}

/* Rabenseifner: reduce-scatter, then gather. */
struct cost dense_reduce(const struct dense *d, double group, double words, double distance)
{
    return cost_plus(dense_scatter(d, group, words, distance),
                     dense_gather(d, group, words, distance));
}

/* van de Geijn: scatter, then allgather. */
struct cost dense_broadcast(const struct dense *d, double group, double words, double distance)
{
    return cost_plus(dense_scatter(d, group, words, distance),
                     dense_gather(d, group, words, distance));
}

struct cost dense_broadcast_sync(const struct dense *d, double group, double words, double distance)
{
    return cost_plus(dense_scatter(d, group, words, distance),
                     dense_gather_sync(d, group, words, distance));
}
