/* A solve in a stage of a PETSc log: its iterations (petsc_iterations.c), and what of its time is
 * that of the set-up (petsc_setup.c). */
#ifndef FR_IMPORT_PETSC_SOLVE_H
#define FR_IMPORT_PETSC_SOLVE_H

#include "engine/krylov/solvers/transfer.h"
#include "server/runs/imports/petsc.h"

/* The sums of a stage. */
struct petsc_solve {
    int choice;
    const struct krylov_solver *solver;
    int64_t restart;
    struct krylov_counts iteration; /* an average one */
    bool is_copied;                 /* the preconditioner is a copy */
    const struct petsc_rank *rank;
    size_t ranks;
    double processes;  /* more than ranks in a text, which tells only of the slowest */
    double solves;     /* calls of KSPSolve */
    double iterations; /* of each; 0: unknown */
    double least_remainder_s;
    bool is_exact; /* the counts give the iterations: all events belong to the solver */
    enum petsc_guess guess;
    bool is_setup_inside; /* the time of the solves contains that of the set-up */
    double unclear_s;     /* of a set-up so short that it does not matter where it is */
};

/* Sets the iterations, and whether the counts tell them; a fault where nothing does. */
void fr_petsc_count_iterations(struct fr_filter *filter, const struct petsc_log *log,
                               struct petsc_solve *solve);
/* Finds out whether the solves contain the set-up; a fault where it matters and nothing tells. */
void fr_petsc_place_setup(struct fr_filter *filter, const struct petsc_log *log,
                          struct petsc_solve *solve);
/* The time of the set-up on a rank, and that of the solves without it. */
double fr_petsc_setup_s(const struct petsc_rank *rank);
double fr_petsc_solve_s(const struct petsc_solve *solve, const struct petsc_rank *rank);

#endif
