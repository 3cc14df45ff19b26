/* What each link on the way adds to the latency: empty messages between rank 0 and nodes at several
 * distances, and least squares of the relative error over a constant and the links of each kind.
 *
 * The place of a node is the number at the end of its host name or, if the name has none, its
 * place in the job.
 */

#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { PEERS_MAX = 24, TRIPS = 20 };

struct peer {
    int rank;
    double links[FR_LINK_CLASSES];
    int rounds;
    double latency_s[99];
};

struct hops {
    const struct fr_links *topology;
    int peers;
    struct peer peer[PEERS_MAX];
    double constant_s, link_s[FR_LINK_CLASSES]; /* NaN: cannot be determined */
    bool is_one;                                /* one latency for all links */
    double error;
};

static int place_of(const struct fr_world *world, int rank)
{
    return world->node_number[rank] >= 0 ? world->node_number[rank] : world->host[rank];
}

double fr_hops_between(const struct fr_context *context, int rank, int other)
{
    const struct fr_links *topology = &context->networking->topology;
    double links[FR_LINK_CLASSES];

    if (topology->type == FR_NO_LINKS || fr_links_between(topology, place_of(context->world, rank),
                                                          place_of(context->world, other), links))
        return NAN;
    return links[0] + links[1] + links[2];
}

int fr_hops_nearest(const struct fr_context *context)
{
    const struct fr_world *world = context->world;
    double least = HUGE_VAL;
    int nearest = world->off_node_peer;

    for (int i = 0; i < world->size; i++)
        if (world->host[i] != world->host[0] && fr_hops_between(context, 0, i) < least) {
            least = fr_hops_between(context, 0, i);
            nearest = i;
        }
    return nearest;
}

/* Whether another route of that kind adds information: links of a torus are equal, those between
 * groups of a dragonfly only on average. */
static bool is_wanted(const struct hops *hops, const double *links)
{
    const int most = hops->topology->type == FR_IS_TORUS       ? 1
                     : hops->topology->type == FR_IS_DRAGONFLY ? 8
                                                               : PEERS_MAX;
    int same = 0;

    for (int i = 0; i < hops->peers; i++)
        same += memcmp(hops->peer[i].links, links, sizeof hops->peer[i].links) == 0;
    return same < most && hops->peers < PEERS_MAX;
}

/* Chooses nodes at routes of all kinds, in random order.  Returns -1 if a node is not in the
 * topology. */
static int choose_peers(struct fr_context *context, struct hops *hops)
{
    const struct fr_world *world = context->world;
    int *order = fr_world_record((size_t)world->size, sizeof *order);
    struct fr_random random = context->random;
    int status = 0;

    fr_random_order(&random, order, world->size);
    for (int i = 0; i < world->size && !status; i++) {
        double links[FR_LINK_CLASSES];
        const int rank = order[i];

        if (world->host[rank] == world->host[0])
            continue;
        status = fr_links_between(hops->topology, place_of(world, 0), place_of(world, rank), links);
        if (status || !is_wanted(hops, links))
            continue;
        hops->peer[hops->peers].rank = rank;
        memcpy(hops->peer[hops->peers++].links, links, sizeof links);
    }
    fr_record_free(order);
    return status;
}

