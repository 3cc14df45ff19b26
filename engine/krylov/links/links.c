/* Loads of links: the flows between nodes, and the busiest link
 * (docs/models/krylov-links.md#loads-of-links). */
#include "engine/krylov/links/links.h"

#include <math.h>

/* Above these a load is not computed.  Ranks are visited where the nodes hold no boxes; an
 * allocation may have more slots than the job has nodes. */
enum { MOST_NODES = 32768, MOST_RANKS = 131072, MOST_SLOTS = 1 << 20, MOST_LINKS = 1 << 22 };
enum { STEPS_PER_FLOW = 4, STEPS_PER_LINK = 1 };
const struct krylov_link_load krylov_no_load = { NAN, NAN, NAN, 1 };

bool krylov_has_links(const struct fr_topology *topology)
{
    if (topology->type == FR_UNIFORM)
        return topology->nodes_per_leaf && topology->uplinks_per_leaf;
    return topology->type == FR_TORUS || topology->type == FR_DRAGONFLY;
}

bool krylov_has_injection(const struct fr_calibration *cal)
{
    return !isnan(cal->network.injection_bandwidth_bytes_per_s) ||
           !isnan(cal->network.node_bandwidth_bytes_per_s);
}

int krylov_check_links(const struct fr_calibration *cal, struct fr_faults *faults)
{
    if (krylov_has_injection(cal))
        return FR_OK;
    return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                    "network.injection_bandwidth_bytes_per_s is missing, and so is "
                    "network.node_bandwidth_bytes_per_s; link_sharing=false needs neither");
}

/* ---- bandwidths ----------------------------------------------------------------------------- */

static double class_bandwidth(const struct fr_link_bandwidths *bandwidth, enum krylov_link kind)
{
    if (kind == LINK_CHASSIS)
        return bandwidth->chassis;
    if (kind == LINK_GROUP)
        return bandwidth->group;
    if (kind == LINK_GLOBAL)
        return bandwidth->global;
    if (kind == LINK_UP)
        return bandwidth->up;
    return kind == LINK_DOWN ? bandwidth->down : bandwidth->torus;
}

static double node_bandwidth(struct fr_evaluation *run)
{
    run->out->used |= FR_USE(NODE_BANDWIDTH);
    return run->cal->network.node_bandwidth_bytes_per_s;
}

static double bandwidth_of(enum krylov_link kind, struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;
    const double injection = cal->network.injection_bandwidth_bytes_per_s;
    double bandwidth;

    if (kind == LINK_OUT || kind == LINK_IN) {
        if (isnan(injection))
            return node_bandwidth(run);
        run->out->used |= FR_USE(INJECTION);
        return injection;
    }
    bandwidth = class_bandwidth(&cal->network.topology.link_bandwidth_bytes_per_s, kind);
    run->out->used |= FR_USE(TOPOLOGY);
    if (!isnan(bandwidth))
        return bandwidth;
    bandwidth = isnan(cal->network.node_bandwidth_bytes_per_s) ? injection : node_bandwidth(run);
    fr_warn(run->out, FR_WARN_LINK_BANDWIDTH, NULL, bandwidth, bandwidth, bandwidth);
    return bandwidth;
}

/* ---- network -------------------------------------------------------------------------------- */

/* Skipped: too large, or the mapping has no places. */
enum outcome { READY, SKIPPED, SHORT };

static enum outcome allocate(struct krylov_network *network, int64_t nodes, struct fr_arena *arena)
{
    network->place = fr_arena_zeroed(arena, (size_t)nodes, sizeof *network->place);
    if (!network->place)
        return SHORT;
    for (size_t kind = 0; kind < LINKS; kind++) { /* one more: the change after the last node */
        network->load[kind] =
            fr_arena_zeroed(arena, (size_t)network->count[kind] + 1, sizeof **network->load);
        if (!network->load[kind])
            return SHORT;
    }
    return READY;
}

/* `slots` is the number of slots of the allocation, whose permutation is temporary. */
static enum outcome place_nodes(const struct krylov_values *v, enum fr_placement placement,
                                struct krylov_network *network, int64_t slots,
                                struct fr_arena *arena)
{
    int32_t *slot = NULL; /* block: node k in slot k */

