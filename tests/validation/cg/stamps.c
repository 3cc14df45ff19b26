/* Time stamps of this process at the start, in each iteration and at the end of a solve. */
#include "tests/validation/cg/run.h"
#include "tests/validation/cg/waits.h"

PetscErrorCode stamps_create(PetscInt iterations, struct stamps *stamps)
{
    PetscFunctionBeginUser;
    *stamps = (struct stamps){ .iterations = iterations };
    PetscCall(PetscLogEventGetId("MatMult", &stamps->matvec));
    PetscCall(PetscLogEventGetId("PCApply", &stamps->preconditioner));
    PetscCall(PetscCalloc1(iterations + 3, &stamps->at));
    PetscFunctionReturn(0);
}

PetscErrorCode stamps_destroy(struct stamps *stamps)
{
    PetscFunctionBeginUser;
    PetscCall(PetscFree(stamps->at));
    PetscFunctionReturn(0);
}

static PetscErrorCode take(struct stamps *stamps, struct stamp *stamp)
{
    PetscEventPerfInfo matvec, preconditioner;
    const struct waits waits = waits_now();

    PetscFunctionBeginUser;
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, stamps->matvec, &matvec));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, stamps->preconditioner, &preconditioner));
    *stamp = (struct stamp){
        .at_s = MPI_Wtime() - stamps->began_s,
        .matvec_s = matvec.time,
        .preconditioner_s = preconditioner.time,
        .halo_s = waits.halo_s,
        .reduction_s = waits.reduction_s,
        .counts = { .matvecs = matvec.count,
                    .preconditioners = preconditioner.count,
                    .reductions = waits.reductions,
                    .reduction_bytes = waits.reduction_bytes },
    };
    PetscFunctionReturn(0);
}

PetscErrorCode stamps_begin(struct stamps *stamps)
{
    PetscFunctionBeginUser;
    stamps->began_s = MPI_Wtime();
    PetscCall(take(stamps, &stamps->at[0]));
    PetscFunctionReturn(0);
}

PetscErrorCode stamps_end(struct stamps *stamps)
{
    PetscFunctionBeginUser;
    PetscCall(take(stamps, &stamps->at[stamps->iterations + 2]));
    PetscFunctionReturn(0);
}

PetscErrorCode stamps_take(KSP ksp, PetscInt iteration, PetscReal norm, void *context)
{
    struct stamps *stamps = context;

    (void)ksp;
    (void)norm;
    PetscFunctionBeginUser;
    if (iteration <= stamps->iterations)
        PetscCall(take(stamps, &stamps->at[1 + iteration]));
    PetscFunctionReturn(0);
}
