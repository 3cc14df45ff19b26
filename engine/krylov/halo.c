/* A halo exchange: cost of the messages of each class of processes, and the slowest or the average
 * process (docs/models/krylov.md#halo-exchange). */
#include "engine/krylov/halo.h"
#include "engine/krylov/refined.h"

#include <math.h>

/* Cost of one message by kind and place. */
struct message_costs {
    const struct krylov_values *v;
    bool is_blocking, is_burst;
    double overlap_s;
    double bytes[KINDS];
    struct krylov_message on[KINDS], off[KINDS];
    double share[KINDS]; /* of the postal cost that a message of a burst pays */
    double max_rate_s[KINDS], congestion_s[KINDS][PLACES];
    struct krylov_distance distance[PLACES];
};

/* Sums over the pipelined messages of one process. */
struct sums {
    double postal_s, penalty_s, first_s;
    bool has_off_node;
    /* Of all messages, pipelined or not: the one with the largest postal cost, and its share. */
    struct krylov_message longest;
    double longest_share;
};

static void pad(const struct fr_vector *grid, int64_t out[FR_MAX_EXTENTS])
{
    const size_t front = FR_MAX_EXTENTS - grid->count;

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        out[d] = d < front ? 1 : grid->at[d - front];
}

struct halo_grid halo_grid_of(const struct krylov_grid_values *v,
                              const struct krylov_stencil *stencil)
{
    const struct krylov_layout *layout = &v->layout;
    struct halo_grid grid = {
        .c = v->common.processes_per_node,
        .is_boxed = layout->on_node_grid.count > 0,
        .is_periodic = v->periodic,
        .is_full = stencil->is_full,
    };

    pad(&layout->process_grid, grid.process);
    if (grid.is_boxed) {
        pad(&layout->on_node_grid, grid.on_node);
        pad(&layout->host_grid, grid.host);
    }
    return grid;
}

struct krylov_stencil halo_padded(const struct krylov_stencil *stencil)
{
    struct krylov_stencil wide = *stencil;

    wide.dimensions = wide.local_grid.count = FR_MAX_EXTENTS;
    pad(&stencil->local_grid, wide.local_grid.at);
    return wide;
}

/* With mapping=topology_aware a message makes one hop for each router border that it crosses on a
 * torus, and one chassis hop on a dragonfly
 * (docs/models/krylov.md#decision-hops-along-the-torus); else all messages have the common
 * distance. */
static struct krylov_distance distance_to(const struct krylov_grid_values *v,
                                          struct fr_evaluation *run, struct krylov_distance common,
                                          unsigned crossings)
{
    const struct fr_topology *topology = &run->cal->network.topology;
    const double hops = topology->type == FR_DRAGONFLY ? 1 : crossings;

    if (v->mapping != MAPPING_TOPOLOGY_AWARE || v->common.nodes == 1)
        return common;
    return (struct krylov_distance){ hops, hops * krylov_hop_latency_s(&v->common, topology) };
}

/* All c processes of a node send
 * (docs/models/krylov.md#decision-all-processes-send-in-a-halo-exchange). */
static struct message_costs costs_of(const struct krylov_grid_values *v,
                                     const struct krylov_stencil *stencil,
                                     struct fr_evaluation *run)
{
    const struct krylov_values *common = &v->common;
    const struct krylov_stencil wide = halo_padded(stencil);
    const struct krylov_distance distance = krylov_distance(common, run, false);
    const double c = (double)common->processes_per_node;
    struct message_costs costs = { .v = common,
                                   .is_burst = krylov_has_burst_table(common, run->cal) };

    for (unsigned place = OFF_NODE; place < PLACES; place++)
        costs.distance[place] = distance_to(v, run, distance, place - OFF_NODE);
    for (unsigned kind = 1; kind < KINDS; kind++) {
        const double bytes = krylov_message_bytes(&wide, kind);

        if (kind & (kind - 1) && !stencil->is_full)
            continue;
        costs.bytes[kind] = bytes;
        costs.share[kind] = costs.is_burst ? krylov_burst_ratio(common, run, bytes) : 1;
        if (common->processes_per_node > 1)
            costs.on[kind] = krylov_postal(common, run, bytes, false);
        if (common->nodes == 1)
            continue;
        costs.off[kind] = krylov_postal(common, run, bytes, true);
        if (!costs.is_burst)
            costs.max_rate_s[kind] = krylov_max_rate_s(common, run, bytes, c);
        for (unsigned place = OFF_NODE; place < PLACES; place++)
            costs.congestion_s[kind][place] =
                krylov_congestion_s(common, run, bytes, c, costs.distance[place].hops);
    }
    return costs;
}

