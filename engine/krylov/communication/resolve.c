/* Automatic choices of the Krylov models (allocation, grids) and refusals
 * (docs/models/krylov.md#refusals-and-warnings). */
#include "engine/krylov/communication/krylov.h"
#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <inttypes.h>
#include <math.h>

void krylov_set_run(void *values, const struct fr_saved_run *run)
{
    struct krylov_values *v = values;

    v->run = run;
}

bool krylov_is_from_run(const struct krylov_values *v, const char *name)
{
    const struct fr_param *param = v->run ? fr_param_find(v->run->model->params, name) : NULL;

    if (!param || !(v->run->given & fr_param_bit(v->run->model->params, param)) ||
        fr_param_is_open(param, v))
        return false;
    return fr_param_equal(param, v, v->run->values);
}

static void report_missing(struct fr_faults *faults, const char *field, const char *penalty)
{
    fr_fault(faults, FR_GROUP_MISSING, "calibration",
             "%s is missing; penalties without %s do not need it", field, penalty);
}

static void check_links(const struct krylov_values *v, const struct fr_calibration *cal,
                        struct fr_faults *faults)
{
    bool has_on_node = true;

    for (size_t i = 0; i < cal->network.protocols.count; i++)
        has_on_node = has_on_node && !isnan(cal->network.protocols.row[i].on_node.latency_s);
    if (v->processes_per_node > 1 && !has_on_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "network.protocols has no on_node values, which %" PRId64 " processes on a node "
                 "need; one process per node does not need them",
                 v->processes_per_node);
    if (v->nodes > 1 && !cal->has_off_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "network.protocols has no off_node values, which %" PRId64 " nodes need; one node "
                 "does not need them",
                 v->nodes);
}

/* Whether measured tables, which contain hops and max-rate, price all messages of the model. */
static bool is_measured(const struct krylov_values *v, const struct fr_calibration *cal,
                        const struct krylov_rules *rules)
{
    return (!rules->has_allreduce || krylov_has_exchange_table(v, cal)) &&
           (!rules->grid || rules->has_links || krylov_has_burst_table(v, cal));
}

static void check_penalties(const struct krylov_values *v, const struct fr_calibration *cal,
                            const struct krylov_rules *rules, struct fr_faults *faults)
{
    const bool has_topology = cal->network.topology.type >= 0;
    const bool has_all = is_measured(v, cal, rules);

    if (krylov_has(v, MAX_RATE) && isnan(cal->network.node_bandwidth_bytes_per_s) && !has_all)
        report_missing(faults, "network.node_bandwidth_bytes_per_s", "max_rate");
    if (krylov_is_congested(v) && isnan(cal->network.stall_time_s))
        report_missing(faults, "network.stall_time_s", "congestion and congestion_hops");
    if (krylov_has(v, HOPS) && !has_topology && !has_all)
        report_missing(faults, "network.topology", "hops and congestion_hops");
    else if (krylov_has(v, CONGESTION_HOPS) && krylov_is_congested(v) && !has_topology)
        report_missing(faults, "network.topology", "congestion_hops");
}

static void check_calibration(const struct krylov_values *v, const struct fr_calibration *cal,
                              const struct krylov_rules *rules, struct fr_faults *faults)
{
    const struct fr_topology *topology = &cal->network.topology;

    if (!cal->network.protocols.count) {
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "network.protocols is missing");
        return;
    }
    if (rules->has_allreduce && isnan(cal->core_peak_flops_per_s))
        fr_fault(
            faults, FR_GROUP_MISSING, "calibration",
            "node.cores_per_node or node.peak_flops_per_s is missing; they give the time of an "
            "addition");
    if (topology->type == FR_TORUS &&
        (topology->dimensions.count < 1 || topology->dimensions.count > FR_MAX_EXTENTS))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "network.topology is a torus of %zu dimensions; one to three are supported",
                 topology->dimensions.count);
    check_links(v, cal, faults);
    if (v->nodes > 1)
        check_penalties(v, cal, rules, faults);
}

static void check_size(const struct krylov_values *v, struct fr_faults *faults)
{
    if (v->nodes > KRYLOV_MOST_PROCESSES / v->processes_per_node)
        fr_fault(faults, FR_RANGE, "nodes",
                 "%" PRId64 " nodes of %" PRId64 " processes have more than %d; at most %" PRId64,
                 v->nodes, v->processes_per_node, KRYLOV_MOST_PROCESSES,
                 KRYLOV_MOST_PROCESSES / v->processes_per_node);
}

static void check_routing(const struct krylov_values *v, const struct fr_topology *topology,
                          struct fr_faults *faults)
{
    if (v->routing != ROUTING_STATIC)
        return;
    if (topology->type != FR_DRAGONFLY)
        fr_fault(faults, FR_RELATION, "routing",
                 "static applies only to a dragonfly, which this network is not; leave it out");
    else if (isnan(topology->static_class_latency_s.chassis))
        fr_fault(faults, FR_RELATION, "routing",
                 "static needs network.topology.static_hop_latency_s, which is missing from this "
                 "calibration; use dynamic");
}

