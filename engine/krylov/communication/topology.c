/* Allocation of a job in the network and distance of its messages
 * (docs/models/krylov.md#distance-in-the-network). */
#include "engine/krylov/communication/krylov.h"

#include <inttypes.h>
#include <math.h>

static int64_t quotient_up(int64_t count, int64_t by)
{
    return (count + by - 1) / by;
}

/* The smallest extent with extent^power >= count. */
static int64_t least_extent(double count, size_t power)
{
    int64_t extent = (int64_t)fmax(1, floor(pow(count, 1 / (double)power)));

    while (krylov_power(extent, power) < count)
        extent++;
    while (extent > 1 && krylov_power(extent - 1, power) >= count)
        extent--;
    return extent;
}

/* Divides the routers among the dimensions that do not span the torus, as equally as possible. */
static void divide_routers(double routers, const bool *spans, struct fr_vector *block)
{
    size_t open = 0;

    for (size_t d = 0; d < block->count; d++)
        if (spans[d])
            routers /= (double)block->at[d];
        else
            open++;
    for (size_t d = 0; d < block->count; d++) {
        if (spans[d])
            continue;
        block->at[d] = least_extent(routers, open--);
        routers /= (double)block->at[d];
    }
}

/* A block as cubic as the torus allows; all of it for too many nodes. */
static struct fr_vector torus_block(const struct fr_topology *topology, int64_t nodes)
{
    const double routers = (double)quotient_up(nodes, topology->nodes_per_router);
    struct fr_vector block = { .count = topology->dimensions.count };
    bool spans[FR_MAX_EXTENTS] = { false }, is_cut;

    do {
        divide_routers(routers, spans, &block);
        is_cut = false;
        for (size_t d = 0; d < block.count; d++)
            if ((double)block.at[d] > topology->dimensions.row[d]) {
                block.at[d] = (int64_t)topology->dimensions.row[d];
                spans[d] = is_cut = true;
            }
    } while (is_cut);
    return block;
}

struct fr_vector krylov_assumed_allocation(const struct fr_topology *topology, int64_t nodes)
{
    struct fr_vector none = { .count = 0 };
    int64_t routers, chassis;

    if (topology->type == FR_TORUS)
        return torus_block(topology, nodes);
    if (topology->type != FR_DRAGONFLY)
        return none;
    routers = quotient_up(nodes, topology->nodes_per_router);
    chassis = quotient_up(routers, topology->routers_per_chassis);
    return (struct fr_vector){
        3, { routers, chassis, quotient_up(chassis, topology->chassis_per_group) }
    };
}

static int check_block(const struct krylov_values *v, const struct fr_topology *topology,
                       const char *text, struct fr_faults *faults)
{
    const struct fr_vector *x = &v->allocation;
    const double capacity = fr_vector_product(x) * (double)topology->nodes_per_router;

    for (size_t d = 0; d < x->count; d++)
        if ((double)x->at[d] > topology->dimensions.row[d])
            return fr_fault(faults, FR_RELATION, "allocation",
                            "%s is larger than the torus, whose dimension %zu has %.0f routers",
                            text, d + 1, topology->dimensions.row[d]);
    if (capacity < (double)v->nodes && v->is_allocation_assumed)
        return fr_fault(faults, FR_RELATION, "nodes",
                        "%" PRId64 " is more than the %.0f nodes of the torus; ask for at most "
                        "that many",
                        v->nodes, capacity);
    if (capacity < (double)v->nodes)
        return fr_fault(faults, FR_RELATION, "allocation",
                        "%s routers hold %.0f nodes, but the job has %" PRId64, text, capacity,
                        v->nodes);
    return FR_OK;
}

static int check_counts(const struct krylov_values *v, const struct fr_topology *topology,
                        const char *text, struct fr_faults *faults)
{
    const int64_t *at = v->allocation.at, routers = at[0], chassis = at[1], groups = at[2];

    if (v->nodes < routers || routers < chassis || chassis < groups)
        return fr_fault(faults, FR_RELATION, "allocation",
                        "%s: there must be at most %" PRId64 " routers, at most as many chassis as "
                        "routers and at most as many groups as chassis",
                        text, v->nodes);
    if (v->nodes > routers * topology->nodes_per_router)
        return fr_fault(faults, FR_RELATION, "allocation",
                        "%s: %" PRId64 " nodes need at least %" PRId64 " routers", text, v->nodes,
                        quotient_up(v->nodes, topology->nodes_per_router));
    if (routers > chassis * topology->routers_per_chassis)
        return fr_fault(faults, FR_RELATION, "allocation",
                        "%s: %" PRId64 " routers need at least %" PRId64 " chassis", text, routers,
                        quotient_up(routers, topology->routers_per_chassis));
    if (chassis > groups * topology->chassis_per_group)
        return fr_fault(faults, FR_RELATION, "allocation",
                        "%s: %" PRId64 " chassis need at least %" PRId64 " groups", text, chassis,
                        quotient_up(chassis, topology->chassis_per_group));
    return FR_OK;
}

int krylov_check_allocation(const struct krylov_values *v, const struct fr_topology *topology,
                            struct fr_faults *faults)
{
    const size_t extents = topology->type == FR_TORUS ? topology->dimensions.count : 3;
    char text[80];

