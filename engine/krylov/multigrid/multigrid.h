/* Levels and cycles of multigrid. */
#ifndef FR_KRYLOV_MULTIGRID_H
#define FR_KRYLOV_MULTIGRID_H

#include "engine/krylov/links/links.h"
#include "engine/krylov/solvers/solvers.h"

/* The levels of a multigrid preconditioner: what processes hold of each
 * (docs/models/multigrid.md#levels). */

enum { KRYLOV_MOST_LEVELS = 32, KRYLOV_MOST_DENSE_ROWS = 10000 };

struct krylov_level {
    double rows, nonzeros, processes; /* of all processes; those that have rows */
    struct krylov_holding holding;    /* of a process that has any */
    double messages;                  /* sent in an exchange; only of a level given by its size */
    struct krylov_grid {              /* no points: the level was given by its size */
        struct fr_vector points, process_grid;
        struct krylov_stencil stencil; /* points of a process */
    } grid;
    /* To and from the next level; not set on the coarsest.  Of a process: entries, rows of the next
     * level, values of it that others have. */
    struct krylov_transfer {
        double entries, coarse_rows, ghosts;
        struct krylov_stencil stencil; /* no points: the next level was given by its size */
    } transfer;
};

/* The finest level first. */
struct krylov_levels {
    size_t count;
    struct krylov_level level[KRYLOV_MOST_LEVELS];
};

struct krylov_coarsening {
    const char *given; /* rows:nonzeros,... of the levels below the finest; empty: derived */
    double coarsest_rows;
    bool is_direct; /* the coarsest level is solved densely */
};

/* The levels below a grid, whose stencil holds the points of a process.  FR_OK, or FR_SYNTAX,
 * FR_RANGE or FR_RELATION with a fault of `levels` or `coarsest_rows`. */
int krylov_find_levels(const struct krylov_layout *layout, const struct krylov_stencil *stencil,
                       const struct fr_vector *global_grid,
                       const struct krylov_coarsening *coarsening, struct krylov_levels *out,
                       struct fr_faults *faults);

/* Appends the levels below the finest that a text gives
 * (docs/models/multigrid.md#given-levels).  FR_OK, or FR_SYNTAX, FR_RANGE or FR_RELATION with a
 * fault of `levels`. */
int krylov_read_levels(const char *text, const struct fr_vector *process_grid,
                       struct krylov_levels *out, struct fr_faults *faults);

/* A V-cycle of multigrid, level by level (docs/models/multigrid.md). */

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

/* Messages of a level of multigrid (docs/models/multigrid.md#messages). */

/* The busiest link of an exchange of the level; all NaN where none is counted. */
struct krylov_link_load krylov_level_load(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run);
/* A blocking exchange of the finest level, without links. */
struct krylov_time krylov_finest_exchange(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run);
/* A halo exchange of a level, and one of a transfer between it and the next, which waits.  The
 * exchange of the finest level tells which share of messages stays on the node where a level was
 * given by its size. */
struct krylov_time krylov_level_exchange(const struct krylov_cycle_conduct *conduct,
                                         const struct krylov_level *level,
                                         const struct krylov_time *finest,
                                         const struct krylov_overlap *overlap,
                                         struct fr_evaluation *run);
struct krylov_time krylov_transfer_exchange(const struct krylov_cycle_conduct *conduct,
                                            const struct krylov_level *level,
                                            const struct krylov_time *finest,
                                            struct fr_evaluation *run);

#endif
