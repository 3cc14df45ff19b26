/* The 27-point Poisson problem on a grid of processes, solved by PETSc's variants of CG.
 *
 * Each process owns a box of -local_grid rows.  Every solve starts from zero and does a fixed
 * number of iterations with the natural norm and block Jacobi with incomplete Cholesky without
 * fill. A monitor takes a stamp of each process in every iteration: its clock, the times of MatMult
 * and PCApply, and the time inside MPI (waits.h).  run.c writes them as a saved run.
 *
 *     mpirun -n 2 poisson27 -solver pipecg -local_grid 32,32,32 -runs runs.ndjson
 */
#include <petscksp.h>

#include "tests/validation/cg/run.h"

/* The first reduction of pipecg is 8 bytes shorter than the others; the model ignores that. */
static const struct solver solvers[] = {
    { "pcg", KSPCG, PETSC_FALSE, 1, 0, { 0, 1, 1, 8 }, { 1, 1, 2, 16 } },
    { "sapcg", KSPCG, PETSC_TRUE, 1, 0, { 2, 1, 3, 24 }, { 1, 1, 1, 16 } },
    { "nbpcg", KSPGROPPCG, PETSC_FALSE, 1, 0, { 1, 1, 1, 8 }, { 1, 1, 2, 16 } },
    { "pipecg", KSPPIPECG, PETSC_FALSE, 1, 0, { 2, 2, 2, 24 - 8 }, { 1, 1, 1, 16 } },
    { "pipe2cg", KSPPIPECG2, PETSC_FALSE, 2, 1, { 4, 4, 3, 40 }, { 2, 2, 1, 120 } },
};
enum { SOLVERS = sizeof solvers / sizeof *solvers, ITERATIONS_MIN = 2 * STEPS_LEFT_OUT + 2 };

struct settings {
    const struct solver *solver;
    struct problem problem;
    PetscInt repetitions, warm_up;
    char runs[PETSC_MAX_PATH_LEN]; /* empty: no file */
};

/* Non-increasing factors, the largest as small as possible, then the second, as in forerun. */
static void factor(int processes, PetscInt grid[3])
{
    for (PetscInt x = 1; x <= processes; x++)
        for (PetscInt y = 1; processes % x == 0 && y <= x; y++) {
            const PetscInt z = processes / x / y;

            if (x * y * z == processes && z <= y) {
                grid[0] = x;
                grid[1] = y;
                grid[2] = z;
                return;
            }
        }
}

static PetscErrorCode read_grid(const char *option, PetscInt grid[3])
{
    PetscInt count = 3;
    PetscBool given;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetIntArray(NULL, NULL, option, grid, &count, &given));
    PetscCheck(!given || count == 3, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "%s: %" PetscInt_FMT " extents, three are needed", option, count);
    for (int d = 0; d < 3; d++)
        PetscCheck(grid[d] >= 1, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
                   "%s: the extent %" PetscInt_FMT " is below 1", option, grid[d]);
    PetscFunctionReturn(0);
}

static PetscErrorCode read_solver(const struct solver **solver)
{
    char name[32] = "pcg";

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-solver", name, sizeof name, NULL));
    *solver = NULL;
    for (int i = 0; i < SOLVERS; i++) {
        PetscBool same;

        PetscCall(PetscStrcmp(name, solvers[i].name, &same));
        if (same)
            *solver = &solvers[i];
    }
    PetscCheck(*solver, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "-solver: %s is not pcg, sapcg, nbpcg, pipecg or pipe2cg", name);
    PetscFunctionReturn(0);
}

static PetscErrorCode read_settings(struct settings *settings)
{
    struct problem *problem = &settings->problem;
    PetscInt *processes = problem->process_grid;
    PetscMPIInt size;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    *settings = (struct settings){
        .problem = { .local_grid = { 20, 20, 20 }, .iterations = 40 },
        .repetitions = 5,
        .warm_up = 1,
    };
    factor(size, processes);
    PetscCall(read_solver(&settings->solver));
    PetscCall(read_grid("-local_grid", problem->local_grid));
    PetscCall(read_grid("-process_grid", processes));
    PetscCheck(processes[0] * processes[1] * processes[2] == size, PETSC_COMM_WORLD,
               PETSC_ERR_USER_INPUT, "-process_grid: the product must be %d processes", size);
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &problem->iterations, NULL));
    PetscCheck(problem->iterations >= ITERATIONS_MIN && problem->iterations % 2 == 0,
               PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "-iterations: %" PetscInt_FMT " must be even and at least %d for all solvers",
               problem->iterations, ITERATIONS_MIN);
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-repetitions", &settings->repetitions, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-warm_up", &settings->warm_up, NULL));
    PetscCall(
        PetscOptionsGetString(NULL, NULL, "-runs", settings->runs, sizeof settings->runs, NULL));
    PetscFunctionReturn(0);
}

/* The row of point (x, y, z) of the whole grid, -1 outside it; ranks and rows are row-major. */
static PetscInt row_of(const struct problem *problem, PetscInt x, PetscInt y, PetscInt z)
{
    const PetscInt *l = problem->local_grid, *p = problem->process_grid;
    PetscInt rank, inner;

    if (x < 0 || y < 0 || z < 0 || x >= l[0] * p[0] || y >= l[1] * p[1] || z >= l[2] * p[2])
        return -1;
    rank = (x / l[0] * p[1] + y / l[1]) * p[2] + z / l[2];
    inner = (x % l[0] * l[1] + y % l[1]) * l[2] + z % l[2];
    return rank * l[0] * l[1] * l[2] + inner;
}

