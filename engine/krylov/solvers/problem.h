/* What the busiest process of a solve holds: of a grid, or of a partitioned matrix
 * (docs/models/krylov_problem.md#grids, #matrices). */
#ifndef FR_KRYLOV_PROBLEM_H
#define FR_KRYLOV_PROBLEM_H

#include "engine/krylov/partition/partition.h"
#include "engine/krylov/solvers/traffic.h"

/* What a process keeps besides the matrix. */
struct krylov_storage {
    enum krylov_preconditioner preconditioner;
    double vectors, index_bytes;
};

struct krylov_problem {
    struct krylov_bytes bytes;  /* the most of any process, each by itself */
    double own_share;           /* entries that need no foreign value, of all entries */
    double load_balance_factor; /* the most work of a process over the mean */
};

/* Points that a point reads, itself included. */
double krylov_neighbors(const struct krylov_stencil *stencil);
/* What a process inside the grid holds of the points of the stencil. */
struct krylov_holding krylov_grid_holding(const struct krylov_stencil *stencil,
                                          const struct fr_vector *process_grid);
/* The points of a process are those of the stencil, whose neighbors are all points of the box or
 * the star; `values` unknowns at each point are coupled densely.  Without a global grid every
 * process has as many. */
struct krylov_problem krylov_grid_problem(const struct krylov_stencil *stencil,
                                          const struct fr_vector *process_grid,
                                          const struct fr_vector *global_grid,
                                          const struct krylov_storage *storage);
/* Facts that krylov_partition_check accepted.  O(processes + messages); FR_OK, or FR_NOMEM with a
 * fault. */
int krylov_matrix_problem(const struct krylov_partition *facts,
                          const struct krylov_storage *storage, struct fr_arena *arena,
                          struct krylov_problem *out, struct fr_faults *faults);

#endif
