/* What is solved, what is seen of a solve, and the saved run (forerun-run-1) made of it. */
#ifndef RUN_H
#define RUN_H

#include <petscksp.h>

/* Of one step in the steady state, as krylov.md 7.1 counts; the bytes are those of all reductions.
 */
struct counts {
    double matvecs, preconditioners, reductions, reduction_bytes;
};

struct solver {
    const char *name; /* forerun's */
    KSPType type;     /* PETSc's */
    PetscBool single_reduction;
    int iterations_per_step;
    int limit_beyond; /* KSPPIPECG2 stops before its limit of iterations, the others at it */
    struct counts start, step;
};

struct problem {
    PetscInt local_grid[3], process_grid[3], iterations;
};

/* One process at one moment: sums since the program began.  Gathered as doubles. */
struct stamp {
    double at_s;                       /* since this solve began */
    double matvec_s, preconditioner_s; /* PETSc's events, with the halo's time in the former */
    double halo_s, reduction_s;        /* inside MPI */
    struct counts counts;
};

/* at[0] is the beginning, at[1 + n] the monitor of iteration n, at[iterations + 2] the end. */
struct stamps {
    PetscInt iterations;
    double began_s;
    PetscLogEvent matvec, preconditioner;
    struct stamp *at;
};

/* The first steps differ: PETSc saves a copy or a reduction there, and caches are cold. */
enum { STEPS_LEFT_OUT = 2 };

PetscErrorCode stamps_create(PetscInt iterations, struct stamps *stamps);
PetscErrorCode stamps_destroy(struct stamps *stamps);
PetscErrorCode stamps_begin(struct stamps *stamps);
PetscErrorCode stamps_end(struct stamps *stamps);
PetscErrorCode stamps_take(KSP ksp, PetscInt iteration, PetscReal norm,
                           void *stamps); /* a monitor */

/* Collective.  One line on standard output; with a file name, one line of NDJSON appended to it.
 * Fails where PETSc did not do what krylov.md 7.1 counts. */
PetscErrorCode run_report(const struct solver *solver, const struct problem *problem,
                          const struct stamps *stamps, const char *file);

#endif
