/* Times PETSc's own solvers on a grid or on the pattern of a matrix, all solvers of a list in turn.
 *
 *     mpirun -n 2 solve -grid 32 -solvers pcg,gmres -preconditioner icc -iterations 20
 *     mpirun -n 2 solve -pattern FILE -solvers gmres,bcgs -preconditioner ilu -iterations 20
 *
 * FILE has the rows, the number of entries, and the row and column of each entry, from 1.  The
 * values are chosen here, diagonally dominant, so that no solver breaks down: they do not change
 * the time.  Prints a line for each solver: its name and the seconds of each solve, of the slowest
 * process.  With -log_view, a stage of this name has the same solves.
 */
#include <petscdmda.h>
#include <petscksp.h>
#include <stdio.h>
#include <string.h>

/* Solvers as forerun calls them. */
static const struct solver {
    const char *name;
    KSPType type;
    PetscBool has_single_reduction;
    PetscInt limit_beyond; /* KSPPIPECG2 stops below its limit of iterations, the others at it */
} solvers[] = {
    { "pcg", KSPCG, PETSC_FALSE, 0 },
    { "sapcg", KSPCG, PETSC_TRUE, 0 },
    { "nbpcg", KSPGROPPCG, PETSC_FALSE, 0 },
    { "pipecg", KSPPIPECG, PETSC_FALSE, 0 },
    { "pipe2cg", KSPPIPECG2, PETSC_FALSE, 1 },
    { "cr", KSPCR, PETSC_FALSE, 0 },
    { "pipecr", KSPPIPECR, PETSC_FALSE, 0 },
    { "minres", KSPMINRES, PETSC_FALSE, 0 },
    { "bcgs", KSPBCGS, PETSC_FALSE, 0 },
    { "ibcgs", KSPIBCGS, PETSC_FALSE, 0 },
    { "pipebcgs", KSPPIPEBCGS, PETSC_FALSE, 0 },
    { "gmres", KSPGMRES, PETSC_FALSE, 0 },
    { "fgmres", KSPFGMRES, PETSC_FALSE, 0 },
    { "pgmres", KSPPGMRES, PETSC_FALSE, 0 },
};
enum { SOLVERS = sizeof solvers / sizeof *solvers, SOLVES_MIN = 5, SOLVES_MAX = 200 };
static const double least_s = 0.2; /* of all solves of a solver, unless they are SOLVES_MIN */

static PetscErrorCode make_grid(PetscInt side, Mat *matrix)
{
    DM grid;
    DMDALocalInfo box;
    PetscMPIInt processes;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                           DMDA_STENCIL_BOX, side, side, side, 1, 1, processes, 1, 1, NULL, NULL,
                           NULL, &grid));
    PetscCall(DMSetUp(grid));
    PetscCall(DMSetMatType(grid, MATAIJ));
    PetscCall(DMCreateMatrix(grid, matrix));
    PetscCall(DMDAGetLocalInfo(grid, &box));
    for (PetscInt k = box.zs; k < box.zs + box.zm; k++)
        for (PetscInt j = box.ys; j < box.ys + box.ym; j++)
            for (PetscInt i = box.xs; i < box.xs + box.xm; i++) {
                const MatStencil row = { .i = i, .j = j, .k = k };
                MatStencil column[27];
                PetscScalar value[27];
                PetscInt count = 0;

                for (PetscInt at = 0; at < 27; at++) {
                    const MatStencil next = { .i = i + at % 3 - 1,
                                              .j = j + at / 3 % 3 - 1,
                                              .k = k + at / 9 - 1 };

                    if (next.i < 0 || next.j < 0 || next.k < 0 || next.i >= side ||
                        next.j >= side || next.k >= side)
                        continue;
                    column[count] = next;
                    value[count++] = at == 13 ? 26 : -1;
                }
                PetscCall(
                    MatSetValuesStencil(*matrix, 1, &row, count, column, value, INSERT_VALUES));
            }
    PetscCall(DMDestroy(&grid));
    PetscFunctionReturn(0);
}