static void measure(struct fr_context *context, struct hops *hops)
{
    struct fr_progress progress = fr_progress_begin(context, "hops", hops->peers);
    char byte[2] = { 0 };

    for (int i = 0; i < hops->peers && !fr_bench_is_late(context, MPI_COMM_WORLD); i++) {
        struct peer *peer = &hops->peer[i];
        const int rank = context->world->rank;
        struct fr_team team = fr_team_begin(context->world, rank == 0 || rank == peer->rank);

        if (team.comm != MPI_COMM_NULL) {
            const struct fr_transfer_way way =
                fr_transfer_open(FR_SEND, team.comm, &byte[0], &byte[1], 1);

            while (peer->rounds < context->options->repetitions)
                peer->latency_s[peer->rounds++] = fr_transfer_s(&way, 0, TRIPS);
        }
        fr_team_end(context->world, &team);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
}

/* Whether routes differ in the links of each class: otherwise the classes cannot be distinguished.
 */
static bool varies(const struct hops *hops, int class)
{
    for (int i = 1; i < hops->peers; i++)
        if (hops->peer[i].links[class] != hops->peer[0].links[class])
            return true;
    return false;
}

/* Returns -1 if the routes do not differ. */
static int fit(struct hops *hops)
{
    const int classes =
        hops->topology->type == FR_IS_TORUS ? hops->topology->dimensions : FR_LINK_CLASSES;
    struct fr_equation equation[PEERS_MAX] = { 0 };
    double constant[FR_CONSTANTS] = { 0 };
    int equations = 0;
    bool any_varies = false;

    for (int c = 0; c < classes; c++)
        any_varies = any_varies || varies(hops, c);
    for (int c = 0; c < classes && hops->topology->type == FR_IS_TORUS; c++)
        hops->is_one = hops->is_one || !varies(hops, c);
    for (int i = 0; i < hops->peers; i++) {
        struct fr_equation *e = &equation[equations];
        struct peer *peer = &hops->peer[i];

        if (!peer->rounds)
            continue;
        e->amount[0] = 1;
        e->time_s = fr_sample_median(peer->latency_s, peer->rounds);
        for (int c = 0; c < classes; c++)
            e->amount[hops->is_one ? 1 : 1 + c] += peer->links[c];
        equations += e->time_s > 0;
    }
    if (!any_varies || equations < 2 ||
        !fr_nonnegative_fit(equation, equations, constant, &hops->error))
        return -1;
    hops->constant_s = constant[0];
    for (int c = 0; c < FR_LINK_CLASSES; c++)
        hops->link_s[c] = constant[hops->is_one ? 1 : 1 + c];
    return 0;
}

static void write_torus(struct fr_document *document, const struct hops *hops)
{
    const struct fr_links *t = hops->topology;
    struct fr_topology *found = &document->found.network.topology;

    for (int d = 0; d < t->dimensions; d++) {
        *FR_ADD_ROW(document, found->dimensions) = t->side[d];
        if (!d || !hops->is_one)
            *FR_ADD_ROW(document, found->hop_latency_s) = hops->link_s[d];
    }
}

static const char *const class_pointers[FR_LINK_CLASSES] = {
    "/network/topology/hop_latency_s/chassis", "/network/topology/hop_latency_s/group",
    "/network/topology/hop_latency_s/global"
};

/* Writes the links of the shortest, the average and the longest minimal route of each class. */
static void write_classes(struct fr_document *document, const struct fr_links *t)
{
    struct fr_topology *found = &document->found.network.topology;
    const struct fr_hop_links chassis = { 1, NAN, NAN }, group = { NAN, 1, NAN };
    const double inner = 1 - 1.0 / t->routers_per_chassis;

    found->hop_classes.chassis = (struct fr_hop_estimates){ chassis, chassis, chassis };
    found->hop_classes.group = (struct fr_hop_estimates){
        .best = group, .average = { inner > 0 ? inner : NAN, 1, NAN }, .max = { 1, 1, NAN }
    };
    found->hop_classes.global = (struct fr_hop_estimates){ .best = { NAN, NAN, 1 },
                                                           .average = { 0.75, 0.75, 1 },
                                                           .max = { 1.5, 1.5, 1 } };
    fr_document_source(document, "/network/topology/hop_classes", fr_source_assumed,
                       "minimal routes; between groups one link and, on average, 1.5 within "
                       "groups");
}

/* A class without routes in this job, or without added latency, gets the largest latency of the
 * others. */
static void write_dragonfly(struct fr_document *document, const struct hops *hops)
{
    const struct fr_links *t = hops->topology;
    struct fr_topology *found = &document->found.network.topology;
    double link_s[FR_LINK_CLASSES], most = 0;

    for (int c = 0; c < FR_LINK_CLASSES; c++)
        most = fmax(most, hops->link_s[c]);
    for (int c = 0; c < FR_LINK_CLASSES; c++) {
        link_s[c] = hops->link_s[c] > 0 ? hops->link_s[c] : most;
        if (!(hops->link_s[c] > 0))
            fr_document_source(document, class_pointers[c], fr_source_assumed,
                               "same as the slowest kind of link among the routes of the job");
    }
    found->routers_per_chassis = t->routers_per_chassis;
    found->chassis_per_group = t->chassis_per_group;
    found->class_latency_s = (struct fr_hop_links){ link_s[0], link_s[1], link_s[2] };
    write_classes(document, t);
}

static void write_uniform(struct fr_document *document, const struct hops *hops)
{
    struct fr_topology *found = &document->found.network.topology;

    *FR_ADD_ROW(document, found->hop_latency_s) = hops->link_s[0];
    found->hops.best = 0;
    found->hops.average = found->hops.max = 1;
}

/* The additional latency of other nodes over the ping-pong pair, or over the nearest node without a
 * ping-pong. */
static int fit_uniform(const struct fr_context *context, struct hops *hops)
{
    const struct fr_pings *pings = &context->pings;
    double sum_s = 0, least_s = HUGE_VAL;
    int count = 0;

    for (int i = 0; i < hops->peers; i++) {
        struct peer *peer = &hops->peer[i];
        double latency_s;

        if (!peer->rounds)
            continue;
        latency_s = fr_sample_median(peer->latency_s, peer->rounds);
        sum_s += latency_s;
        least_s = fmin(least_s, latency_s);
        count++;
    }
    if (!count)
        return -1;
    hops->constant_s = least_s;
    if (pings->count && pings->has[FR_OFF_NODE] && pings->ping[0].message_bytes == 0)
        hops->constant_s = pings->ping[0].time_s[FR_OFF_NODE];
    hops->link_s[0] = fmax(0, sum_s / count - hops->constant_s);
    return 0;
}

/* Adaptive routes and cables of several lengths cause smaller errors. */
static const double strange = 0.1;

static void record(struct fr_context *context, struct hops *hops)
{
    static const int types[] = { [FR_NO_LINKS] = -1,
                                 [FR_IS_TORUS] = FR_TORUS,
                                 [FR_IS_DRAGONFLY] = FR_DRAGONFLY,
                                 [FR_IS_UNIFORM] = FR_UNIFORM };
    const struct fr_links *t = hops->topology;
    double spread[PEERS_MAX];
    int samples = 0, spreads = 0;

    for (int i = 0; i < hops->peers; i++) {
        struct peer *peer = &hops->peer[i];

        samples += peer->rounds;
        if (peer->rounds)
            spread[spreads++] = fr_sample_spread(peer->latency_s, peer->rounds);
    }
    if (hops->error > strange)
        fr_bench_warn(
            context,
            "latencies differ by %.0f %% from sums over the links of --topology, which may be "
            "wrong",
            100 * hops->error);
    context->document->found.network.topology.type = types[t->type];
    fr_document_source(context->document, "/network/topology", fr_source_published,
                       "given on the command line; nodes are ordered by the numbers in host "
                       "names or by their order in the job");
    if (t->type != FR_IS_UNIFORM)
        context->document->found.network.topology.nodes_per_router = t->nodes_per_router;
    if (t->type == FR_IS_TORUS)
        write_torus(context->document, hops);
    else if (t->type == FR_IS_DRAGONFLY)
        write_dragonfly(context->document, hops);
    else
        write_uniform(context->document, hops);
    fr_document_source(
        context->document, "/network/topology/hop_latency_s",
        fr_document_measured(samples, spreads ? fr_sample_median(spread, spreads) : 0, NULL),
        "half a round trip of empty messages from one node to %d others, %s; without links %.4g "
        "s, root mean square error %.1f %%",
        hops->peers,
        t->type == FR_IS_UNIFORM ? "mean minus that of the ping-pong" : "least squares over links",
        hops->constant_s, 100 * hops->error);
}

static void run(struct fr_context *context)
{
    const struct fr_links *topology = &context->networking->topology;
    struct hops *hops;

    if (topology->type == FR_NO_LINKS) {
        fr_bench_missing(context, "hops", "--topology is not given");
        return;
    }
    hops = fr_world_record(1, sizeof *hops);
    hops->topology = topology;
    if (choose_peers(context, hops)) {
        fr_bench_missing(context, "hops", "the numbers of some hosts are not nodes of --topology");
    } else {
        measure(context, hops);
        if (context->world->rank == 0 &&
            (topology->type == FR_IS_UNIFORM ? fit_uniform(context, hops) : fit(hops)))
            fr_bench_missing(context, "hops", "the nodes of this job are all equally far apart");
        else if (context->world->rank == 0)
            record(context, hops);
    }
    fr_record_free(hops);
}

const struct fr_bench fr_bench_hops = {
    .name = "hops",
    .group = "network",
    .summary = "latency of a link, with --topology",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