static bool is_longer(const struct krylov_message *a, double a_share, const struct sums *than)
{
    if (a->postal_s != than->longest.postal_s)
        return a->postal_s > than->longest.postal_s;
    if (a_share != than->longest_share)
        return a_share > than->longest_share;
    return a->is_pipelined && !than->longest.is_pipelined;
}

static void add_postal(const struct krylov_message *message, double share, double count,
                       struct krylov_time *time, struct sums *pipelined)
{
    const double postal_s = count * message->postal_s * share;

    time->postal_s += postal_s;
    if (message->is_pipelined) {
        pipelined->postal_s += postal_s;
        pipelined->first_s = fmax(pipelined->first_s, message->postal_s);
    }
    if (is_longer(message, share, pipelined)) {
        pipelined->longest = *message;
        pipelined->longest_share = share;
    }
}

/* The longest message of a burst pays its whole postal cost; an average of less than one message
 * pays a share. */
static void add_longest(struct krylov_time *time, struct sums *pipelined)
{
    const double rest_s = (1 - pipelined->longest_share) * pipelined->longest.postal_s *
                          fmin(1, time->on_node_messages + time->off_node_messages);

    time->postal_s += rest_s;
    if (pipelined->longest.is_pipelined)
        pipelined->postal_s += rest_s;
}

static void add_on_node(const struct message_costs *costs, unsigned kind, double count,
                        struct krylov_time *time, struct sums *pipelined)
{
    time->on_node_messages += count;
    time->on_node_bytes += count * costs->bytes[kind];
    add_postal(&costs->on[kind], costs->share[kind], count, time, pipelined);
}

static void add_off_node(const struct message_costs *costs, unsigned kind, unsigned place,
                         double count, struct krylov_time *time, struct sums *pipelined)
{
    const double max_rate_s = count * costs->max_rate_s[kind];
    const double congestion_s = count * costs->congestion_s[kind][place];

    time->off_node_messages += count;
    time->off_node_bytes += count * costs->bytes[kind];
    time->max_rate_s += max_rate_s;
    time->congestion_s += congestion_s;
    add_postal(&costs->off[kind], costs->share[kind], count, time, pipelined);
    if (costs->off[kind].is_pipelined) {
        pipelined->penalty_s += max_rate_s + congestion_s;
        pipelined->has_off_node = true;
    }
}

/* The first message of the series pays the longest distance; an average of less than one message
 * pays a share. */
static void add_distance(const struct message_costs *costs, const struct halo_counts *counts,
                         struct krylov_time *time, struct sums *pipelined)
{
    double latency_s = 0;

    for (unsigned kind = 1; kind < KINDS; kind++)
        for (unsigned place = OFF_NODE; place < PLACES; place++) {
            if (counts->count[kind][place] <= 0)
                continue;
            time->hops = isnan(costs->distance[place].hops)
                             ? NAN
                             : fmax(time->hops, costs->distance[place].hops);
            latency_s = fmax(latency_s, costs->distance[place].latency_s);
        }
    if (krylov_has(costs->v, HOPS) && !costs->is_burst)
        time->hops_s = fmin(1, time->off_node_messages) * latency_s;
    if (pipelined->has_off_node)
        pipelined->penalty_s += time->hops_s;
}

/* Blocking: penalties of pipelined messages overlap with the postal cost of all but the first of
 * them.  Non-blocking: all penalties overlap with computation
 * (docs/models/krylov.md#decision-only-penalties-are-hidden). */
