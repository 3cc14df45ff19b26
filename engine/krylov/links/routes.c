/* Routes through the network and the loads of their links (docs/models/krylov-links.md#routes). */
#include "engine/krylov/links/links.h"

#include <math.h>

/* The group's router number `other` modulo its routers, counted chassis by chassis, has the cable
 * to that group. */
static struct krylov_place gateway(const struct krylov_network *network, int32_t group,
                                   int32_t other)
{
    const int64_t routers = network->extent[2];
    const int64_t number = other % (network->extent[1] * routers);

    return (struct krylov_place){
        { group, (int32_t)(number / routers), (int32_t)(number % routers) }, 0
    };
}

/* Within a group: along the chassis to the target's place, then across to its chassis. */
static size_t local_route(const struct krylov_network *network, const struct krylov_place *from,
                          const struct krylov_place *to, struct krylov_hop *out)
{
    const int64_t chassis = network->extent[1], routers = network->extent[2];
    const int64_t home = from->at[0] * chassis + from->at[1];
    const int64_t rank = from->at[0] * routers + to->at[2];
    size_t count = 0;

    if (from->at[2] != to->at[2])
        out[count++] = (struct krylov_hop){ LINK_CHASSIS,
                                            (home * routers + from->at[2]) * routers + to->at[2] };
    if (from->at[1] != to->at[1])
        out[count++] =
            (struct krylov_hop){ LINK_GROUP, (rank * chassis + from->at[1]) * chassis + to->at[1] };
    return count;
}

size_t krylov_dragonfly_route(const struct krylov_network *network, const struct krylov_place *from,
                              const struct krylov_place *to,
                              struct krylov_hop out[KRYLOV_MOST_HOPS])
{
    const int32_t i = from->at[0], j = to->at[0];
    struct krylov_place exit, entry;
    size_t count;

    if (i == j)
        return local_route(network, from, to, out);
    exit = gateway(network, i, j);
    entry = gateway(network, j, i);
    count = local_route(network, from, &exit, out);
    out[count++] = (struct krylov_hop){ LINK_GLOBAL, i * network->extent[0] + j };
    return count + local_route(network, &entry, to, out + count);
}

size_t krylov_tree_route(const struct krylov_network *network, const struct krylov_place *from,
                         const struct krylov_place *to, struct krylov_hop out[KRYLOV_MOST_HOPS])
{
    const int64_t uplinks = network->topology->uplinks_per_leaf, spine = to->index % uplinks;

    if (from->at[0] == to->at[0])
        return 0;
    out[0] = (struct krylov_hop){ LINK_UP, from->at[0] * uplinks + spine };
    out[1] = (struct krylov_hop){ LINK_DOWN, to->at[0] * uplinks + spine };
    return 2;
}

void krylov_count_links(struct krylov_network *network, enum krylov_link kind, double links)
{
    network->count[kind] = (int64_t)fmin(links, 0x1p40);
}

static void measure_dragonfly(struct krylov_network *network, int64_t groups)
{
    const int64_t chassis = network->topology->chassis_per_group;
    const int64_t routers = network->topology->routers_per_chassis;
    const double positions = (double)groups * (double)chassis * (double)routers;

    network->extent[0] = groups;
    network->extent[1] = chassis;
    network->extent[2] = routers;
    krylov_count_links(network, LINK_CHASSIS, positions * (double)routers);
    krylov_count_links(network, LINK_GROUP, positions * (double)chassis);
    krylov_count_links(network, LINK_GLOBAL, (double)groups * (double)groups);
}

double krylov_network_measure(struct krylov_network *network, const struct fr_topology *topology,
                              const struct fr_vector *allocation, int64_t nodes)
{
    double links = 0;

    *network = (struct krylov_network){ .topology = topology };
    krylov_count_links(network, LINK_OUT, (double)nodes);
    krylov_count_links(network, LINK_IN, (double)nodes);
    if (topology->type == FR_TORUS) {
        krylov_torus_measure(network, allocation);
    } else if (topology->type == FR_DRAGONFLY) {
        measure_dragonfly(network, allocation->at[2]);
    } else {
        const double leaves =
            krylov_slots(topology, allocation, nodes) / (double)topology->nodes_per_leaf;

        krylov_count_links(network, LINK_UP, leaves * (double)topology->uplinks_per_leaf);
        krylov_count_links(network, LINK_DOWN, leaves * (double)topology->uplinks_per_leaf);
    }
    for (size_t kind = 0; kind < LINKS; kind++)
        links += (double)network->count[kind];
    return links;
}

static void add_hops(struct krylov_network *network, const struct krylov_place *from,
                     const struct krylov_place *to, struct krylov_load flow)
{
    struct krylov_hop hop[KRYLOV_MOST_HOPS];
    const size_t hops = network->topology->type == FR_DRAGONFLY
                            ? krylov_dragonfly_route(network, from, to, hop)
                            : krylov_tree_route(network, from, to, hop);

    for (size_t i = 0; i < hops; i++)
        krylov_load_add(&network->load[hop[i].kind][hop[i].index], flow);
}

/* What consecutive nodes add to their links is kept as a change from the node before. */
static void add_nodes(struct krylov_network *network, enum krylov_link kind, int64_t first,
                      const struct krylov_flows *flows, struct krylov_load each)
{
    struct krylov_load *change = network->load[kind] + first;

    for (int64_t r = 0; r < flows->rows; r++, change += flows->stride) {
        krylov_load_add(change, each);
        krylov_load_subtract(change + flows->count, each);
    }
}

static void add_routes(struct krylov_network *network, const struct krylov_flows *flows,
                       struct krylov_load each)
{
    const struct krylov_place *from = network->place + flows->from;
    const struct krylov_place *to = network->place + flows->to;

    for (int64_t r = 0; r < flows->rows; r++, from += flows->stride, to += flows->stride)
        for (int64_t i = 0; i < flows->count; i++)
            add_hops(network, from + i, to + i, each);
}

void krylov_network_add(struct krylov_network *network, const struct krylov_flows *flows,
                        struct krylov_load each)
{
    add_nodes(network, LINK_OUT, flows->from, flows, each);
    add_nodes(network, LINK_IN, flows->to, flows, each);
    if (network->topology->type == FR_TORUS)
        krylov_torus_add(network, flows, each);
    else
        add_routes(network, flows, each);
}

struct krylov_load krylov_network_most(const struct krylov_network *network, enum krylov_link kind)
{
    const bool is_change = kind == LINK_OUT || kind == LINK_IN;
    struct krylov_load most = { 0, 0 }, sum = { 0, 0 };

    if (kind >= LINK_TORUS && kind < LINK_CHASSIS)
        return krylov_torus_most(network, kind - LINK_TORUS);
    for (int64_t i = 0; i < network->count[kind]; i++) {
        sum = is_change ? sum : (struct krylov_load){ 0, 0 };
        krylov_load_add(&sum, network->load[kind][i]);
        krylov_load_raise(&most, sum);
    }
    return most;
}
