/* What Krylov solvers compute and move. */
#ifndef FR_KRYLOV_SOLVERS_H
#define FR_KRYLOV_SOLVERS_H

#include "engine/core/param.h"
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/partition/partition.h"
#include "engine/runs/saved_run.h"

/* Operation counts of Krylov solvers, for the start and for a step of one or two iterations
 * (docs/models/krylov.md#operations-of-a-solver, docs/models/krylov_problem.md#solvers).  The start
 * holds everything that does not grow with the iterations. */

/* An allreduce; if it is non-blocking, its penalties hide behind the computation of its window. */
struct krylov_window {
    double bytes;
    bool is_blocking;
    double matvecs, preconditioners; /* computed between its start and its wait */
};

enum { KRYLOV_MOST_ALLREDUCES = 4 };
struct krylov_counts {
    double matvecs; /* each with a halo exchange */
    double preconditioners;
    double vector_words; /* moved per row */
    size_t allreduces;
    struct krylov_window allreduce[KRYLOV_MOST_ALLREDUCES];
};

/* The systems for which a solver exists; one for general systems solves all. */
enum krylov_system { SYSTEM_SPD, SYSTEM_SYMMETRIC, SYSTEM_GENERAL };
extern const char *const krylov_systems[];

struct krylov_solver {
    double iterations; /* in a step */
    struct krylov_counts start, step;
    /* Computation between the synchronization points of a step
     * (docs/models/krylov.md#synchronization). */
    size_t segments;
    enum fr_run_share segment[2];
    enum krylov_system system; /* the most general one */
    double vectors; /* work vectors of a process, and more for each column of a restart */
    double vectors_per_column;
    bool is_fused; /* updates several vectors in one loop */
    /* GMRES family: iteration k of a cycle has this k times more words, and bytes in its first
     * allreduce; 0 for the others.  A cycle ends with m + 5 words, and all but the first begin with
     * a restart. */
    double words_per_column, bytes_per_column;
    struct krylov_counts restart;
    /* The start holds the product and application that are under way when convergence becomes
     * known; at the end of a cycle none are. */
    bool is_ahead;
};

#define KRYLOV_CG_LIST(X)      \
    X(SOLVER_PCG, "pcg")       \
    X(SOLVER_SAPCG, "sapcg")   \
    X(SOLVER_NBPCG, "nbpcg")   \
    X(SOLVER_PIPECG, "pipecg") \
    X(SOLVER_PIPE2CG, "pipe2cg")
#define KRYLOV_OTHER_LIST(X)       \
    X(SOLVER_CR, "cr")             \
    X(SOLVER_PIPECR, "pipecr")     \
    X(SOLVER_MINRES, "minres")     \
    X(SOLVER_BCGS, "bcgs")         \
    X(SOLVER_IBCGS, "ibcgs")       \
    X(SOLVER_PIPEBCGS, "pipebcgs") \
    X(SOLVER_GMRES, "gmres")       \
    X(SOLVER_FGMRES, "fgmres")     \
    X(SOLVER_PGMRES, "pgmres")
enum krylov_solver_choice {
    KRYLOV_CG_LIST(FR_CHOICE_VALUE) KRYLOV_OTHER_LIST(FR_CHOICE_VALUE) KRYLOV_SOLVERS,
    KRYLOV_CG_SOLVERS = SOLVER_PIPE2CG + 1
};
extern const char *const krylov_cg_names[]; /* of the first KRYLOV_CG_SOLVERS */
extern const char *const krylov_solver_names[];
/* PETSc's names, where they differ; all are of the first KRYLOV_CG_SOLVERS. */
extern const struct fr_choice_alias krylov_solver_aliases[];
extern const struct krylov_solver krylov_solvers[KRYLOV_SOLVERS];

/* Calls `visit` with every kind of work of a solve and how often it occurs: first the start, then
 * the steps.  O(restart) calls for the GMRES family, else two. */
struct krylov_schedule_visitor {
    void (*visit)(void *context, double times, const struct krylov_counts *counts);
    void *context;
};
void krylov_schedule(const struct krylov_solver *solver, int64_t iterations, int64_t restart,
                     struct krylov_schedule_visitor visitor);
/* Iterations that the steps perform: one more than asked where they come in pairs. */
double krylov_iterations(const struct krylov_solver *solver, int64_t iterations);
/* Work vectors of a process. */
double krylov_vectors(const struct krylov_solver *solver, int64_t restart);

/* Bytes that the phases of an iterative solver move and keep, and their time
 * (docs/models/krylov_problem.md#bytes-and-memory, #computation-by-size). */

/* What a process holds: rows, entries, those whose column is its own, values that it reads from
 * others, and values that it sends, counted for each receiver. */
struct krylov_holding {
    double rows, entries, diagonal, ghosts, sent;
};

/* What multigrid moves and keeps is not counted here, but by engine/krylov/multigrid/multigrid.h.
 */
#define KRYLOV_PRECONDITIONERS(X) \
    X(KRYLOV_PC_NONE, "none")     \
    X(KRYLOV_PC_JACOBI, "jacobi") \
    X(KRYLOV_PC_ICC, "icc")       \
    X(KRYLOV_PC_ILU, "ilu")       \
    X(KRYLOV_PC_MULTIGRID, "multigrid")
enum krylov_preconditioner { KRYLOV_PRECONDITIONERS(FR_CHOICE_VALUE) };
extern const char *const krylov_preconditioners[];
extern const struct fr_choice_alias krylov_preconditioner_aliases[]; /* PETSc's names */

/* Bytes that one product, one application of the preconditioner and one word of each row of vector
 * work move; that one iteration touches; and that the process keeps. */
