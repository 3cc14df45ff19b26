/* A halo exchange: cost of the messages of each class of processes, and the slowest or the average
 * process (docs/models/krylov.md#halo-exchange). */
#include "engine/krylov/halo/halo.h"

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

/* The messages of an exchange by kind and place. */
struct messages {
    struct halo_conduct conduct;
    struct halo_message at[KINDS][PLACES];
};

static void price(const struct krylov_grid_values *v, const struct krylov_stencil *stencil,
                  struct fr_evaluation *run, struct messages *messages)
{
    const struct krylov_values *common = &v->common;
    const struct krylov_stencil wide = halo_padded(stencil);
    const struct krylov_distance common_distance = krylov_distance(common, run, false);

    for (unsigned kind = 1; kind < KINDS; kind++) {
        struct halo_message *at = messages->at[kind];
        const double bytes = krylov_message_bytes(&wide, kind);

        if (kind & (kind - 1) && !stencil->is_full)
            continue;
        if (common->processes_per_node > 1)
            at[ON_NODE] = halo_message(&messages->conduct, run, bytes, false, common_distance);
        for (unsigned place = OFF_NODE; common->nodes > 1 && place < PLACES; place++)
            at[place] = halo_message(&messages->conduct, run, bytes, true,
                                     distance_to(v, run, common_distance, place - OFF_NODE));
    }
}

static struct krylov_time time_of(const struct messages *messages, const struct halo_counts *counts)
{
    struct halo_series series = { 0 };

    for (unsigned kind = 1; kind < KINDS; kind++)
        for (unsigned place = 0; place < PLACES; place++)
            if (counts->count[kind][place] > 0)
                halo_series_add(&messages->conduct, &messages->at[kind][place],
                                counts->count[kind][place], &series);
    return halo_series_time(&messages->conduct, &series);
}

struct search {
    const struct messages *messages;
    bool has_slowest;
    struct krylov_time slowest;
    double processes;
    struct halo_counts sum;
};

/* Of equally slow processes the first is kept. */
static void consider(void *context, double processes, const struct halo_counts *counts)
{
    struct search *search = context;
    const struct krylov_time time = time_of(search->messages, counts);

    if (!search->has_slowest || halo_is_slower(&time, &search->slowest))
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
    return time_of(search->messages, &mean);
}

struct krylov_halo krylov_halo_exchange(const struct krylov_grid_values *v,
                                        const struct krylov_stencil *stencil,
                                        struct fr_evaluation *run,
                                        const struct krylov_overlap *overlap)
{
    const struct halo_grid grid = halo_grid_of(v, stencil);
    struct messages messages = { .conduct = halo_conduct(&v->common, run, overlap) };
    struct search search = { .messages = &messages };
    const struct halo_visitor visitor = { consider, &search };
    struct krylov_time average;

    price(v, stencil, run, &messages);
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
