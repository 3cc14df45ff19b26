/* A grid and its stencil in three dimensions. */
#include "engine/krylov/communication/krylov.h"

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
        .is_one_sided = stencil->is_one_sided,
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
