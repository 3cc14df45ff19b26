/* Operation counts of Krylov solvers, for the start and for a step of one or two iterations
 * (docs/models/krylov.md#operations-of-a-solver, docs/models/krylov_problem.md#solvers).  The start
 * holds everything that does not grow with the iterations. */
#ifndef FR_KRYLOV_SOLVERS_H
#define FR_KRYLOV_SOLVERS_H

#include "engine/core/param.h"
#include "engine/runs/saved_run.h"

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

enum krylov_solver_choice {
    SOLVER_PCG,
    SOLVER_SAPCG,
    SOLVER_NBPCG,
    SOLVER_PIPECG,
    SOLVER_PIPE2CG,
    KRYLOV_CG_SOLVERS,
    SOLVER_CR = KRYLOV_CG_SOLVERS,
    SOLVER_PIPECR,
    SOLVER_MINRES,
    SOLVER_BCGS,
    SOLVER_IBCGS,
    SOLVER_PIPEBCGS,
    SOLVER_GMRES,
    SOLVER_FGMRES,
    SOLVER_PGMRES,
    KRYLOV_SOLVERS
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

#endif
