/* What solvers of PETSc do: iterations, calls of kernels, reductions and messages.
 *
 * Each line of a file holds the options of one solve: PETSc's, and -solver, -preconditioner (names
 * that are repeated in the result), -global_grid, -stencil, -dof.  A Poisson problem on the grid,
 * distributed by DMDA, is solved twice; the second solve is counted, a line of JSON for each:
 *
 *     mpirun -n 4 counts FILE
 */
#include <petscdmda.h>
#include <petscksp.h>

#include <string.h>

#include "tests/validation/krylov_counts/calls.h"

struct settings {
    PetscInt dimensions, extent[3], dof;
    PetscBool is_box;
    char solver[16], preconditioner[16];
};

/* Kernels that PETSc times, by their events. */
static const char *const kernels[] = {
    "MatMult",    "MatMultTranspose", "PCApply",          "VecDot",         "VecTDot",
    "VecMDot",    "VecNorm",          "VecDotNorm2",      "VecAXPY",        "VecAYPX",
    "VecAXPBYCZ", "VecWAXPY",         "VecMAXPY",         "VecCopy",        "VecScale",
    "VecSwap",    "VecSet",           "VecPointwiseMult", "VecReduceArith",
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
struct kernel {
    PetscInt calls;
    double operations;
};

static PetscErrorCode read_settings(struct settings *settings)
{
    char stencil[8] = "box";
    PetscBool is_known;

    PetscFunctionBeginUser;
    *settings = (struct settings){ .dimensions = 3, .extent = { 1, 1, 1 }, .dof = 1 };
    PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-global_grid", settings->extent,
                                      &settings->dimensions, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-dof", &settings->dof, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-stencil", stencil, sizeof stencil, NULL));
    PetscCall(PetscStrcmp(stencil, "box", &settings->is_box));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-solver", settings->solver,
                                    sizeof settings->solver, &is_known));
    PetscCheck(is_known, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT, "-solver is missing");
    PetscCall(PetscOptionsGetString(NULL, NULL, "-preconditioner", settings->preconditioner,
                                    sizeof settings->preconditioner, &is_known));
    PetscCheck(is_known, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT, "-preconditioner is missing");
    PetscFunctionReturn(0);
}

static PetscErrorCode create_grid(const struct settings *settings, DM *grid)
{
    PetscFunctionBeginUser;
    PetscCall(DMDACreate(PETSC_COMM_WORLD, grid));
    PetscCall(DMSetDimension(*grid, settings->dimensions));
    PetscCall(DMDASetSizes(*grid, settings->extent[0], settings->extent[1], settings->extent[2]));
    PetscCall(DMDASetDof(*grid, settings->dof));
    PetscCall(DMDASetStencilWidth(*grid, 1));
    PetscCall(DMDASetStencilType(*grid, settings->is_box ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR));
    PetscCall(DMSetFromOptions(*grid));
    PetscCall(DMSetUp(*grid));
    PetscFunctionReturn(0);
}

/* The pattern of the grid with -1 off the diagonal, and so much on it that the matrix is positive
 * definite; it differs from row to row, or the solution would be found at once. */
static PetscErrorCode fill_matrix(Mat matrix)
{
    PetscInt first, end;
    Mat pattern;

    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(matrix, MAT_DO_NOT_COPY_VALUES, &pattern));
    PetscCall(MatGetOwnershipRange(matrix, &first, &end));
    for (PetscInt row = first; row < end; row++) {
        const PetscInt *columns;
        PetscInt count;

        PetscCall(MatGetRow(pattern, row, &count, &columns, NULL));
        for (PetscInt i = 0; i < count; i++)
            PetscCall(
                MatSetValue(matrix, row, columns[i],
                            columns[i] == row ? (double)count - 0.5 + 0.1 * (double)(row % 7) : -1,
                            INSERT_VALUES));
        PetscCall(MatRestoreRow(pattern, row, &count, &columns, NULL));
    }
    PetscCall(MatDestroy(&pattern));
    PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
    PetscFunctionReturn(0);
}

