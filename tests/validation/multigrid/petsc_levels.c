/* What a cycle of PETSc's geometric multigrid does on each level: rows, entries, and what the
 * rank that sends most sends in a product, in a restriction, in an interpolation and in a cycle.
 *
 * A Poisson problem on a DMDA is discretized on each level.  The coarsest level is divided by its
 * diagonal, which sends nothing.  The result is a line of JSON; record.sh has the options.
 */
#include <petscdmda.h>
#include <petscksp.h>

#include <stdio.h>
#include <string.h>

/* PETSc counts messages by macros of these names. */
#undef MPI_Isend
#undef MPI_Start
#undef MPI_Startall

/* ---- messages of this rank ------------------------------------------------------------------ */

enum { MOST_SENDS = 4096 };
static struct {
    MPI_Request request;
    long bytes;
} persistent[MOST_SENDS];
static int persistent_count;
static long messages, bytes;

static long bytes_of(int count, MPI_Datatype type)
{
    int size;

    PMPI_Type_size(type, &size);
    return (long)count * size;
}

static void count_message(long size)
{
    messages++;
    bytes += size;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count_message(bytes_of(count, type));
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    const int result = PMPI_Send_init(buffer, count, type, to, tag, comm, request);

    if (persistent_count == MOST_SENDS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    persistent[persistent_count].request = *request;
    persistent[persistent_count++].bytes = bytes_of(count, type);
    return result;
}

static void count_request(MPI_Request request)
{
    for (int i = 0; i < persistent_count; i++)
        if (persistent[i].request == request)
            count_message(persistent[i].bytes);
}

/* A handle may serve another request later. */
int MPI_Request_free(MPI_Request *request)
{
    for (int i = 0; i < persistent_count; i++)
        if (persistent[i].request == *request)
            persistent[i] = persistent[--persistent_count];
    return PMPI_Request_free(request);
}

int MPI_Start(MPI_Request *request)
{
    count_request(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        count_request(requests[i]);
    return PMPI_Startall(count, requests);
}

/* ---- the problem ---------------------------------------------------------------------------- */

static PetscBool is_box;

/* Every point is coupled with all of its stencil; values at the boundary are given. */
static PetscErrorCode fill_operator(KSP ksp, Mat unused, Mat A, void *context)
{
    DMDALocalInfo info;
    DM dm;

    (void)unused, (void)context;
    PetscFunctionBeginUser;
    PetscCall(KSPGetDM(ksp, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &info));
    for (PetscInt k = info.zs; k < info.zs + info.zm; k++)
        for (PetscInt j = info.ys; j < info.ys + info.ym; j++)
            for (PetscInt i = info.xs; i < info.xs + info.xm; i++) {
                const MatStencil row = { .k = k, .j = j, .i = i };
                MatStencil column[27];
                PetscScalar value[27];
                PetscInt count = 0;

                for (int at = 0; at < 27; at++) {
                    const int x = at % 3 - 1, y = at / 3 % 3 - 1, z = at / 9 - 1;
                    const MatStencil c = { .k = k + z, .j = j + y, .i = i + x };

                    if ((!is_box && abs(x) + abs(y) + abs(z) > 1) || c.i < 0 || c.j < 0 ||
                        c.k < 0 || c.i >= info.mx || c.j >= info.my || c.k >= info.mz)
                        continue;
                    column[count] = c;
                    value[count++] = x || y || z ? -1 : is_box ? 26 : 2 * info.dim;
                }
                PetscCall(MatSetValuesStencil(A, 1, &row, count, column, value, INSERT_VALUES));
            }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(PetscInt dimensions, const PetscInt extent[3], PetscInt levels,
                                  KSP *ksp)
{
    const DMDAStencilType type = is_box ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR;
    PetscInt processes[3] = { 1, 1, 1 }, count = 3;
    DM dm;
    PC pc;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-process_grid", processes, &count, NULL));
    PetscCall(DMDACreate(PETSC_COMM_WORLD, &dm));
    PetscCall(DMSetDimension(dm, dimensions));
    PetscCall(DMDASetSizes(dm, extent[0], extent[1], extent[2]));
    PetscCall(DMDASetNumProcs(dm, processes[0], processes[1], processes[2]));
    PetscCall(DMDASetDof(dm, 1));
    PetscCall(DMDASetStencilType(dm, type));
    PetscCall(DMDASetStencilWidth(dm, 1));
    PetscCall(DMSetFromOptions(dm));
    PetscCall(DMSetUp(dm));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, ksp));
    PetscCall(KSPSetDM(*ksp, dm));
    PetscCall(KSPSetComputeOperators(*ksp, fill_operator, NULL));
    PetscCall(KSPGetPC(*ksp, &pc));
    PetscCall(PCSetType(pc, PCMG));
    PetscCall(PCMGSetLevels(pc, levels, NULL));
    PetscCall(KSPSetFromOptions(*ksp));
    PetscCall(KSPSetUp(*ksp));
    PetscCall(DMDestroy(&dm));
    PetscFunctionReturn(0);
}

/* ---- counts --------------------------------------------------------------------------------- */

enum operation { PRODUCT, RESTRICTION, INTERPOLATION, CYCLE };

static PetscErrorCode perform(enum operation operation, Mat A, PC pc, Vec x, Vec y)
{
    PetscFunctionBeginUser;
    if (operation == PRODUCT || operation == INTERPOLATION)
        PetscCall(MatMult(A, x, y));
    else if (operation == RESTRICTION)
        PetscCall(MatMultTranspose(A, x, y));
    else
        PetscCall(PCApply(pc, x, y));
    PetscFunctionReturn(0);
}

/* The second time: the first one sets up the exchange. */
static PetscErrorCode print_sent(const char *name, enum operation operation, Mat A, PC pc)
{
    long most[2];
    Vec x, y;

    PetscFunctionBeginUser;
    if (operation == RESTRICTION)
        PetscCall(MatCreateVecs(A, &y, &x));
    else
        PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(VecSet(x, 1));
    PetscCall(perform(operation, A, pc, x, y));
    messages = bytes = 0;
    PetscCall(perform(operation, A, pc, x, y));
    most[0] = messages;
    most[1] = bytes;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_LONG, MPI_MAX, PETSC_COMM_WORLD));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\"%s\":{\"messages\":%ld,\"bytes\":%ld}", name,
                          most[0], most[1]));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(0);
}

