/* Location of nodes in the network, and of ranks in the process grid. */
#include "tests/programs/krylov/layout.h"

#include <string.h>

#include "calibrations/calibrate/core/document.h"

/* SimGrid numbers the hosts of a torus with the first dimension fastest. */
static void torus_place(const struct fr_topology *topology, int host, int out[FR_MAX_EXTENTS])
{
    int64_t rest = host / topology->nodes_per_router;

    for (size_t d = 0; d < topology->dimensions.count; d++) {
        const int64_t extent = (int64_t)topology->dimensions.row[d];

        out[d] = (int)(rest % extent);
        rest /= extent;
    }
}

/* The block of routers that holds the job. */
struct block {
    int low[FR_MAX_EXTENTS], high[FR_MAX_EXTENTS];
};

static struct block block_of(const struct job *job, const struct fr_topology *topology)
{
    struct block block = { .low = { INT32_MAX, INT32_MAX, INT32_MAX } };
    int at[FR_MAX_EXTENTS];

    for (int i = 0; i < job->nodes; i++) {
        torus_place(topology, job->host[i], at);
        for (size_t d = 0; d < topology->dimensions.count; d++) {
            block.low[d] = at[d] < block.low[d] ? at[d] : block.low[d];
            block.high[d] = at[d] > block.high[d] ? at[d] : block.high[d];
        }
    }
    return block;
}

/* The number of different quotients of host numbers by hosts_each. */
static int64_t count_units(const struct job *job, int64_t hosts_each)
{
    int64_t units = 0;

    for (int i = 0; i < job->nodes; i++) {
        bool is_new = true;

        for (int j = 0; is_new && j < i; j++)
            is_new = job->host[i] / hosts_each != job->host[j] / hosts_each;
        units += is_new;
    }
    return units;
}

struct fr_vector layout_allocation(const struct job *job, const struct fr_topology *topology)
{
    struct fr_vector allocation = { .count = 0 };

    if (topology->type == FR_TORUS) {
        const struct block block = block_of(job, topology);

        allocation.count = topology->dimensions.count;
        for (size_t d = 0; d < allocation.count; d++)
            allocation.at[d] = block.high[d] - block.low[d] + 1;
    } else if (topology->type == FR_DRAGONFLY) {
        const int64_t router = topology->nodes_per_router;
        const int64_t chassis = router * topology->routers_per_chassis;

        allocation.count = 3;
        allocation.at[0] = count_units(job, router);
        allocation.at[1] = count_units(job, chassis);
        allocation.at[2] = count_units(job, chassis * topology->chassis_per_group);
    }
    return allocation;
}

/* The number of nodes with a lower host number. */
static int order_of(const struct job *job, int node)
{
    int before = 0;

    for (int i = 0; i < job->nodes; i++)
        before += job->host[i] < job->host[node];
    return before;
}

static void to_coordinates(int64_t index, size_t dimensions, const int64_t *extent, int64_t *out)
{
    for (size_t d = dimensions; d-- > 0;) {
        out[d] = index % extent[d];
        index /= extent[d];
    }
}

/* Coordinates along the torus; dimensions that the grid lacks are merged along a snake. */
static void follow_torus(const struct job *job, const struct fr_topology *topology,
                         const struct krylov_layout *grid, int node, int64_t out[FR_MAX_EXTENTS])
{
    const struct block block = block_of(job, topology);
    const size_t last = grid->dimensions - 1;
    int64_t within[FR_MAX_EXTENTS];
    int at[FR_MAX_EXTENTS];

    torus_place(topology, job->host[node], at);
    memset(out, 0, FR_MAX_EXTENTS * sizeof *out);
    for (size_t d = 0; d < topology->dimensions.count; d++) {
        const int extent = block.high[d] - block.low[d] + 1, x = at[d] - block.low[d];
        int64_t *to = &out[d < last ? d : last];

        *to = *to * extent + (*to % 2 ? extent - 1 - x : x);
    }
    to_coordinates(job->host[node] % topology->nodes_per_router, grid->dimensions,
                   grid->host_grid.at, within);
    for (size_t d = 0; d < grid->dimensions; d++)
        out[d] = out[d] * grid->host_grid.at[d] + within[d];
}