static void check_eager_limit(const struct krylov_values *v, const struct fr_calibration *cal,
                              struct fr_faults *faults)
{
    if (!isnan(v->eager_limit_bytes) && cal->network.protocols.count < 2)
        fr_fault(faults, FR_RELATION, "eager_limit_bytes",
                 "this calibration has one protocol, so there is no limit to change; leave it out");
}

static void choose_allocation(struct krylov_values *v, const struct fr_topology *topology,
                              struct fr_faults *faults)
{
    v->is_allocation_assumed = false;
    if (!v->allocation.count) {
        v->allocation = krylov_assumed_allocation(topology, v->nodes);
        v->is_allocation_assumed = v->allocation.count > 0;
    }
    if (v->allocation.count)
        krylov_check_allocation(v, topology, faults);
}

static bool has_shape(const struct fr_vector *grid, size_t dimensions, double product)
{
    return grid->count == dimensions && fr_vector_product(grid) == product;
}

/* Left open: as equal as possible, or with the fewest bytes. */
static struct fr_vector automatic_grid(int64_t P, const struct krylov_rules *rules,
                                       struct fr_faults *faults)
{
    struct fr_vector grid;
    char text[80];

    if (!rules->is_fitted)
        return krylov_dims_create(P, rules->stencil->dimensions);
    grid = krylov_fitted_grid(P, rules->global_grid, rules->stencil);
    if (grid.count)
        return grid;
    fr_vector_print(rules->global_grid, text, sizeof text);
    fr_fault(faults, FR_RELATION, "global_grid",
             "%s points have no process grid of %" PRId64 " processes with at least one point in "
             "each dimension; ask for fewer processes",
             text, P);
    return (struct fr_vector){ 0 };
}

static void choose_process_grid(struct krylov_grid_values *v, const struct krylov_rules *rules,
                                struct fr_faults *faults)
{
    const double P = krylov_processes_of(&v->common);
    struct krylov_layout *layout = &v->layout;
    char text[80];

    if (!has_shape(&v->process_grid, layout->dimensions, P) &&
        krylov_is_from_run(&v->common, "process_grid"))
        v->process_grid.count = 0;
    if (!v->process_grid.count) {
        layout->process_grid = automatic_grid((int64_t)P, rules, faults);
        return;
    }
    layout->process_grid = v->process_grid;
    if (has_shape(&v->process_grid, layout->dimensions, P))
        return;
    fr_vector_print(&v->process_grid, text, sizeof text);
    fr_fault(faults, FR_RELATION, "process_grid",
             "%s is not a grid of %zu dimensions and %.0f processes", text, layout->dimensions, P);
}

/* The points of a process: those given, or the largest share of the global grid. */
static void divide(struct krylov_layout *layout, const struct krylov_rules *rules,
                   struct fr_faults *faults)
{
    const struct fr_vector *points = rules->global_grid;
    char global[80], grid[80];

    layout->local_grid = rules->stencil->local_grid;
    if (!points || !points->count)
        return;
    layout->local_grid = krylov_divided_grid(points, &layout->process_grid);
    for (size_t d = 0; d < points->count; d++) {
        if (layout->process_grid.at[d] <= points->at[d])
            continue;
        fr_vector_print(points, global, sizeof global);
        fr_vector_print(&layout->process_grid, grid, sizeof grid);
        fr_fault(faults, FR_RELATION, "process_grid",
                 "%s has more processes than the global grid %s has points in dimension %zu", grid,
                 global, d + 1);
        return;
    }
}

static bool tiles(const struct fr_vector *box, const struct fr_vector *grid, double c)
{
    if (!has_shape(box, grid->count, c))
        return false;
    for (size_t d = 0; d < grid->count; d++)
        if (grid->at[d] % box->at[d])
            return false;
    return true;
}

static void refuse_on_node_grid(const struct krylov_grid_values *v, struct fr_faults *faults)
{
    char box[80], grid[80];

    fr_vector_print(&v->on_node_grid, box, sizeof box);
    fr_vector_print(&v->layout.process_grid, grid, sizeof grid);
    fr_fault(faults, FR_RELATION, "on_node_grid",
             "%s does not tile the process grid %s with nodes of %" PRId64 " processes", box, grid,
             v->common.processes_per_node);
}