/* 26 on the diagonal, -1 for each neighbour; values beyond the boundary are zero. */
static PetscErrorCode set_row(Mat matrix, const struct problem *problem, PetscInt x, PetscInt y,
                              PetscInt z)
{
    const PetscInt row = row_of(problem, x, y, z);
    PetscInt columns[27], count = 0;
    PetscScalar values[27];

    PetscFunctionBeginUser;
    for (PetscInt i = x - 1; i <= x + 1; i++)
        for (PetscInt j = y - 1; j <= y + 1; j++)
            for (PetscInt k = z - 1; k <= z + 1; k++) {
                const PetscInt column = row_of(problem, i, j, k);

                if (column < 0)
                    continue;
                columns[count] = column;
                values[count++] = column == row ? 26 : -1;
            }
    PetscCall(MatSetValues(matrix, 1, &row, count, columns, values, INSERT_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_matrix(const struct problem *problem, Mat *matrix)
{
    const PetscInt *l = problem->local_grid, *p = problem->process_grid;
    const PetscInt rows = l[0] * l[1] * l[2];
    PetscInt first[3];
    PetscMPIInt rank;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    first[0] = rank / p[2] / p[1] * l[0];
    first[1] = rank / p[2] % p[1] * l[1];
    first[2] = rank % p[2] * l[2];
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 27, NULL,
                           26, NULL, matrix));
    for (PetscInt x = first[0]; x < first[0] + l[0]; x++)
        for (PetscInt y = first[1]; y < first[1] + l[1]; y++)
            for (PetscInt z = first[2]; z < first[2] + l[2]; z++)
                PetscCall(set_row(*matrix, problem, x, y, z));
    PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatSetOption(*matrix, MAT_SPD, PETSC_TRUE));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_preconditioner(KSP ksp)
{
    PC pc, block;
    KSP *blocks;

    PetscFunctionBeginUser;
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCBJACOBI));
    PetscCall(KSPSetUp(ksp));
    PetscCall(PCBJacobiGetSubKSP(pc, NULL, NULL, &blocks));
    PetscCall(KSPSetType(blocks[0], KSPPREONLY));
    PetscCall(KSPGetPC(blocks[0], &block));
    PetscCall(PCSetType(block, PCICC));
    PetscCall(PCFactorSetLevels(block, 0));
    PetscCall(KSPSetUpOnBlocks(ksp));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_solver(const struct settings *settings, Mat matrix, KSP *ksp)
{
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, ksp));
    PetscCall(KSPSetOperators(*ksp, matrix, matrix));
    PetscCall(KSPSetType(*ksp, settings->solver->type));
    if (settings->solver->single_reduction)
        PetscCall(KSPCGUseSingleReduction(*ksp, PETSC_TRUE));
    PetscCall(KSPSetNormType(*ksp, KSP_NORM_NATURAL));
    PetscCall(KSPSetInitialGuessNonzero(*ksp, PETSC_FALSE));
    PetscCall(KSPSetConvergenceTest(*ksp, KSPConvergedSkip, NULL, NULL));
    PetscCall(KSPSetTolerances(*ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                               settings->problem.iterations + settings->solver->limit_beyond));
    PetscCall(KSPSetFromOptions(*ksp));
    PetscCall(set_preconditioner(*ksp));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(KSP ksp, Vec right, Vec solution, struct stamps *stamps)
{
    KSPConvergedReason reason;
    PetscInt iterations;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(stamps_begin(stamps));
    PetscCall(KSPSolve(ksp, right, solution));
    PetscCall(stamps_end(stamps));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    /* The solve ends at the limit of iterations, which KSPPIPECG2 reports as divergence. */
    PetscCheck(iterations >= stamps->iterations &&
                   (reason == KSP_CONVERGED_ITS || reason == KSP_DIVERGED_ITS),
               PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED,
               "the solve ended after %" PetscInt_FMT " iterations (%s); use fewer", iterations,
               KSPConvergedReasons[reason]);
    PetscFunctionReturn(0);
}

static PetscErrorCode solve_all(const struct settings *settings)
{
    PetscLogStage stage;
    struct stamps stamps;
    Mat matrix;
    Vec right, solution;
    KSP ksp;

    PetscFunctionBeginUser;
    PetscCall(create_matrix(&settings->problem, &matrix));
    PetscCall(MatCreateVecs(matrix, &solution, &right));
    PetscCall(VecSet(right, 1));
    PetscCall(create_solver(settings, matrix, &ksp));
    PetscCall(stamps_create(settings->problem.iterations, &stamps));
    PetscCall(KSPMonitorSet(ksp, stamps_take, &stamps, NULL));
    for (PetscInt i = 0; i < settings->warm_up; i++)
        PetscCall(solve(ksp, right, solution, &stamps));
    PetscCall(PetscLogStageRegister("Solve", &stage));
    PetscCall(PetscLogStagePush(stage));
    for (PetscInt i = 0; i < settings->repetitions; i++) {
        PetscCall(solve(ksp, right, solution, &stamps));
        PetscCall(run_report(settings->solver, &settings->problem, &stamps, settings->runs));
    }
    PetscCall(PetscLogStagePop());
    PetscCall(stamps_destroy(&stamps));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&solution));
    PetscCall(MatDestroy(&matrix));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    struct settings settings;

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscLogDefaultBegin());
    PetscCall(read_settings(&settings));
    PetscCall(solve_all(&settings));
    PetscCall(PetscFinalize());
    return 0;
}
