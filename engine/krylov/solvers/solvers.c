/* Operation counts of the solvers (docs/models/krylov.md#operations-of-a-solver,
 * docs/models/krylov_problem.md#solvers). */
#include "engine/krylov/solvers/solvers.h"

const char *const krylov_cg_names[] = { KRYLOV_CG_LIST(FR_CHOICE_NAME) NULL };
const char *const krylov_solver_names[] = { KRYLOV_CG_LIST(FR_CHOICE_NAME)
                                                KRYLOV_OTHER_LIST(FR_CHOICE_NAME) NULL };
/* cg with a single reduction has no name of its own. */
const struct fr_choice_alias krylov_solver_aliases[] = {
    { "cg", SOLVER_PCG },
    { "groppcg", SOLVER_NBPCG },
    { "pipecg2", SOLVER_PIPE2CG },
    { .name = NULL },
};
const char *const krylov_systems[] = {
    [SYSTEM_SPD] = "spd",
    [SYSTEM_SYMMETRIC] = "symmetric",
    [SYSTEM_GENERAL] = "general",
    NULL,
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
const struct krylov_solver krylov_solvers[KRYLOV_SOLVERS] = {
    [SOLVER_PCG] = {
        .iterations = 1,
        .vectors = 3,
        .step = { 1, 1, 13, 2, { BLOCKING(8), BLOCKING(8) } },
        .start = { 0, 1, 4, 1, { BLOCKING(8) } },
        .segments = 2,
        .segment = { FR_RUN_PCG_MATVEC, FR_RUN_PCG_PRECONDITIONER },
    },
    [SOLVER_SAPCG] = {
        .iterations = 1,
        .vectors = 5,
        .step = { 1, 1, 15, 1, { BLOCKING(16) } },
        /* docs/models/krylov.md#decision-starts-as-petsc-performs-them */
        .start = { 2, 1, 8, 3, { BLOCKING(8), BLOCKING(8), BLOCKING(8) } },
        .segments = 1,
        .segment = { FR_RUN_ITERATION },
    },
    [SOLVER_NBPCG] = {
        .iterations = 1,
        .vectors = 6,
        .step = { 1, 1, 19, 2, { BEHIND(8, 0, 1), BEHIND(8, 1, 0) } },
        .start = { 1, 1, 6, 1, { BEHIND(8, 1, 0) } },
        .segments = 2,
        .segment = { FR_RUN_NBPCG_PRECONDITIONER, FR_RUN_NBPCG_MATVEC },
    },
    /* Convergence is known only after the next product and preconditioner: the start has them. */
    [SOLVER_PIPECG] = {
        .iterations = 1,
        .vectors = 9,
        .step = { 1, 1, 28, 1, { BEHIND(16, 1, 1) } },
        .start = { 2, 2, 8, 2, { BEHIND(8, 1, 0), BEHIND(16, 1, 1) } },
        .segments = 1,
        .segment = { FR_RUN_ITERATION },
    },
    /* 15 doubles in the allreduce (docs/models/krylov.md#decision-pipe2cg-as-ksppipecg2). */
    [SOLVER_PIPE2CG] = {
        .iterations = 2,
        .vectors = 20,
        .is_fused = true,
        .step = { 2, 2, 36, 1, { BEHIND(120, 2, 2) } },
        .start = { 4, 4, 8, 3, { BEHIND(24, 3, 3), BLOCKING(8), BLOCKING(8) } },
        .segments = 1,
        .segment = { FR_RUN_PAIR },
    },
    [SOLVER_CR] = {
        .iterations = 1,
        .vectors = 6,
        .system = SYSTEM_SYMMETRIC,
        .step = { 1, 1, 18, 2, { BLOCKING(8), BLOCKING(16) } },
        .start = { 1, 1, 10, 1, { BLOCKING(16) } },
    },
    [SOLVER_PIPECR] = {
        .iterations = 1,
        .vectors = 7,
        .system = SYSTEM_SYMMETRIC,
        .step = { 1, 1, 24, 1, { BEHIND(24, 1, 0) } },
        .start = { 2, 2, 14, 2, { BEHIND(8, 1, 0), BEHIND(16, 1, 0) } },
    },
    /* Seven of the words are copies, as PETSc has them. */
    [SOLVER_MINRES] = {
        .iterations = 1,
        .vectors = 9,
        .system = SYSTEM_SYMMETRIC,
        .step = { 1, 1, 45, 2, { BLOCKING(8), BLOCKING(8) } },
        .start = { 0, 1, 3, 2, { BLOCKING(8), BLOCKING(8) } },
    },
    [SOLVER_BCGS] = {
        .iterations = 1,
        .vectors = 6,
        .system = SYSTEM_GENERAL,
        .step = { 2, 2, 21, 4, { BLOCKING(8), BLOCKING(8), BLOCKING(8), BLOCKING(16) } },
        .start = { 0, 1, 5, 1, { BLOCKING(8) } },
    },
    /* The start multiplies with the transpose. */
    [SOLVER_IBCGS] = {
        .iterations = 1,
        .vectors = 9,
        .is_fused = true,
        .system = SYSTEM_GENERAL,
        .step = { 2, 2, 22, 2, { BLOCKING(96), BLOCKING(8) } },
        .start = { 1, 2, 9, 3, { BLOCKING(8), BLOCKING(8), BLOCKING(8) } },
    },
    [SOLVER_PIPEBCGS] = {
        .iterations = 1,
        .vectors = 15,
        .system = SYSTEM_GENERAL,
        .step = { 2, 2, 58, 2, { BEHIND(16, 1, 1), BEHIND(40, 1, 1) } },
        .start = { 2, 2, 17, 3, { BLOCKING(8), BEHIND(8, 1, 1), BEHIND(8, 1, 1) } },
    },
    [SOLVER_GMRES] = {
        .iterations = 1,
        .vectors = 5,
        .vectors_per_column = 1,
        .system = SYSTEM_GENERAL,
        .step = { 1, 1, 6, 2, { BLOCKING(0), BLOCKING(8) } },
        .words_per_column = 2,
        .bytes_per_column = 8,
        .start = { 0, 1, 5, 1, { BLOCKING(8) } },
        .restart = { 1, 1, 8, 1, { BLOCKING(8) } },
    },
    [SOLVER_FGMRES] = {
        .iterations = 1,
        .vectors = 7,
        .vectors_per_column = 2,
        .system = SYSTEM_GENERAL,
        .step = { 1, 1, 6, 2, { BLOCKING(0), BLOCKING(8) } },
        .words_per_column = 2,
        .bytes_per_column = 8,
        .start = { 0, 0, 5, 1, { BLOCKING(8) } },
        .restart = { 1, 0, 6, 1, { BLOCKING(8) } },
    },
    [SOLVER_PGMRES] = {
        .iterations = 1,
        .vectors = 6,
        .vectors_per_column = 1,
        .system = SYSTEM_GENERAL,
        .step = { 1, 1, 17, 1, { BEHIND(16, 1, 1) } },
        .words_per_column = 3,
        .bytes_per_column = 8,
        .start = { 2, 3, 5, 2, { BLOCKING(8), BEHIND(8, 1, 1) } },
        .restart = { 2, 2, 8, 2, { BLOCKING(8), BEHIND(8, 1, 1) } },
        .is_ahead = true,
    },
};
