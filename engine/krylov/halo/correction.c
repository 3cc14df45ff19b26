/* Links corrected by measured bursts (docs/models/krylov-links.md#correction-by-bursts). */
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/halo/halo.h"

#include <math.h>

bool krylov_has_bursts(const struct krylov_values *v, const struct fr_calibration *cal)
{
    const double processes = krylov_processes_of(v);

    for (size_t i = 0; krylov_has_burst_table(v, cal) && i < cal->burst.count; i++)
        if (cal->burst.row[i].key[FR_TIMING_PROCESSES] == processes)
            return true;
    return false;
}

enum fr_placement krylov_measured_placement(const struct fr_calibration *cal)
{
    return cal->contention.burst_placement == FR_SCATTERED ? FR_SCATTERED : FR_BLOCK;
}

/* The grid that forerun-calibrate measures bursts on, in protocols and with costs of their time. */
static struct krylov_grid_values measured_grid(const struct krylov_values *v)
{
    struct krylov_grid_values grid = {
        .common = *v,
        .periodic = true,
        .process = PROCESS_SLOWEST,
        .mapping = MAPPING_DEFAULT,
        .layout = { .dimensions = FR_MAX_EXTENTS,
                    .host_grid = { .count = FR_MAX_EXTENTS, .at = { 1, 1, 1 } } },
    };
    struct krylov_layout *layout = &grid.layout;

    grid.common.eager_limit_bytes = NAN;
    grid.common.stalls_per_byte = 0;
    grid.common.overlap = true;
    layout->process_grid = krylov_dims_create(v->nodes * v->processes_per_node, layout->dimensions);
    layout->on_node_grid = krylov_default_grid(&layout->process_grid, v->processes_per_node);
    return grid;
}

static struct krylov_stencil faces_of(double message_bytes)
{
    return (struct krylov_stencil){
        .dimensions = FR_MAX_EXTENTS,
        .message_bytes = message_bytes,
        .values_per_point = 1,
    };
}

struct krylov_link_load krylov_burst_load(const struct krylov_grid_values *v,
                                          struct fr_evaluation *run)
{
    const struct krylov_grid_values grid = measured_grid(&v->common);
    const struct krylov_stencil faces = faces_of(1);

    if (v->layout.dimensions != FR_MAX_EXTENTS || !krylov_has_bursts(&v->common, run->cal))
        return krylov_no_load;
    return krylov_grid_load(&grid, &faces, krylov_measured_placement(run->cal), run);
}

/* The measured over the estimated time of a burst of messages of this size. */
static double correction_of(const struct krylov_values *v, const struct krylov_link_load *burst,
                            double message_bytes, struct fr_evaluation *run)
{
    const struct krylov_grid_values grid = measured_grid(v);
    const struct krylov_stencil faces = faces_of(message_bytes);
    const struct krylov_link_load load = {
        .link_s = burst->link_s * message_bytes,
        .link_bytes = burst->link_bytes * message_bytes,
        .link_protocol_s =
            burst->link_s * message_bytes * krylov_protocol_rate(&grid.common, message_bytes, run),
        .correction = 1,
    };
    const struct krylov_overlap measured = { .is_blocking = true };
    const struct krylov_overlap estimated = { .is_blocking = true, .load = &load };

    return krylov_halo_exchange(&grid, &faces, run, &measured).time_slowest_s /
           krylov_halo_exchange(&grid, &faces, run, &estimated).time_slowest_s;
}

static bool has_equal_faces(const struct krylov_stencil *stencil)
{
    for (size_t d = 1; d < stencil->dimensions; d++)
        if (krylov_message_bytes(stencil, 1u << d) != krylov_message_bytes(stencil, 1))
            return false;
    return true;
}

/* On a dragonfly topology_aware puts its boxes on the nodes in the network's order; on a torus it
 * places them by their coordinates. */
static bool is_placed_as_measured(const struct krylov_grid_values *v, enum fr_placement placement,
                                  const struct fr_calibration *cal)
{
    if (v->mapping != MAPPING_TOPOLOGY_AWARE)
        return placement == krylov_measured_placement(cal);
    return cal->network.topology.type == FR_DRAGONFLY && krylov_measured_placement(cal) == FR_BLOCK;
}

bool krylov_is_burst(const struct krylov_grid_values *v, const struct krylov_stencil *stencil,
                     enum fr_placement placement, const struct fr_calibration *cal)
{
    struct krylov_grid_values measured;

    if (v->layout.dimensions != FR_MAX_EXTENTS || !krylov_has_bursts(&v->common, cal))
        return false;
    measured = measured_grid(&v->common);
    return is_placed_as_measured(v, placement, cal) && isnan(v->common.eager_limit_bytes) &&
           has_equal_faces(stencil) &&
           fr_vector_equal(&v->layout.process_grid, &measured.layout.process_grid) &&
           fr_vector_equal(&v->layout.on_node_grid, &measured.layout.on_node_grid);
}

/* The mean over the bytes that a process sends: long messages decide the time. */
static double mean_bytes(const struct krylov_stencil *stencil, const struct fr_vector *process_grid)
{
    double bytes = 0, squares = 0;

    for (unsigned kind = 1; kind < 1u << process_grid->count; kind++) {
        const double message = krylov_message_bytes(stencil, kind);
        double messages = 1;

        if (kind & (kind - 1) && !stencil->is_full)
            continue;
        for (size_t d = 0; d < process_grid->count; d++)
            if (kind & 1u << d)
                messages *= process_grid->at[d] > 1 ? 2 : 0;
        bytes += messages * message;
        squares += messages * message * message;
    }
    return bytes > 0 ? squares / bytes : 0;
}

struct krylov_link_load krylov_corrected_load(const struct krylov_grid_values *v,
                                              const struct krylov_stencil *stencil,
                                              enum fr_placement placement,
                                              const struct krylov_link_load *burst,
                                              struct fr_evaluation *run)
{
    const bool is_dragonfly = run->cal->network.topology.type == FR_DRAGONFLY;
    const bool has_bursts = !isnan(burst->link_s);
    struct krylov_grid_values placed = *v;
    struct krylov_link_load load;

    if (has_bursts && is_dragonfly && v->mapping == MAPPING_TOPOLOGY_AWARE) {
        placed.mapping = MAPPING_NODE_AWARE; /* its boxes, on nodes in the network's order */
        placement = FR_BLOCK;
    }
    load = krylov_grid_load(&placed, stencil, placement, run);
    if (has_bursts && !isnan(load.link_s))
        load.correction =
            correction_of(&v->common, burst, mean_bytes(stencil, &v->layout.process_grid), run);
    return load;
}

struct krylov_link_load krylov_known_load(const struct krylov_grid_values *v,
                                          const struct krylov_stencil *stencil,
                                          struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;
    const enum fr_placement placement = krylov_measured_placement(cal);
    struct krylov_link_load burst;

    if (v->common.nodes == 1 || v->layout.dimensions != FR_MAX_EXTENTS ||
        !isnan(v->common.stalls_per_byte) || !krylov_has_bursts(&v->common, cal) ||
        !krylov_has_links(&cal->network.topology) || !krylov_has_injection(cal) ||
        krylov_is_burst(v, stencil, placement, cal))
        return krylov_no_load;
    burst = krylov_burst_load(v, run);
    return krylov_corrected_load(v, stencil, placement, &burst, run);
}