struct krylov_bytes {
    double matvec, preconditioner, word, working_set, memory;
};
struct krylov_bytes krylov_bytes(const struct krylov_holding *of,
                                 enum krylov_preconditioner preconditioner, double vectors,
                                 double index_bytes);
/* The larger of each. */
struct krylov_bytes krylov_most_bytes(const struct krylov_bytes *a, const struct krylov_bytes *b);
/* Of a column index; 4 where the calibration does not say. */
double krylov_index_bytes(struct fr_evaluation *run);

/* The kernels that price the three phases. */
struct krylov_kernels {
    enum fr_stream matvec, preconditioner, vector;
};
struct krylov_kernels krylov_kernels(const struct fr_calibration *cal,
                                     enum krylov_preconditioner preconditioner, bool is_fused);
/* Whether the calibration prices them all: by size, or by the memory bandwidth of a node. */
bool krylov_can_estimate(const struct fr_calibration *cal, const struct krylov_kernels *kernels);

/* Seconds of one product, one application of the preconditioner, and one word of each row.  Where
 * the calibration cannot price them, only their proportions mean something.  `is_bound`: at least
 * one is a share of the memory bandwidth. */
struct krylov_estimate {
    double matvec_s, preconditioner_s, word_s;
    bool is_bound;
};
struct krylov_estimate krylov_estimate(const struct krylov_values *v, struct fr_evaluation *run,
                                       const struct krylov_kernels *kernels,
                                       const struct krylov_bytes *bytes);

/* What the busiest process of a solve holds: of a grid, or of a partitioned matrix
 * (docs/models/krylov_problem.md#grids, #matrices). */

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

/* What a solve costs: the work of its schedule at given prices
 * (docs/models/krylov_problem.md#time-of-a-solve). */

/* Prices of one product, one application, one word, one halo exchange. */
struct krylov_prices {
    struct krylov_estimate each;
    struct krylov_time halo;
    double halo_bound_s; /* no exchange is faster */
    struct krylov_least least;
    /* Messages of a cycle of multigrid, beside each.preconditioner_s: without what is hidden, which
     * is the second; no cycle sends them faster than the third. */
    double cycle_s, cycle_hidden_s, cycle_bound_s;
    int progress; /* enum krylov_progress, of a non-blocking allreduce */
};

/* The start of a solve, or everything after it.  Without what is hidden, except *_hidden_s. */
struct krylov_part {
    double matvec_s, preconditioner_s, vector_s;
    double allreduce_s, allreduce_hidden_s, halo_s, halo_hidden_s, cycle_s, cycle_hidden_s;
    double allreduce_penalty_s; /* including what is hidden */
    double matvecs, preconditioners, words, allreduces;
    double chain_s; /* no schedule is faster (docs/models/krylov.md#lower-bounds) */
};
double krylov_part_computation_s(const struct krylov_part *part);
double krylov_part_s(const struct krylov_part *part);

struct krylov_totals {
    struct krylov_part start, steps;
};
/* O(restart) allreduces for the GMRES family. */
struct krylov_totals krylov_totals(const struct krylov_values *v,
                                   const struct krylov_solver *solver, int64_t iterations,
                                   int64_t restart, const struct krylov_prices *prices,
                                   struct fr_evaluation *run);
/* Sets phases and bounds; each allreduce waits so long for the slowest process. */
void krylov_put_totals(const struct krylov_totals *totals, double synchronization_s,
                       struct fr_prediction *out);

/* Computation of cg (docs/models/krylov.md#computation) and the wait of an allreduce for the
 * slowest process (docs/models/krylov.md#synchronization). */

/* Seconds of one product, of one preconditioner application, and of the vector work of one
 * iteration. */
struct krylov_computation {
    double matvec_s, preconditioner_s, vector_s;
};

/* FR_OK, or a fault if neither the run nor the calibration has what the next two functions need. */
int krylov_check_computation(const struct krylov_grid_values *v, const struct krylov_solver *solver,
                             double wait_fraction, const struct fr_calibration *cal,
                             struct fr_faults *faults);
/* Times by the run if it has any, else a bound; adds a warning unless the run fits exactly. */
struct krylov_computation krylov_computation(const struct krylov_grid_values *v,
                                             const struct krylov_solver *solver,
                                             struct fr_evaluation *run);
/* Y: seconds that each allreduce waits, by `wait_fraction` of the computation `each`, or, where
 * that is NaN, by the run; 0 with a warning without either. */
double krylov_synchronization_s(const struct krylov_grid_values *v,
                                const struct krylov_solver *solver, double wait_fraction,
                                const struct krylov_computation *each, struct fr_evaluation *run);

/* Stencil entries of the rows of a process: all, and those whose column is on the same process. */
double krylov_entries(const struct fr_vector *local_grid);
double krylov_inside_entries(const struct fr_vector *local_grid);

/* Computation from a saved run: its measured phases over what the calibration estimates for it
 * (docs/models/krylov_problem.md#saved-runs). */

/* By what estimates are multiplied. */
struct krylov_correction {
    double matvec, preconditioner, vector;
    bool is_split; /* only whole iterations were measured: one factor for all phases */
};

/* Whether the run tells its computation. */
bool krylov_is_measured(const struct fr_saved_run *run);
/* The slowest process counts: its median over the iterations, or its first quartile where no
 * allreduce of the solver blocks, because others then wait within a phase.  `each` is the estimate
 * at the run's own parameters. */
struct krylov_correction krylov_correction(const struct fr_saved_run *run,
                                           const struct krylov_solver *solver,
                                           const struct krylov_counts *iteration,
                                           const struct krylov_estimate *each);
/* Products, applications and words of an average iteration. */
struct krylov_counts krylov_average_iteration(const struct krylov_solver *solver,
                                              int64_t iterations, int64_t restart);

#endif
