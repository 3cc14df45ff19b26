/* Messages and collectives with linear contention factors (docs/models/dense.md#collectives).  A
 * synchronized transfer, which the slowest process delays, has C_max; any other has C_avg. */
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

int dense_steps(double group)
{
    int k = 0;

    while (ldexp(1, k) < group)
        k++;
    return k;
}

void dense_warn_rounded(const struct dense *d, double group)
{
    const double rounded = ldexp(1, dense_steps(group));

    if (rounded != group)
        fr_warn(d->run->out, FR_WARN_ROUNDED, NULL, group, 1, rounded);
}

/* Recursive halving, the nearest member first: w/2, w/4, ... w/2^k
 * (docs/models/dense.md#decision-a-scatter-halves-the-whole-vector). */
struct cost dense_scatter(const struct dense *d, double group, double words, double distance)
{
    const int k = dense_steps(group);
    struct cost cost = { 0 };

    dense_warn_rounded(d, group);
    for (int i = 0; i < k; i++) {
        const double piece = ldexp(words, -(i + 1)), reach = ldexp(distance, i);
        const double factor = i < k - 1 ? average(d, reach) : maximum(d, reach);

        cost = cost_plus(cost, (struct cost){ factor * ideal_s(d, piece), piece, 1 });
    }
    return cost;
}

/* Recursive doubling, the nearest member first: w/2^k, ... w/4, w/2. */
static struct cost gather(const struct dense *d, double group, double words, double distance,
                          bool is_synchronised)
{
    const int k = dense_steps(group);
    struct cost cost = { 0 };

    dense_warn_rounded(d, group);
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

struct cost dense_broadcast(const struct dense *d, double group, double words, double distance)
{
    return cost_plus(dense_scatter(d, group, words, distance),
                     dense_gather(d, group, words, distance));
}

struct cost dense_reduce(const struct dense *d, double group, double words, double distance)
{
    return dense_broadcast(d, group, words, distance);
}

struct cost dense_broadcast_sync(const struct dense *d, double group, double words, double distance)
{
    return cost_plus(dense_scatter(d, group, words, distance),
                     dense_gather_sync(d, group, words, distance));
}