static void choose_on_node_grid(struct krylov_grid_values *v, const struct krylov_stencil *stencil,
                                bool is_node_aware, struct fr_faults *faults)
{
    const int64_t c = v->common.processes_per_node;
    struct krylov_layout *layout = &v->layout;
    const bool fits = tiles(&v->on_node_grid, &layout->process_grid, (double)c);

    if (!fits && krylov_is_from_run(&v->common, "on_node_grid"))
        v->on_node_grid.count = 0;
    layout->host_grid = (struct fr_vector){ layout->dimensions, { 1, 1, 1 } };
    if (v->on_node_grid.count && !fits)
        refuse_on_node_grid(v, faults);
    else if (v->on_node_grid.count)
        layout->on_node_grid = v->on_node_grid;
    else if (is_node_aware)
        layout->on_node_grid =
            krylov_node_aware_grid(&layout->process_grid, c, stencil, v->periodic);
    else
        layout->on_node_grid = krylov_default_grid(&layout->process_grid, c);
    if (!layout->on_node_grid.count && halo_rank_lines(&layout->process_grid) > HALO_MOST_LINES)
        fr_fault(faults, FR_RANGE, "processes_per_node",
                 "blocks of %" PRId64
                 " ranks do not form boxes of this process grid, and it is too "
                 "large to visit rank by rank; give on_node_grid, or mapping=node_aware",
                 c);
}

/* A run with mapping=topology_aware may state its grids; a request with this mapping may not. */
static void drop_grids_of_run(struct krylov_grid_values *v)
{
    if (krylov_is_from_run(&v->common, "process_grid"))
        v->process_grid.count = 0;
    if (krylov_is_from_run(&v->common, "on_node_grid"))
        v->on_node_grid.count = 0;
}

/* Whether the network supports the mapping and nothing contradicts it. */
static bool check_topology_aware(const struct krylov_grid_values *v,
                                 const struct fr_topology *topology, struct fr_faults *faults)
{
    const size_t before = faults->count;
    const double held =
        fr_vector_product(&v->common.allocation) * (double)topology->nodes_per_router;
    char text[80];

    if (v->process_grid.count || v->on_node_grid.count)
        fr_fault(faults, FR_RELATION, "mapping",
                 "topology_aware chooses both grids; leave out process_grid and on_node_grid");
    if (topology->type == FR_UNIFORM)
        fr_fault(faults, FR_RELATION, "mapping",
                 "topology_aware needs a torus or a dragonfly, and this network is uniform; use "
                 "node_aware");
    else if (topology->type < 0)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "network.topology is missing; only mapping=topology_aware needs it");
    if (topology->type == FR_TORUS && held != (double)v->common.nodes) {
        fr_vector_print(&v->common.allocation, text, sizeof text);
        fr_fault(faults, FR_RELATION, "mapping",
                 "topology_aware needs a full block of the torus, but %s routers of %" PRId64
                 " nodes hold %.0f nodes, not %" PRId64 "; ask for %.0f nodes, or for another "
                 "allocation",
                 text, topology->nodes_per_router, held, v->common.nodes, held);
    }
    return faults->count == before;
}

static void lay_out(struct krylov_grid_values *v, const struct fr_topology *topology,
                    const struct krylov_rules *rules, struct fr_faults *faults)
{
    const bool is_topology_aware = v->mapping == MAPPING_TOPOLOGY_AWARE;
    struct krylov_stencil stencil = *rules->stencil;

    if (is_topology_aware)
        drop_grids_of_run(v);
    if (is_topology_aware && !check_topology_aware(v, topology, faults))
        return;
    v->layout = (struct krylov_layout){ .dimensions = stencil.dimensions };
    if (is_topology_aware && topology->type == FR_TORUS) {
        v->layout = krylov_torus_layout(&v->common.allocation, topology->nodes_per_router,
                                        v->common.processes_per_node, stencil.dimensions);
        divide(&v->layout, rules, faults);
        return;
    }
    choose_process_grid(v, rules, faults);
    if (v->layout.process_grid.count != stencil.dimensions)
        return;
    divide(&v->layout, rules, faults);
    stencil.local_grid = v->layout.local_grid;
    choose_on_node_grid(v, &stencil, v->mapping != MAPPING_DEFAULT, faults);
}

int krylov_resolve(struct krylov_values *v, const struct fr_calibration *cal,
                   const struct krylov_rules *rules, struct fr_faults *faults)
{
    const struct fr_topology *topology = &cal->network.topology;
    const size_t before = faults->count;

    if (isnan(v->stalls_per_byte) && v->run)
        v->stalls_per_byte = v->run->stalls_per_byte;
    if (v->contention_model == FR_OPEN_CHOICE)
        v->contention_model =
            cal->exchange.count || cal->burst.count ? KRYLOV_REFINED : KRYLOV_PAPER;
    if (v->allreduce_messages_per_round == FR_OPEN_INT)
        v->allreduce_messages_per_round = v->contention_model == KRYLOV_REFINED ? 1 : 2;
    check_calibration(v, cal, rules, faults);
    if (faults->count > before)
        return FR_GROUP_MISSING;
    check_size(v, faults);
    if (faults->count > before)
        return FR_RANGE;
    check_routing(v, topology, faults);
    check_eager_limit(v, cal, faults);
    choose_allocation(v, topology, faults);
    if (rules->grid)
        lay_out(rules->grid, topology, rules, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}