static void place_node(const struct job *job, const struct krylov_grid_values *v,
                       const struct fr_topology *topology, int node, int64_t out[FR_MAX_EXTENTS])
{
    const struct krylov_layout *grid = &v->layout;
    const bool is_topology_aware = v->mapping == MAPPING_TOPOLOGY_AWARE;
    int64_t extent[FR_MAX_EXTENTS];

    if (is_topology_aware && topology->type == FR_TORUS) {
        follow_torus(job, topology, grid, node, out);
        return;
    }
    for (size_t d = 0; d < grid->dimensions; d++)
        extent[d] = grid->process_grid.at[d] / grid->on_node_grid.at[d];
    to_coordinates(is_topology_aware ? order_of(job, node) : node, grid->dimensions, extent, out);
}

static int cell_in_box(const struct job *job, const struct krylov_grid_values *v,
                       const struct fr_topology *topology, int rank)
{
    const struct krylov_layout *grid = &v->layout;
    int64_t node[FR_MAX_EXTENTS], within[FR_MAX_EXTENTS], cell = 0;

    place_node(job, v, topology, rank / job->per_node, node);
    to_coordinates(rank % job->per_node, grid->dimensions, grid->on_node_grid.at, within);
    for (size_t d = 0; d < grid->dimensions; d++)
        cell = cell * grid->process_grid.at[d] + node[d] * grid->on_node_grid.at[d] + within[d];
    return (int)cell;
}

void layout_make(struct layout *layout, const struct job *job, const struct krylov_grid_values *v,
                 const struct fr_topology *topology)
{
    const bool is_plain = v->mapping == MAPPING_DEFAULT && !v->on_node_grid.count;

    *layout = (struct layout){
        .job = job,
        .dimensions = v->layout.dimensions,
        .is_periodic = v->periodic,
        .cell_of = job_room((size_t)job->size, sizeof(int)),
        .rank_of = job_room((size_t)job->size, sizeof(int)),
    };
    for (size_t d = 0; d < layout->dimensions; d++)
        layout->extent[d] = (int)v->layout.process_grid.at[d];
    for (int i = 0; i < job->size; i++)
        layout->rank_of[i] = -1;
    for (int i = 0; i < job->size; i++) {
        layout->cell_of[i] = is_plain ? i : cell_in_box(job, v, topology, i);
        if (layout->rank_of[layout->cell_of[i]] >= 0)
            job_refuse(
                "two ranks have the same part of the grid: the host file must list each host "
                "once for each of its ranks, and host names must end in their number");
        layout->rank_of[layout->cell_of[i]] = i;
    }
}

void layout_free(struct layout *layout)
{
    fr_record_free(layout->cell_of);
    fr_record_free(layout->rank_of);
}

void layout_coordinates(const struct layout *layout, int rank, int out[FR_MAX_EXTENTS])
{
    int cell = layout->cell_of[rank];

    for (size_t d = layout->dimensions; d-- > 0;) {
        out[d] = cell % layout->extent[d];
        cell /= layout->extent[d];
    }
}

int layout_neighbour(const struct layout *layout, int rank, const int direction[FR_MAX_EXTENTS])
{
    int at[FR_MAX_EXTENTS], cell = 0;

    layout_coordinates(layout, rank, at);
    for (size_t d = 0; d < layout->dimensions; d++) {
        const int extent = layout->extent[d];
        int x = at[d] + direction[d];

        if ((x < 0 || x >= extent || extent == 1) && direction[d] &&
            (!layout->is_periodic || extent == 1))
            return -1;
        x = (x + extent) % extent;
        cell = cell * extent + x;
    }
    return layout->rank_of[cell];
}