static PetscErrorCode count_kernels(struct kernel out[KERNELS])
{
    PetscFunctionBeginUser;
    for (int i = 0; i < KERNELS; i++) {
        PetscEventPerfInfo info;
        PetscLogEvent event;

        PetscCall(PetscLogEventGetId(kernels[i], &event));
        PetscCheck(event >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "no event %s", kernels[i]);
        PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info));
        out[i] = (struct kernel){ info.count, info.flops };
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode print_reductions(const struct calls *calls)
{
    const char *comma = "";

    PetscFunctionBeginUser;
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"reductions\":{"));
    for (int i = 0; i < calls->rows; i++) {
        const struct calls_row *row = &calls->row[i];

        if (row->to >= 0)
            continue;
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s\"%s%d\":%d", comma,
                              row->to == CALLS_NONBLOCKING ? "i" : "", row->bytes, row->count));
        comma = ",";
    }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "}"));
    PetscFunctionReturn(0);
}

/* The calls of all ranks on rank 0, elsewhere NULL; to be freed. */
static PetscErrorCode gather_calls(const struct calls *mine, struct calls **all)
{
    PetscMPIInt rank, size;

    PetscFunctionBeginUser;
    *all = NULL;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    if (rank == 0)
        PetscCall(PetscMalloc1(size, all));
    PetscCallMPI(MPI_Gather(mine, sizeof *mine, MPI_BYTE, *all, sizeof *mine, MPI_BYTE, 0,
                            PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

/* The messages of one halo exchange: from, to, bytes.  Every exchange of the solve sends them all,
 * as often as there are products. */
static PetscErrorCode print_messages(const struct calls *mine, PetscInt products)
{
    PetscMPIInt size;
    struct calls *all;
    const char *comma = "";

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCall(gather_calls(mine, &all));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"messages\":["));
    for (int from = 0; all && from < size; from++)
        for (int i = 0; i < all[from].rows; i++) {
            const struct calls_row *row = &all[from].row[i];

            if (row->to < 0)
                continue;
            PetscCheck(row->count == products, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                       "%d messages from %d to %d in %" PetscInt_FMT " products", row->count, from,
                       row->to, products);
            PetscCall(
                PetscPrintf(PETSC_COMM_SELF, "%s[%d,%d,%d]", comma, from, row->to, row->bytes));
            comma = ",";
        }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "]"));
    PetscCall(PetscFree(all));
    PetscFunctionReturn(0);
}

static PetscErrorCode print_grid(const struct settings *settings, DM grid)
{
    PetscInt processes[3];

    PetscFunctionBeginUser;
    PetscCall(DMDAGetInfo(grid, NULL, NULL, NULL, NULL, &processes[0], &processes[1], &processes[2],
                          NULL, NULL, NULL, NULL, NULL, NULL));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"stencil\":\"%s\",\"dof\":%" PetscInt_FMT,
                          settings->is_box ? "box" : "star", settings->dof));
    for (int list = 0; list < 2; list++) {
        const PetscInt *of = list ? processes : settings->extent;

        PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"%s\":", list ? "process_grid" : "global_grid"));
        for (PetscInt d = 0; d < settings->dimensions; d++)
            PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s%" PetscInt_FMT, d ? "," : "[", of[d]));
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "]"));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode print_solver(const struct settings *settings, KSP ksp)
{
    KSPConvergedReason reason;
    PetscInt iterations;
    PetscMPIInt size;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "%s with %s: %s",
               settings->solver, settings->preconditioner, KSPConvergedReasons[reason]);
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "{\"solver\":\"%s\",\"preconditioner\":\"%s\",\"processes\":%d,"
                          "\"iterations\":%" PetscInt_FMT,
                          settings->solver, settings->preconditioner, size, iterations));
    PetscFunctionReturn(0);
}

/* Vectors that kernels of several took beside the one they share, by PETSc's count of operations; 0
 * for other kernels. */
