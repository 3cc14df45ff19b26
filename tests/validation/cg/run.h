/* A solve: its problem, its time stamps, and the saved run (forerun-run-1) written from them. */
#ifndef RUN_H
#define RUN_H

#include <petscksp.h>

/* Operations of the start or of a step (docs/models/krylov.md#operations-of-a-solver); the bytes
 * are those of all reductions. */
struct counts {
    double matvecs, preconditioners, reductions, reduction_bytes;
};

struct solver {
    const char *name; /* forerun's */
    KSPType type;     /* PETSc's */
    PetscBool single_reduction;
    int iterations_per_step;
    int limit_beyond; /* KSPPIPECG2 stops below its limit of iterations, the others at it */
    struct counts start, step;
};

struct problem {
    PetscInt local_grid[3], process_grid[3], iterations;
};

/* Sums of one process since the program began.  Gathered as doubles. */
struct stamp {
    double at_s;                       /* since this solve began */
    double matvec_s, preconditioner_s; /* events of PETSc; the former includes the halo */
    double halo_s, reduction_s;        /* inside MPI */
    struct counts counts;
};

/* at[0] is the start, at[1 + n] the monitor of iteration n, at[iterations + 2] the end. */
struct stamps {
    PetscInt iterations;
    double began_s;
    PetscLogEvent matvec, preconditioner;
    struct stamp *at;
};

/* The first steps differ: PETSc saves a copy or a reduction, and caches are cold. */
enum { STEPS_LEFT_OUT = 2 };

PetscErrorCode stamps_create(PetscInt iterations, struct stamps *stamps);
PetscErrorCode stamps_destroy(struct stamps *stamps);
PetscErrorCode stamps_begin(struct stamps *stamps);
PetscErrorCode stamps_end(struct stamps *stamps);
PetscErrorCode stamps_take(KSP ksp, PetscInt iteration, PetscReal norm,
                           void *stamps); /* a monitor */

/* Collective.  Prints a line; with a file name, appends a line of NDJSON to it.  Fails if the
 * counts of PETSc differ from the model (docs/models/krylov.md#operations-of-a-solver). */
PetscErrorCode run_report(const struct solver *solver, const struct problem *problem,
                          const struct stamps *stamps, const char *file);

#endif
