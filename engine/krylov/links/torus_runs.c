/* Flows of whole runs of nodes on a torus whose nodes lie in the order of their slots
 * (docs/models/krylov-links.md#loads-of-links).
 *
 * While neither the senders nor the receivers of a run change their line along the first
 * dimension, all its ways have one distance, and start at consecutive places of one line along the
 * first dimension, or at the same place of consecutive lines along the other two.  So the changes
 * of torus.c come in ranges, and only the ends of the ranges are kept. */
#include "engine/krylov/links/links.h"

/* On shorter lines, or in shorter runs, a range is not worth its two ends. */
enum { LEAST_LINE = 8, LEAST_NODES = 16 };

bool krylov_runs_prepare(struct krylov_network *network, struct fr_arena *arena)
{
    if (network->extent[0] < LEAST_LINE)
        return true;
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const size_t changes = (size_t)network->count[LINK_TORUS + d];

        network->range[d] = fr_arena_zeroed(arena, changes + 1, sizeof **network->range);
        if (!network->range[d])
            return false;
    }
    return true;
}

bool krylov_has_runs(const struct krylov_network *network, int64_t count)
{
    return network->range[0] && count >= LEAST_NODES;
}

/* A router of the block. */
struct router {
    int64_t at[FR_MAX_EXTENTS];
};

static struct router router_at(const struct krylov_network *network, int64_t number)
{
    const int64_t x = network->extent[0], y = network->extent[1];

    return (struct router){ { number % x, number / x % y, number / x / y } };
}

/* Moves on to a router of the same line or the first of the next one. */
static void move(const struct krylov_network *network, int64_t steps, struct router *router)
{
    router->at[0] += steps;
    if (router->at[0] < network->extent[0])
        return;
    router->at[0] = 0;
    if (++router->at[1] < network->extent[1])
        return;
    router->at[1] = 0;
    router->at[2]++;
}

static void add_range(struct krylov_load *begin, int64_t count, struct krylov_load flow)
{
    krylov_load_add(begin, flow);
    krylov_load_subtract(begin + count, flow);
}

static void take_range(struct krylov_load *begin, int64_t count, struct krylov_load flow)
{
    krylov_load_subtract(begin, flow);
    krylov_load_add(begin + count, flow);
}

/* `count` ways from place `start`; equal places of consecutive ways are `stride` and 1 apart. */
static void add_ways(struct krylov_load *start, int64_t stride, const struct krylov_way *way,
                     int64_t count, struct krylov_load flow)
{
    add_range(start + way->first * stride, count, flow);
    take_range(start + way->last * stride, count, flow);
}

/* A run whose senders are on one line and whose receivers are on one. */
static void add_line(const struct krylov_network *network, const struct router *a,
                     const struct router *b, int64_t count, struct krylov_load flow)
{
    const int64_t *extent = network->extent, *line = network->line;
    const int64_t layer[] = { a->at[1] + extent[1] * a->at[2], a->at[2], b->at[1] };

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const int64_t distance = b->at[d] - a->at[d], place = 2 * line[d] * layer[d] + a->at[d];

        if (!distance)
            continue;
        if (d == 0)
            add_ways(network->range[d] + place, 1, &network->way[d][distance], count, flow);
        else
            add_ways(network->range[d] + place * extent[0] + b->at[0], extent[0],
                     &network->way[d][distance], count, flow);
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void add_routers(const struct krylov_network *network, int64_t from, int64_t to,
                        int64_t count, struct krylov_load flow)
{
    const int64_t x = network->extent[0];
    struct router a = router_at(network, from), b = router_at(network, to);

    for (int64_t run; count > 0; count -= run) {
        run = least(count, x - (a.at[0] > b.at[0] ? a.at[0] : b.at[0]));
        add_line(network, &a, &b, run, flow);
        move(network, run, &a);
        move(network, run, &b);
    }
}

/* Either all nodes of a router send to one router, or nodes at the same place of their routers send
 * to routers at the same distance. */
void krylov_runs_add(const struct krylov_network *network, int64_t from, int64_t to, int64_t count,
                     struct krylov_load flow)
{
    const int64_t h = network->topology->nodes_per_router;

    if (from % h == 0 && to % h == 0 && count % h == 0) {
        flow = (struct krylov_load){ flow.bytes * (double)h, flow.weighted * (double)h };
        add_routers(network, from / h, to / h, count / h, flow);
        return;
    }
    for (int64_t i = 0; i < h && i < count; i++)
        add_routers(network, (from + i) / h, (to + i) / h, (count - i + h - 1) / h, flow);
}

/* The ranges of the first dimension follow its lines; those of another one follow, for each place
 * of a line, the lines that differ in the first coordinate. */
static void take_up(struct krylov_network *network, size_t d)
{
    const int64_t width = d ? network->extent[0] : 1, places = 2 * network->line[d];
    const struct krylov_load *range = network->range[d];
    struct krylov_load *load = network->load[LINK_TORUS + d], sum = { 0, 0 };

    for (int64_t begin = 0; begin < network->count[LINK_TORUS + d]; begin += width * places)
        for (int64_t place = 0; place < places; place++)
            for (int64_t i = 0; i < width; i++) {
                krylov_load_add(&sum, *range++);
                krylov_load_add(&load[begin + i * places + place], sum);
            }
}

void krylov_runs_finish(struct krylov_network *network)
{
    for (size_t d = 0; network->range[0] && d < FR_MAX_EXTENTS; d++)
        take_up(network, d);
}
