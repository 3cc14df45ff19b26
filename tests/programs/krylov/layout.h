/* Which rank has which part of the grid: the mappings of krylov.md 6.2, from the engine's grids.
 *
 * Cells of the process grid are numbered with the last dimension fastest, as by MPI_Cart_create. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "engine/krylov/krylov.h"
#include "tests/programs/krylov/job.h"

struct layout {
    const struct job *job;
    size_t dimensions;
    int extent[FR_MAX_EXTENTS];
    bool is_periodic;
    int *cell_of, *rank_of; /* of each rank its cell, and back */
};

/* Of resolved values; the nodes' places in the network come from the numbers of their hosts. */
void layout_make(struct layout *layout, const struct job *job, const struct krylov_grid_values *v,
                 const struct fr_topology *topology);
void layout_free(struct layout *layout);
void layout_coordinates(const struct layout *layout, int rank, int out[FR_MAX_EXTENTS]);
/* The rank in this direction, -1, 0 or 1 in each dimension; -1: there is none. */
int layout_neighbour(const struct layout *layout, int rank, const int direction[FR_MAX_EXTENTS]);

/* Where the job lies: torus, the extents of the block of routers; dragonfly, the routers, chassis
 * and groups that hold a node; else nothing. */
struct fr_vector layout_allocation(const struct job *job, const struct fr_topology *topology);

#endif