/* Every process reads the file and sets its own rows. */
static PetscErrorCode make_pattern(const char *name, Mat *matrix)
{
    FILE *file = fopen(name, "r");
    long rows, entries, row, column;
    PetscInt first, end;

    PetscFunctionBeginUser;
    PetscCheck(file && fscanf(file, "%ld %ld", &rows, &entries) == 2, PETSC_COMM_SELF,
               PETSC_ERR_FILE_OPEN, "-pattern: %s cannot be read", name);
    PetscCall(MatCreate(PETSC_COMM_WORLD, matrix));
    PetscCall(MatSetSizes(*matrix, PETSC_DECIDE, PETSC_DECIDE, (PetscInt)rows, (PetscInt)rows));
    PetscCall(MatSetType(*matrix, MATAIJ));
    PetscCall(MatSetUp(*matrix));
    PetscCall(MatSetOption(*matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(MatGetOwnershipRange(*matrix, &first, &end));
    for (long i = 0; i < entries; i++) {
        PetscCheck(fscanf(file, "%ld %ld", &row, &column) == 2, PETSC_COMM_SELF,
                   PETSC_ERR_FILE_READ, "-pattern: %s ends early", name);
        if (row - 1 >= first && row - 1 < end)
            PetscCall(MatSetValue(*matrix, (PetscInt)(row - 1), (PetscInt)(column - 1),
                                  row == column ? 1 : -1e-4 * (double)(1 + (row + column) % 7),
                                  INSERT_VALUES));
    }
    fclose(file);
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(Mat *matrix)
{
    char name[PETSC_MAX_PATH_LEN];
    PetscInt side;
    PetscBool is_grid, is_pattern;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-grid", &side, &is_grid));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-pattern", name, sizeof name, &is_pattern));
    PetscCheck(is_grid != is_pattern, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "one of -grid and -pattern is needed");
    PetscCall(is_grid ? make_grid(side, matrix) : make_pattern(name, matrix));
    PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
    if (is_grid)
        PetscCall(MatSetOption(*matrix, MAT_SPD, PETSC_TRUE));
    PetscFunctionReturn(0);
}

/* None, jacobi, or a factorization without fill of the rows of each process. */
static PetscErrorCode set_preconditioner(KSP ksp, const char *name)
{
    const PetscBool is_factored =
        strcmp(name, "icc") == 0 || strcmp(name, "ilu") == 0 ? PETSC_TRUE : PETSC_FALSE;
    PC pc, block;
    KSP *blocks;

    PetscFunctionBeginUser;
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, is_factored ? PCBJACOBI : name));
    PetscCall(KSPSetUp(ksp));
    if (!is_factored)
        PetscFunctionReturn(0);
    PetscCall(PCBJacobiGetSubKSP(pc, NULL, NULL, &blocks));
    PetscCall(KSPSetType(blocks[0], KSPPREONLY));
    PetscCall(KSPGetPC(blocks[0], &block));
    PetscCall(PCSetType(block, name));
    PetscCall(KSPSetUpOnBlocks(ksp));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(const struct solver *solver, const char *preconditioner,
                                  PetscInt iterations, Mat matrix, KSP *ksp)
{
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, ksp));
    PetscCall(KSPSetOperators(*ksp, matrix, matrix));
    PetscCall(KSPSetType(*ksp, solver->type));
    if (solver->has_single_reduction)
        PetscCall(KSPCGUseSingleReduction(*ksp, PETSC_TRUE));
    if (strstr(solver->type, "cg") && !strstr(solver->type, "bcgs"))
        PetscCall(KSPSetNormType(*ksp, KSP_NORM_NATURAL));
    PetscCall(KSPSetConvergenceTest(*ksp, KSPConvergedSkip, NULL, NULL));
    PetscCall(KSPSetTolerances(*ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                               iterations + solver->limit_beyond));
    PetscCall(set_preconditioner(*ksp, preconditioner));
    PetscFunctionReturn(0);
}

/* Seconds of the slowest process; negative where the solver broke down before its iterations. */
static PetscErrorCode time_solve(KSP ksp, PetscInt iterations, Vec right, Vec solution,
                                 double *seconds)
{
    PetscInt done;
    double time_s;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    time_s = -MPI_Wtime();
    PetscCall(KSPSolve(ksp, right, solution));
    time_s += MPI_Wtime();
    PetscCallMPI(MPI_Allreduce(&time_s, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
    PetscCall(KSPGetIterationNumber(ksp, &done));
    if (done < iterations)
        *seconds = -1;
    PetscFunctionReturn(0);
}

static PetscErrorCode time_solver(const struct solver *solver, const char *preconditioner,
                                  PetscInt iterations, Mat matrix)
{
    double seconds, sum_s = 0;
    PetscLogStage stage;
    Vec right, solution;
    KSP ksp;

    PetscFunctionBeginUser;
    PetscCall(PetscLogStageRegister(solver->name, &stage));
    PetscCall(MatCreateVecs(matrix, &solution, &right));
    PetscCall(VecSetRandom(right, NULL));
    PetscCall(make_solver(solver, preconditioner, iterations, matrix, &ksp));
    PetscCall(time_solve(ksp, iterations, right, solution, &seconds)); /* warms up */
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s", solver->name));
    PetscCall(PetscLogStagePush(stage));
    for (int i = 0; seconds >= 0 && i < SOLVES_MAX && (i < SOLVES_MIN || sum_s < least_s); i++) {
        PetscCall(time_solve(ksp, iterations, right, solution, &seconds));
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, " %.9g", seconds));
        sum_s += seconds;
    }
    PetscCall(PetscLogStagePop());
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\n"));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&solution));
    PetscFunctionReturn(0);
}

static PetscErrorCode time_all(void)
{
    char names[400] = "pcg", preconditioner[16] = "icc";
    PetscInt iterations = 20;
    Mat matrix;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-solvers", names, sizeof names, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-preconditioner", preconditioner,
                                    sizeof preconditioner, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &iterations, NULL));
    PetscCall(make_matrix(&matrix));
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        int i = 0;

        while (i < SOLVERS && strcmp(solvers[i].name, name) != 0)
            i++;
        PetscCheck(i < SOLVERS, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT, "-solvers: what is %s?",
                   name);
        PetscCall(time_solver(&solvers[i], preconditioner, iterations, matrix));
    }
    PetscCall(MatDestroy(&matrix));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(time_all());
    PetscCall(PetscFinalize());
    return 0;
}