    if (topology->type != FR_TORUS && topology->type != FR_DRAGONFLY)
        return FR_OK;
    fr_vector_print(&v->allocation, text, sizeof text);
    if (v->allocation.count != extents)
        return fr_fault(faults, FR_RELATION, "allocation", "%s: must be %zu numbers, %s", text,
                        extents,
                        topology->type == FR_TORUS ? "one for each dimension of the torus"
                                                   : "routers, chassis and groups");
    return topology->type == FR_TORUS ? check_block(v, topology, text, faults)
                                      : check_counts(v, topology, text, faults);
}

static const struct fr_hop_links *class_latency(const struct krylov_values *v,
                                                const struct fr_topology *topology)
{
    return v->routing == ROUTING_STATIC ? &topology->static_class_latency_s
                                        : &topology->class_latency_s;
}

double krylov_hop_latency_s(const struct krylov_values *v, const struct fr_topology *topology)
{
    const fr_numbers *each = &topology->hop_latency_s;
    double sum = 0;

    if (topology->type == FR_DRAGONFLY)
        return class_latency(v, topology)->chassis;
    for (size_t i = 0; i < each->count; i++)
        sum += each->row[i];
    return sum / (double)each->count;
}

/* Rounds of 1, 2, 4, ... hops along each dimension, or of 1 hop each
 * (docs/models/krylov.md#decision-steps-of-the-best-case). */
static double best_torus_hops(const struct krylov_values *v)
{
    double sum = 0;

    for (size_t d = 0; d < v->allocation.count; d++) {
        const double x = (double)v->allocation.at[d];

        sum += v->hop_best_step == STEP_UNIT ? log2(x) : x - 1;
    }
    return sum / log2((double)v->nodes);
}

static double torus_hops(const struct krylov_values *v, const struct fr_topology *topology,
                         bool is_allreduce)
{
    double D = 0; /* hops of the farthest pair */

    for (size_t d = 0; d < v->allocation.count; d++)
        D += fmin((double)v->allocation.at[d] - 1, floor(topology->dimensions.row[d] / 2));
    switch (v->hop_estimate) {
    case HOPS_BEST: /* docs/models/krylov.md#decision-the-best-case-is-not-above-the-average */
        return fmin(D / 4, is_allreduce ? best_torus_hops(v) : 1);
    case HOPS_MAX:
        return D / 2;
    default:
        return D / 4;
    }
}

static const struct fr_hop_links *links_of(const struct krylov_values *v,
                                           const struct fr_hop_estimates *estimates)
{
    if (v->hop_estimate == HOPS_BEST)
        return &estimates->best;
    return v->hop_estimate == HOPS_MAX ? &estimates->max : &estimates->average;
}

static struct krylov_distance plus_links(struct krylov_distance distance, double weight,
                                         double links, double latency_s)
{
    if (!isnan(links)) { /* NaN: the route does not use these links */
        distance.hops += weight * links;
        distance.latency_s += weight * links * latency_s;
    }
    return distance;
}

/* Weights divide the rounds among the link classes as for evenly spread nodes
 * (docs/models/krylov.md#decision-dragonfly-weights). */
static struct krylov_distance dragonfly_distance(const struct krylov_values *v,
                                                 const struct fr_topology *topology)
{
    const double routers = (double)v->allocation.at[0], chassis = (double)v->allocation.at[1];
    const double groups = (double)v->allocation.at[2], rounds = log2((double)v->nodes);
    const struct fr_hop_links *latency = class_latency(v, topology);
    const struct {
        double weight;
        const struct fr_hop_estimates *estimates;
    } class[] = {
        { log2(routers / chassis) / rounds, &topology->hop_classes.chassis },
        { log2(chassis / groups) / rounds, &topology->hop_classes.group },
        { log2(groups) / rounds, &topology->hop_classes.global },
    };
    struct krylov_distance distance = { 0, 0 };

    for (size_t i = 0; i < sizeof class / sizeof *class; i++) {
        const struct fr_hop_links *links = links_of(v, class[i].estimates);

        distance = plus_links(distance, class[i].weight, links->chassis, latency->chassis);
        distance = plus_links(distance, class[i].weight, links->group, latency->group);
        distance = plus_links(distance, class[i].weight, links->global, latency->global);
    }
    return distance;
}

static double uniform_hops(const struct krylov_values *v, const struct fr_topology *topology)
{
    if (v->hop_estimate == HOPS_BEST)
        return topology->hops.best;
    return v->hop_estimate == HOPS_MAX ? topology->hops.max : topology->hops.average;
}

struct krylov_distance krylov_distance(const struct krylov_values *v, struct fr_evaluation *run,
                                       bool is_allreduce)
{
    const struct fr_topology *topology = &run->cal->network.topology;
    double hops;

    if (v->nodes == 1)
        return (struct krylov_distance){ 0, 0 };
    if (topology->type < 0)
        return (struct krylov_distance){ NAN, NAN };
    run->out->used |= FR_USE(TOPOLOGY);
    if (topology->type == FR_DRAGONFLY)
        return dragonfly_distance(v, topology);
    hops = topology->type == FR_TORUS ? torus_hops(v, topology, is_allreduce)
                                      : uniform_hops(v, topology);
    return (struct krylov_distance){ hops, hops * krylov_hop_latency_s(v, topology) };
}
