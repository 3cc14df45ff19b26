/* Routes through the network and the loads of their links (docs/models/krylov-links.md#routes). */
#include "engine/krylov/routes.h"

#include <math.h>

int64_t krylov_ring_way(int64_t from, int64_t to, int64_t ring)
{
    const int64_t up = to >= from ? to - from : to - from + ring;

    return 2 * up > ring ? up - ring : up;
}

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

/* The bound keeps counts that do not fit into memory from overflowing. */
static void set_count(struct krylov_network *network, enum krylov_link kind, double links)
{
    network->count[kind] = (int64_t)fmin(links, 0x1p40);
}

/* A line of a torus is as long as its block, or the whole ring if a shorter way leads out of the
 * block. */
static void measure_torus(struct krylov_network *network, const struct fr_vector *allocation)
{
    int64_t routers = 1;

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const int64_t x = d < allocation->count ? allocation->at[d] : 1;
        const int64_t ring =
            d < allocation->count ? (int64_t)network->topology->dimensions.row[d] : 1;

        network->ring[d] = ring;
        network->extent[d] = 2 * (x - 1) > ring ? ring : x;
        network->stride[d] = routers;
        routers *= network->extent[d];
    }
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        set_count(network, LINK_TORUS_UP + d, (double)routers);
        set_count(network, LINK_TORUS_DOWN + d, (double)routers);
    }
}

static void measure_dragonfly(struct krylov_network *network, int64_t groups)
{
    const int64_t chassis = network->topology->chassis_per_group;
    const int64_t routers = network->topology->routers_per_chassis;
    const double positions = (double)groups * (double)chassis * (double)routers;

    network->extent[0] = groups;
    network->extent[1] = chassis;
    network->extent[2] = routers;
    set_count(network, LINK_CHASSIS, positions * (double)routers);
    set_count(network, LINK_GROUP, positions * (double)chassis);
    set_count(network, LINK_GLOBAL, (double)groups * (double)groups);
}

double krylov_network_measure(struct krylov_network *network, const struct fr_topology *topology,
                              const struct fr_vector *allocation, int64_t nodes)
{
    double links = 0;

    *network = (struct krylov_network){ .topology = topology };
    set_count(network, LINK_OUT, (double)nodes);
    set_count(network, LINK_IN, (double)nodes);
    if (topology->type == FR_TORUS) {
        measure_torus(network, allocation);
    } else if (topology->type == FR_DRAGONFLY) {
        measure_dragonfly(network, allocation->at[2]);
    } else {
        const double leaves =
            krylov_slots(topology, allocation, nodes) / (double)topology->nodes_per_leaf;

        set_count(network, LINK_UP, leaves * (double)topology->uplinks_per_leaf);
        set_count(network, LINK_DOWN, leaves * (double)topology->uplinks_per_leaf);
    }
    for (size_t kind = 0; kind < LINKS; kind++)
        links += (double)network->count[kind];
    return links;
}

static void subtract(struct krylov_load *load, struct krylov_load flow)
{
    load->bytes -= flow.bytes;
    load->weighted -= flow.weighted;
}

/* Along dimension d, on the line whose first router is `line`.  A link is counted at its lower
 * end; a way around the ring crosses the links from the start to the end of the line, and those
 * from its beginning. */
static void add_way(struct krylov_network *network, size_t d, int64_t line, int64_t from,
                    int64_t to, struct krylov_load flow)
{
    const int64_t way = krylov_ring_way(from, to, network->ring[d]);
    const int64_t first = way > 0 ? from : to, last = way > 0 ? to : from;
    struct krylov_load *change =
        network->load[(way > 0 ? LINK_TORUS_UP : LINK_TORUS_DOWN) + d] + line;

    krylov_load_add(&change[first * network->stride[d]], flow);
    subtract(&change[last * network->stride[d]], flow);
    if (first > last)
        krylov_load_add(change, flow);
}

/* A route through a torus that goes around no ring: what it changes, relative to where it starts.
 */