static double vectors_of(const char *kernel, double operations, double rows)
{
    if (strcmp(kernel, "VecMDot") == 0 || strcmp(kernel, "VecReduceArith") == 0)
        return operations / (2 * rows - 1);
    return strcmp(kernel, "VecMAXPY") == 0 ? operations / (2 * rows) : 0;
}

static PetscErrorCode print_kernels(const struct kernel *before, const struct kernel *after,
                                    PetscInt rows)
{
    const char *comma = "";

    PetscFunctionBeginUser;
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"kernels\":{"));
    for (int i = 0; i < KERNELS; i++) {
        const PetscInt calls = after[i].calls - before[i].calls;
        const double vectors =
            vectors_of(kernels[i], after[i].operations - before[i].operations, (double)rows);

        if (!calls)
            continue;
        PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                              vectors > 0 ? "%s\"%s\":[%" PetscInt_FMT ",%.0f]"
                                          : "%s\"%s\":%" PetscInt_FMT,
                              comma, kernels[i], calls, vectors));
        comma = ",";
    }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "}"));
    PetscFunctionReturn(0);
}

/* The first two kernels are the products. */
static PetscInt products(const struct kernel *before, const struct kernel *after)
{
    return after[0].calls - before[0].calls + after[1].calls - before[1].calls;
}

/* Written anew before each solve: PETSc remembers the norm of a vector that did not change, and
 * that of a constant one. */
static PetscErrorCode set_right_hand_side(Vec right)
{
    PetscInt rows;
    PetscScalar *value;

    PetscFunctionBeginUser;
    PetscCall(VecGetLocalSize(right, &rows));
    PetscCall(VecGetArray(right, &value));
    for (PetscInt i = 0; i < rows; i++)
        value[i] = 1 + (PetscScalar)(i % 5);
    PetscCall(VecRestoreArray(right, &value));
    PetscFunctionReturn(0);
}

static PetscErrorCode count_solve(const struct settings *settings, DM grid, Mat matrix, KSP ksp)
{
    struct kernel before[KERNELS], after[KERNELS];
    const struct calls *calls;
    Vec right, solution;
    PetscInt rows;

    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(matrix, &solution, &right));
    PetscCall(VecGetLocalSize(right, &rows));
    PetscCall(set_right_hand_side(right));
    PetscCall(KSPSolve(ksp, right, solution)); /* sets up what is set up lazily */
    PetscCall(count_kernels(before));
    PetscCall(set_right_hand_side(right));
    calls_begin();
    PetscCall(KSPSolve(ksp, right, solution));
    calls = calls_end();
    PetscCall(count_kernels(after));
    PetscCall(print_solver(settings, ksp));
    PetscCall(print_grid(settings, grid));
    PetscCall(print_kernels(before, after, rows));
    PetscCall(print_reductions(calls));
    PetscCall(print_messages(calls, products(before, after)));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "}\n"));
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&solution));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(void)
{
    struct settings settings;
    Mat matrix;
    DM grid;
    KSP ksp;

    PetscFunctionBeginUser;
    PetscCall(read_settings(&settings));
    PetscCall(create_grid(&settings, &grid));
    PetscCall(DMCreateMatrix(grid, &matrix));
    PetscCall(fill_matrix(matrix));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, matrix, matrix));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(count_solve(&settings, grid, matrix, ksp));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&matrix));
    PetscCall(DMDestroy(&grid));
    PetscFunctionReturn(0);
}

/* One solve for each line. */
static PetscErrorCode solve_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[400];

    PetscFunctionBeginUser;
    PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot read %s", path);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        PetscCall(PetscOptionsClear(NULL));
        PetscCall(PetscOptionsInsertString(NULL, line));
        PetscCall(solve());
    }
    fclose(file);
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCheck(argc > 1, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT, "usage: counts FILE");
    PetscCall(PetscLogDefaultBegin());
    PetscCall(solve_all(argv[1]));
    PetscCall(PetscFinalize());
    return 0;
}