static double hidden_s(const struct message_costs *costs, const struct krylov_time *time,
                       const struct sums *pipelined)
{
    if (!costs->v->overlap)
        return 0;
    if (!costs->is_blocking)
        return fmin(time->penalty_s, costs->overlap_s);
    return fmin(pipelined->penalty_s,
                pipelined->postal_s - fmin(pipelined->first_s, pipelined->postal_s));
}

static struct krylov_time time_of(const struct message_costs *costs,
                                  const struct halo_counts *counts)
{
    struct krylov_time time = { 0 };
    struct sums pipelined = { 0 };

    for (unsigned kind = 1; kind < KINDS; kind++) {
        const double *count = counts->count[kind];

        if (count[ON_NODE] > 0)
            add_on_node(costs, kind, count[ON_NODE], &time, &pipelined);
        for (unsigned place = OFF_NODE; place < PLACES; place++)
            if (count[place] > 0)
                add_off_node(costs, kind, place, count[place], &time, &pipelined);
    }
    if (costs->is_burst)
        add_longest(&time, &pipelined);
    add_distance(costs, counts, &time, &pipelined);
    time.penalty_s = time.max_rate_s + time.hops_s + time.congestion_s;
    time.hidden_s = hidden_s(costs, &time, &pipelined);
    time.time_s = time.postal_s + (time.penalty_s - time.hidden_s);
    return time;
}

struct search {
    const struct message_costs *costs;
    bool has_slowest;
    struct krylov_time slowest;
    double processes;
    struct halo_counts sum;
};

/* Times that agree to 10 digits are ordered by off-node traffic, then by on-node traffic; of equal
 * processes the first is kept. */
static bool is_slower(const struct krylov_time *a, const struct krylov_time *b)
{
    if (fabs(a->time_s - b->time_s) > 1e-10 * fmax(a->time_s, b->time_s))
        return a->time_s > b->time_s;
    if (a->off_node_bytes != b->off_node_bytes)
        return a->off_node_bytes > b->off_node_bytes;
    if (a->off_node_messages != b->off_node_messages)
        return a->off_node_messages > b->off_node_messages;
    if (a->on_node_bytes != b->on_node_bytes)
        return a->on_node_bytes > b->on_node_bytes;
    return a->on_node_messages > b->on_node_messages;
}

static void consider(void *context, double processes, const struct halo_counts *counts)
{
    struct search *search = context;
    const struct krylov_time time = time_of(search->costs, counts);

    if (!search->has_slowest || is_slower(&time, &search->slowest))
        search->slowest = time;
    search->has_slowest = true;
    search->processes += processes;
    for (unsigned kind = 1; kind < KINDS; kind++)
        for (unsigned place = 0; place < PLACES; place++)
            search->sum.count[kind][place] += processes * counts->count[kind][place];
}

static struct krylov_time average_of(const struct search *search)
{
    struct halo_counts mean = search->sum;

    for (unsigned kind = 1; kind < KINDS; kind++)
        for (unsigned place = 0; place < PLACES; place++)
            mean.count[kind][place] /= search->processes;
    return time_of(search->costs, &mean);
}

struct krylov_halo krylov_halo_exchange(const struct krylov_grid_values *v,
                                        const struct krylov_stencil *stencil,
                                        struct fr_evaluation *run, bool is_blocking,
                                        double overlap_s)
{
    const struct halo_grid grid = halo_grid_of(v, stencil);
    struct message_costs costs = costs_of(v, stencil, run);
    struct search search = { .costs = &costs };
    const struct halo_visitor visitor = { consider, &search };
    struct krylov_time average;

    if (v->common.contention_model == KRYLOV_REFINED && !run->cal->burst.count &&
        (v->common.nodes > 1 || v->common.processes_per_node > 1))
        fr_warn(run->out, FR_WARN_PATTERN, "burst", 1, 1, 1);
    costs.is_blocking = is_blocking;
    costs.overlap_s = overlap_s;
    if (grid.is_boxed)
        halo_visit_boxes(&grid, visitor);
    else
        halo_visit_ranks(&grid, visitor);
    average = average_of(&search);
    return (struct krylov_halo){
        .chosen = v->process == PROCESS_AVERAGE ? average : search.slowest,
        .time_average_s = average.time_s,
        .time_slowest_s = search.slowest.time_s,
    };
}
