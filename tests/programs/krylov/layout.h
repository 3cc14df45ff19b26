/* Mapping of ranks to cells of the process grid, by the grids of the engine
 * (docs/models/krylov.md#process-grid-and-mapping).
 *
 * Cells are numbered with the last dimension fastest, as by MPI_Cart_create. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "engine/krylov/communication/krylov.h"
#include "tests/programs/krylov/job.h"

struct layout {
    const struct job *job;
    size_t dimensions;
    int extent[FR_MAX_EXTENTS];
    bool is_periodic;
    int *cell_of, *rank_of; /* the cell of each rank, and the rank of each cell */
};

/* From resolved values; host numbers give the location of the nodes.  Free with layout_free. */
void layout_make(struct layout *layout, const struct job *job, const struct krylov_grid_values *v,
                 const struct fr_topology *topology);
void layout_free(struct layout *layout);
void layout_coordinates(const struct layout *layout, int rank, int out[FR_MAX_EXTENTS]);
/* The neighbour in a direction, -1, 0 or 1 in each dimension; -1 if there is none. */
int layout_neighbour(const struct layout *layout, int rank, const int direction[FR_MAX_EXTENTS]);

/* The allocation of the job: on a torus the extents of its block of routers, on a dragonfly the
 * numbers of routers, chassis and groups that hold a node, else empty. */
struct fr_vector layout_allocation(const struct job *job, const struct fr_topology *topology);

#endif
