/* What each solver does how often (krylov.md 7.1), in its start and in a step of one or two
 * iterations.  The start holds everything that does not grow with the iterations. */
#ifndef FR_KRYLOV_SOLVERS_H
#define FR_KRYLOV_SOLVERS_H

#include "engine/runs/saved_run.h"

/* An allreduce; a non-blocking one hides its penalties behind the computation of its window. */
struct krylov_window {
    double bytes;
    bool is_blocking;
    double matvecs, preconditioners; /* in the window */
};

struct krylov_counts {
    double matvecs; /* and as many halo exchanges */
    double preconditioners;
    double vector_words; /* moved per row */
    size_t allreduces;
    struct krylov_window allreduce[3];
};

struct krylov_solver {
    double iterations; /* of a step */
    struct krylov_counts start, step;
    /* What lies between the synchronization points of a step (krylov.md 7.3). */
    size_t segments;
    enum fr_run_share segment[2];
};

enum krylov_solver_choice { SOLVER_PCG, SOLVER_SAPCG, SOLVER_NBPCG, SOLVER_PIPECG, SOLVER_PIPE2CG };
extern const char *const krylov_solver_names[];
extern const struct krylov_solver krylov_solvers[];

#endif