struct shift {
    int64_t by[FR_MAX_EXTENTS];
    bool is_around;
    size_t ways;
    struct {
        struct krylov_load *change;
        int64_t first, last;
    } way[FR_MAX_EXTENTS];
};

static void set_shift(struct krylov_network *network, const struct krylov_place *from,
                      const struct krylov_place *to, struct shift *shift)
{
    int64_t router = 0;

    shift->ways = 0;
    shift->is_around = false;
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const int64_t a = from->at[d], b = to->at[d], by = (b - a) * network->stride[d];

        shift->by[d] = b - a;
        shift->is_around |= krylov_ring_way(a, b, network->ring[d]) != b - a;
        if (a == b)
            continue;
        shift->way[shift->ways].change =
            network->load[(b > a ? LINK_TORUS_UP : LINK_TORUS_DOWN) + d];
        shift->way[shift->ways].first = router + (b > a ? 0 : by);
        shift->way[shift->ways++].last = router + (b > a ? by : 0);
        router += by;
    }
}

static bool is_shifted(const struct shift *shift, const struct krylov_place *from,
                       const struct krylov_place *to)
{
    return to->at[0] - from->at[0] == shift->by[0] && to->at[1] - from->at[1] == shift->by[1] &&
           to->at[2] - from->at[2] == shift->by[2];
}

static void add_torus_flow(struct krylov_network *network, const struct krylov_place *from,
                           const struct krylov_place *to, struct krylov_load flow)
{
    int64_t router = from->index; /* at the target's coordinates in the dimensions behind */

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const int64_t a = from->at[d], b = to->at[d];

        if (a == b)
            continue;
        add_way(network, d, router - a * network->stride[d], a, b, flow);
        router += (b - a) * network->stride[d];
    }
}

/* Adjacent nodes mostly have routes of the same shape. */
static void add_torus_flows(struct krylov_network *network, const struct krylov_place *from,
                            const struct krylov_place *to, int64_t count, struct krylov_load flow)
{
    struct shift shift;

    set_shift(network, from, to, &shift);
    for (int64_t i = 0; i < count; i++, from++, to++) {
        if (!is_shifted(&shift, from, to))
            set_shift(network, from, to, &shift);
        if (shift.is_around) {
            add_torus_flow(network, from, to, flow);
            continue;
        }
        for (size_t way = 0; way < shift.ways; way++) {
            krylov_load_add(&shift.way[way].change[from->index + shift.way[way].first], flow);
            subtract(&shift.way[way].change[from->index + shift.way[way].last], flow);
        }
    }
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

void krylov_network_add(struct krylov_network *network, int64_t from, int64_t to, int64_t count,
                        struct krylov_load flow)
{
    const struct krylov_place *a = network->place + from, *b = network->place + to;

    for (int64_t i = 0; i < count; i++) {
        krylov_load_add(&network->load[LINK_OUT][from + i], flow);
        krylov_load_add(&network->load[LINK_IN][to + i], flow);
    }
    if (network->topology->type == FR_TORUS)
        add_torus_flows(network, a, b, count, flow);
    for (int64_t i = 0; network->topology->type != FR_TORUS && i < count; i++)
        add_hops(network, a + i, b + i, flow);
}

/* Sums the changes along each line. */
static void sum_lines(struct krylov_load *load, int64_t routers, int64_t stride, int64_t extent)
{
    for (int64_t i = 0; i < routers; i++)
        if (i / stride % extent)
            krylov_load_add(&load[i], load[i - stride]);
}

void krylov_network_sum(struct krylov_network *network)
{
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        sum_lines(network->load[LINK_TORUS_UP + d], network->count[LINK_TORUS_UP + d],
                  network->stride[d], network->extent[d]);
        sum_lines(network->load[LINK_TORUS_DOWN + d], network->count[LINK_TORUS_DOWN + d],
                  network->stride[d], network->extent[d]);
    }
}
