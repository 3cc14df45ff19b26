/* Operation counts of the solvers, for the start and for a step of one or two iterations
 * (docs/models/krylov.md#operations-of-a-solver).  The start holds everything that does not grow
 * with the iterations. */
#ifndef FR_KRYLOV_SOLVERS_H
#define FR_KRYLOV_SOLVERS_H

#include "engine/runs/saved_run.h"

/* An allreduce; if it is non-blocking, its penalties hide behind the computation of its window. */
struct krylov_window {
    double bytes;
    bool is_blocking;
    double matvecs, preconditioners; /* computed between its start and its wait */
};

struct krylov_counts {
    double matvecs; /* each with a halo exchange */
    double preconditioners;
    double vector_words; /* moved per row */
    size_t allreduces;
    struct krylov_window allreduce[3];
};

struct krylov_solver {
    double iterations; /* in a step */
    struct krylov_counts start, step;
    /* Computation between the synchronization points of a step
     * (docs/models/krylov.md#synchronization). */
    size_t segments;
    enum fr_run_share segment[2];
};

enum krylov_solver_choice { SOLVER_PCG, SOLVER_SAPCG, SOLVER_NBPCG, SOLVER_PIPECG, SOLVER_PIPE2CG };
extern const char *const krylov_solver_names[];
extern const struct krylov_solver krylov_solvers[];

#endif