    if (placement == FR_SCATTERED) {
        slot = fr_arena_zeroed(arena, (size_t)slots, sizeof *slot);
        if (!slot)
            return SHORT;
        krylov_shuffle(slots, slot);
    }
    for (int64_t k = 0; k < v->nodes; k++)
        network->place[k] =
            krylov_place_of(network->topology, &v->allocation, v->nodes, slot ? slot[k] : k);
    return READY;
}

/* Node (n_1, n_2, n_3) lies at router floor(n_d / host_d), whatever the batch system did. */
static void place_along_torus(const struct halo_grid *grid, struct krylov_network *network)
{
    int64_t nodes[FR_MAX_EXTENTS], k = 0;

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        nodes[d] = grid->process[d] / grid->on_node[d];
    for (int64_t i = 0; i < nodes[0]; i++)
        for (int64_t j = 0; j < nodes[1]; j++)
            for (int64_t l = 0; l < nodes[2]; l++)
                network->place[k++] = (struct krylov_place){ { (int32_t)(i / grid->host[0]),
                                                               (int32_t)(j / grid->host[1]),
                                                               (int32_t)(l / grid->host[2]) },
                                                             0 };
}

static bool prepare_torus(int64_t nodes, bool is_in_order, struct krylov_network *network,
                          struct fr_arena *arena)
{
    return krylov_torus_prepare(network, nodes, arena) &&
           (!is_in_order || krylov_runs_prepare(network, arena));
}

/* `grid` is NULL unless the mapping places the nodes.  The caller releases the arena. */
static enum outcome prepare(const struct krylov_values *v, enum fr_placement placement,
                            const struct halo_grid *grid, double flows,
                            struct krylov_network *network, struct fr_evaluation *run)
{
    const struct fr_topology *topology = &run->cal->network.topology;
    const double slots = krylov_slots(topology, &v->allocation, v->nodes);
    enum outcome outcome;
    double links;

    if (v->nodes > MOST_NODES || slots > MOST_SLOTS)
        return SKIPPED;
    links = krylov_network_measure(network, topology, &v->allocation, v->nodes);
    if (links > MOST_LINKS)
        return SKIPPED;
    if (!fr_arena_afford(run->arena, STEPS_PER_FLOW * flows + STEPS_PER_LINK * links))
        return SHORT;
    outcome = allocate(network, v->nodes, run->arena);
    if (outcome == READY && grid)
        place_along_torus(grid, network);
    else if (outcome == READY)
        outcome = place_nodes(v, placement, network, (int64_t)slots, run->arena);
    if (outcome == READY && topology->type == FR_TORUS &&
        !prepare_torus(v->nodes, !grid && placement != FR_SCATTERED, network, run->arena))
        outcome = SHORT;
    return outcome;
}

static void report(enum outcome outcome, const struct krylov_values *v, struct fr_evaluation *run)
{
    const double nodes = (double)v->nodes;

    if (outcome == SHORT)
        fr_fault(run->faults, FR_NOMEM, "link_sharing",
                 "the loads of the links do not fit into what a request may take; give "
                 "link_sharing=false");
    else if (outcome == SKIPPED)
        fr_warn(run->out, FR_WARN_LINKS_SKIPPED, NULL, nodes, nodes, nodes);
}

/* ---- loads ---------------------------------------------------------------------------------- */

static void consider(const struct krylov_load *link, double bandwidth,
                     struct krylov_link_load *most)
{
    const double rounding = 1e-12, link_s = link->bytes / bandwidth;

    most->link_protocol_s = fmax(most->link_protocol_s, link->weighted / bandwidth);
    if (link_s > most->link_s * (1 + rounding))
        most->link_bytes = link->bytes;
    else if (link_s >= most->link_s * (1 - rounding))
        most->link_bytes = fmax(most->link_bytes, link->bytes);
    most->link_s = fmax(most->link_s, link_s);
}

static struct krylov_link_load busiest(struct krylov_network *network, struct fr_evaluation *run)
{
    struct krylov_link_load most = { 0, 0, 0, 1 };