static PetscErrorCode print_level(PC pc, PetscInt l, PetscBool is_coarsest)
{
    PetscInt rows;
    MatInfo info;
    KSP smoother;
    Mat A, P;

    PetscFunctionBeginUser;
    PetscCall(PCMGGetSmoother(pc, l, &smoother));
    PetscCall(KSPGetOperators(smoother, &A, NULL));
    PetscCall(MatGetSize(A, &rows, NULL));
    PetscCall(MatGetInfo(A, MAT_GLOBAL_SUM, &info));
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD, "{\"rows\":%d,\"nonzeros\":%.0f,", (int)rows, info.nz_used));
    PetscCall(print_sent("product", PRODUCT, A, pc));
    if (!is_coarsest) {
        PetscCall(PCMGGetInterpolation(pc, l, &P));
        PetscCall(MatGetInfo(P, MAT_GLOBAL_SUM, &info));
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, ",\"transfer_nonzeros\":%.0f,", info.nz_used));
        PetscCall(print_sent("restriction", RESTRICTION, P, pc));
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, ","));
        PetscCall(print_sent("interpolation", INTERPOLATION, P, pc));
    }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "}%s", is_coarsest ? "" : ","));
    PetscFunctionReturn(0);
}

/* The smoothers by PETSc's names. */
static PetscErrorCode choose_smoother(const char *name)
{
    static const char *const options[][2] = {
        { "jacobi", "-mg_levels_ksp_type richardson -mg_levels_pc_type jacobi" },
        { "sor", "-mg_levels_ksp_type richardson -mg_levels_pc_type sor "
                 "-mg_levels_pc_sor_local_forward" },
        { "ssor", "-mg_levels_ksp_type richardson -mg_levels_pc_type sor "
                  "-mg_levels_pc_sor_local_symmetric" },
        { "chebyshev", "-mg_levels_ksp_type chebyshev -mg_levels_pc_type jacobi" },
    };

    PetscFunctionBeginUser;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i][0], name) == 0)
            PetscCall(PetscOptionsInsertString(NULL, options[i][1]));
    PetscCall(
        PetscOptionsInsertString(NULL, "-mg_coarse_ksp_type preonly -mg_coarse_pc_type jacobi"));
    PetscFunctionReturn(0);
}

static PetscErrorCode print_levels(KSP ksp, PetscInt levels)
{
    Mat A;
    PC pc;

    PetscFunctionBeginUser;
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(KSPGetOperators(ksp, &A, NULL));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\"levels\":["));
    for (PetscInt l = levels - 1; l >= 0; l--)
        PetscCall(print_level(pc, l, l == 0));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "],"));
    PetscCall(print_sent("cycle", CYCLE, A, pc));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "}\n"));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscInt dimensions = 3, extent[3] = { 1, 1, 1 }, levels = 2, sweeps = 2;
    char stencil[8] = "box", smoother[16] = "chebyshev", text[80];
    PetscMPIInt ranks;
    KSP ksp;

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-global_grid", extent, &dimensions, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-stencil", stencil, sizeof stencil, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-smoother", smoother, sizeof smoother, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-levels", &levels, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-sweeps", &sweeps, NULL));
    PetscCall(choose_smoother(smoother));
    snprintf(text, sizeof text, "-mg_levels_ksp_max_it %d", (int)sweeps);
    PetscCall(PetscOptionsInsertString(NULL, text));
    is_box = strcmp(stencil, "box") == 0;
    PetscCall(make_solver(dimensions, extent, levels, &ksp));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD, "{\"ranks\":%d,\"global_grid\":\"%d", ranks, (int)extent[0]));
    for (PetscInt d = 1; d < dimensions; d++)
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "x%d", (int)extent[d]));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "\",\"stencil\":\"%s\",\"smoother\":\"%s\",\"sweeps\":%d,", stencil,
                          smoother, (int)sweeps));
    PetscCall(print_levels(ksp, levels));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(PetscFinalize());
    return 0;
}
