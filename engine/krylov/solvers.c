/* Operation counts of the five solvers (docs/models/krylov.md#operations-of-a-solver). */
#include "engine/krylov/solvers.h"

const char *const krylov_solver_names[] = {
    [SOLVER_PCG] = "pcg",       [SOLVER_SAPCG] = "sapcg",     [SOLVER_NBPCG] = "nbpcg",
    [SOLVER_PIPECG] = "pipecg", [SOLVER_PIPE2CG] = "pipe2cg", NULL,
};

#define BLOCKING(n)                       \
    {                                     \
        .bytes = (n), .is_blocking = true \
    }
#define BEHIND(n, mv, pc)                                       \
    {                                                           \
        .bytes = (n), .matvecs = (mv), .preconditioners = (pc), \
    }

/* Members of a start and a step: products, preconditioner applications, words, allreduces. */
const struct krylov_solver krylov_solvers[] = {
    [SOLVER_PCG] = {
        .iterations = 1,
        .step = { 1, 1, 13, 2, { BLOCKING(8), BLOCKING(8) } },
        .start = { 0, 1, 4, 1, { BLOCKING(8) } },
        .segments = 2,
        .segment = { FR_RUN_PCG_MATVEC, FR_RUN_PCG_PRECONDITIONER },
    },
    [SOLVER_SAPCG] = {
        .iterations = 1,
        .step = { 1, 1, 15, 1, { BLOCKING(16) } },
        /* docs/models/krylov.md#decision-starts-as-petsc-performs-them */
        .start = { 2, 1, 8, 3, { BLOCKING(8), BLOCKING(8), BLOCKING(8) } },
        .segments = 1,
        .segment = { FR_RUN_ITERATION },
    },
    [SOLVER_NBPCG] = {
        .iterations = 1,
        .step = { 1, 1, 19, 2, { BEHIND(8, 0, 1), BEHIND(8, 1, 0) } },
        .start = { 1, 1, 6, 1, { BEHIND(8, 1, 0) } },
        .segments = 2,
        .segment = { FR_RUN_NBPCG_PRECONDITIONER, FR_RUN_NBPCG_MATVEC },
    },
    /* Convergence is known only after the next product and preconditioner: the start has them. */
    [SOLVER_PIPECG] = {
        .iterations = 1,
        .step = { 1, 1, 28, 1, { BEHIND(16, 1, 1) } },
        .start = { 2, 2, 8, 2, { BEHIND(8, 1, 0), BEHIND(16, 1, 1) } },
        .segments = 1,
        .segment = { FR_RUN_ITERATION },
    },
    /* 15 doubles in the allreduce (docs/models/krylov.md#decision-pipe2cg-as-ksppipecg2). */
    [SOLVER_PIPE2CG] = {
        .iterations = 2,
        .step = { 2, 2, 36, 1, { BEHIND(120, 2, 2) } },
        .start = { 4, 4, 8, 3, { BEHIND(24, 3, 3), BLOCKING(8), BLOCKING(8) } },
        .segments = 1,
        .segment = { FR_RUN_PAIR },
    },
};