    krylov_runs_finish(network);
    for (size_t kind = 0; kind < LINKS; kind++)
        if (network->count[kind]) {
            const struct krylov_load link = krylov_network_most(network, (enum krylov_link)kind);

            consider(&link, bandwidth_of((enum krylov_link)kind, run), &most);
        }
    return most;
}

double krylov_protocol_rate(const struct krylov_values *v, double bytes, struct fr_evaluation *run)
{
    const struct fr_protocol *last =
        &run->cal->network.protocols.row[run->cal->network.protocols.count - 1];

    return krylov_inverse_bandwidth(v, run, bytes) / last->off_node.inverse_bandwidth_s_per_byte;
}

static struct krylov_load load_of(const struct krylov_values *v, double bytes,
                                  struct fr_evaluation *run)
{
    return (struct krylov_load){ bytes, bytes * krylov_protocol_rate(v, bytes, run) };
}

static struct krylov_kinds kinds_of(const struct krylov_values *v,
                                    const struct krylov_stencil *wide, struct fr_evaluation *run)
{
    struct krylov_kinds kinds = { { { 0, 0 } } };

    for (unsigned kind = 1; kind < KINDS; kind++)
        if (wide->is_full || !(kind & (kind - 1)))
            kinds.of[kind] = load_of(v, krylov_message_bytes(wide, kind), run);
    return kinds;
}

/* Whether topology_aware says where the nodes lie. */
static bool is_placed(const struct krylov_grid_values *v, const struct fr_topology *topology)
{
    return topology->type == FR_TORUS && v->layout.dimensions == FR_MAX_EXTENTS;
}

struct krylov_link_load krylov_grid_load(const struct krylov_grid_values *v,
                                         const struct krylov_stencil *stencil,
                                         enum fr_placement placement, struct fr_evaluation *run)
{
    const struct krylov_values *common = &v->common;
    const struct fr_arena_mark mark = fr_arena_mark(run->arena);
    const struct halo_grid grid = halo_grid_of(v, stencil);
    const struct krylov_stencil wide = halo_padded(stencil);
    const struct krylov_kinds kinds = kinds_of(common, &wide, run);
    const bool is_aware = v->mapping == MAPPING_TOPOLOGY_AWARE;
    const double ranks = krylov_processes_of(common);
    const double messages = stencil->is_full ? 26 : 6;
    struct krylov_link_load load = krylov_no_load;
    struct krylov_network network;
    enum outcome outcome = SKIPPED;

    if (common->nodes == 1)
        return krylov_no_load;
    if ((!is_aware || is_placed(v, &run->cal->network.topology)) &&
        (grid.is_boxed || ranks <= MOST_RANKS))
        outcome =
            prepare(common, placement, is_aware ? &grid : NULL,
                    messages * (grid.is_boxed ? (double)common->nodes : ranks), &network, run);
    report(outcome, common, run);
    if (outcome == READY) {
        (grid.is_boxed ? krylov_add_boxes : krylov_add_ranks)(&grid, &kinds, &network);
        load = busiest(&network, run);
    }
    fr_arena_release(run->arena, mark);
    return load;
}

struct krylov_link_load krylov_partition_load(const struct krylov_values *v,
                                              const struct krylov_words *message, size_t messages,
                                              enum fr_placement placement,
                                              struct fr_evaluation *run)
{
    const struct fr_arena_mark mark = fr_arena_mark(run->arena);
    const int64_t c = v->processes_per_node;
    struct krylov_link_load load = krylov_no_load;
    struct krylov_network network;
    enum outcome outcome;

    if (v->nodes == 1)
        return krylov_no_load;
    outcome = prepare(v, placement, NULL, (double)messages, &network, run);
    report(outcome, v, run);
    for (size_t i = 0; outcome == READY && i < messages; i++)
        if (message[i].from / c != message[i].to / c)
            krylov_network_add(
                &network,
                &(struct krylov_flows){
                    .from = message[i].from / c, .to = message[i].to / c, .count = 1, .rows = 1 },
                load_of(v, 8 * (double)message[i].words, run));
    if (outcome == READY)
        load = busiest(&network, run);
    fr_arena_release(run->arena, mark);
    return load;
}
