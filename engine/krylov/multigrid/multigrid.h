/* A V-cycle of multigrid, level by level (docs/models/multigrid.md). */
#ifndef FR_KRYLOV_MULTIGRID_H
#define FR_KRYLOV_MULTIGRID_H

#include "engine/krylov/links/links.h"
#include "engine/krylov/multigrid/levels.h"

enum krylov_smoother { SMOOTHER_JACOBI, SMOOTHER_SOR, SMOOTHER_SSOR, SMOOTHER_CHEBYSHEV };
enum krylov_coarse_solver { COARSE_REDUNDANT, COARSE_GATHERED, COARSE_SMOOTHER };
extern const char *const krylov_smoothers[], *const krylov_coarse_solvers[]; /* NULL at the end */

struct krylov_smoothing {
    enum krylov_smoother smoother;
    enum krylov_coarse_solver coarse_solver;
    double pre_sweeps, post_sweeps;
};

/* A sweep multiplies by the matrix and does vector work, or traverses the matrix so often.  A first
 * sweep from a zero guess needs no product.  Words are moved for each row. */
struct krylov_sweep {
    double traversals, words, first_words, zero_words;
    double vectors; /* of a level: right-hand side, solution, residual, those of the smoother */
};
const struct krylov_sweep *krylov_sweep(enum krylov_smoother smoother);
/* Bytes that a direct solve of a level moves, and touches. */
double krylov_dense_bytes(const struct krylov_level *level);

/* Bytes of the levels from this one to the coarsest, of the process that is busiest with each:
 * those that a cycle touches, and those kept beside the operator of the finest. */
struct krylov_footprint {
    double touched[KRYLOV_MOST_LEVELS], kept;
};
struct krylov_footprint krylov_footprint(const struct krylov_levels *levels,
                                         const struct krylov_smoothing *smoothing,
                                         double index_bytes);

/* What a level costs in a cycle, with the transfers to and from the next one.  Messages and bytes
 * are those that the slowest process sends; communication_s contains hidden_s. */
struct krylov_cycle_cost {
    double computation_s, communication_s, hidden_s, messages, bytes;
};
struct krylov_cycle {
    struct krylov_cycle_cost level[KRYLOV_MOST_LEVELS], sum;
    double bound_s; /* no cycle sends its messages faster */
    bool is_bound;  /* as of struct krylov_estimate */
};
double krylov_cycle_s(const struct krylov_cycle_cost *cost);

/* How the messages of a cycle go. */
struct krylov_cycle_conduct {
    const struct krylov_grid_values *grid;
    bool is_overlapped; /* products overlap their exchange */
    int progress;       /* enum krylov_progress */
    bool has_links;     /* links share the exchanges of levels on which all processes have rows */
    enum fr_placement placement;
    struct krylov_link_load burst; /* krylov_burst_load; of all levels */
    const struct krylov_kernels *kernels;
    double working_set_bytes; /* of the solver with all levels */
    double index_bytes;
};
struct krylov_cycle krylov_cycle(const struct krylov_cycle_conduct *conduct,
                                 const struct krylov_levels *levels,
                                 const struct krylov_smoothing *smoothing,
                                 const struct krylov_footprint *footprint,
                                 struct fr_evaluation *run);

#endif
