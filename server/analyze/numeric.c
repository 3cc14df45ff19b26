/* Calls pdgssvx with known permutations and checks its solution. */
#include "server/analyze/analyze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of pdgssvx. */
struct call {
    superlu_dist_options_t options;
    SuperMatrix matrix;
    dScalePermstruct_t permutations;
    dLUstruct_t factors;
    dSOLVEstruct_t solver;
    SuperLUStat_t statistics;
};

/* Reduces a value over all processes. */
static double all(double value, MPI_Op how)
{
    double result = 0;

    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, how, MPI_COMM_WORLD);
    return result;
}

/* The entries stored in this process: L with full diagonal blocks, U without. */
static double count_stored(const dLUstruct_t *factors, int supernodes, const gridinfo_t *grid)
{
    const int row = grid->iam / grid->npcol, column = grid->iam % grid->npcol;
    double nnz = 0;

    for (int k = column; k < supernodes; k += grid->npcol) {
        const int_t *l = factors->Llu->Lrowind_bc_ptr[k / grid->npcol];
        const int_t *first = &factors->Glu_persist->xsup[k];

        nnz += l ? (double)l[1] * (double)(first[1] - first[0]) : 0;
    }
    for (int k = row; k < supernodes; k += grid->nprow) {
        const int_t *u = factors->Llu->Ufstnz_br_ptr[k / grid->nprow];

        nnz += u ? (double)u[1] : 0;
    }
    return nnz;
}

static double expected(int i)
{
    return 1 + i % 7;
}

/* `x`: this process's rows of the solution. */
static double residual(const struct fr_distributed *a, const double *b, const double *x)
{
    int processes, rows = a->rows;
    double *whole = malloc((size_t)a->n * sizeof *whole),
           *product = malloc((size_t)(rows + 1) * sizeof *product);
    double most = 0, size = 0;

    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int *counts = calloc((size_t)processes, sizeof *counts),
        *at = calloc((size_t)processes, sizeof *at);

    if (!whole || !product || !counts || !at)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int p = 1; p < processes; p++)
        at[p] = at[p - 1] + counts[p - 1];
    MPI_Allgatherv(x, rows, MPI_DOUBLE, whole, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
    fr_distributed_multiply(a, whole, product);
    for (int i = 0; i < rows; i++) {
        const double difference = fabs(b[i] - product[i]);

        most = difference <= most ? most : difference; /* NaN is kept */
    }
    for (int i = 0; i < a->n; i++)
        size = fmax(size, fabs(whole[i]));
    free(whole);
    free(product);
    free(counts);
    free(at);
    return all(most, MPI_MAX) / (all(a->row_sum, MPI_MAX) * size);
}

static void begin(struct call *call, const struct fr_distributed *a, const int *place,
                  const struct fr_analyze_options *options)
{
    fr_library_options(&call->options, options->supernodes);
    call->options.num_lookaheads = options->lookahead;
    call->options.RowPerm = NOROWPERM;
    call->options.ColPerm = MY_PERMC;
    call->options.IterRefine = NOREFINE;
    if (!fr_distributed_copy(a, &call->matrix))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    dScalePermstructInit(a->n, a->n, &call->permutations);
    memcpy(call->permutations.perm_c, place, (size_t)a->n * sizeof *place);
    for (int i = 0; i < a->n; i++)
        call->permutations.perm_r[i] = i;
    dLUstructInit(a->n, &call->factors);
    PStatInit(&call->statistics);
}

static void end(struct call *call, int n, gridinfo_t *grid)
{
    PStatFree(&call->statistics);
    Destroy_CompRowLoc_Matrix_dist(&call->matrix);
    dScalePermstructFree(&call->permutations);
    dDestroy_LU(n, grid, &call->factors);
    dLUstructFree(&call->factors);
    if (call->options.SolveInitialized)
        dSolveFinalize(&call->options, &call->solver);
}

static void tell(struct call *call, int n, gridinfo_t *grid, struct fr_numeric *found)
{
    const int supernodes = (int)call->factors.Glu_persist->supno[n - 1] + 1;
    superlu_dist_mem_usage_t memory = { 0 };

    dQuerySpace_dist(n, &call->factors, grid, &call->statistics, &memory);
    found->supernodes = supernodes;
    found->nnz = all(count_stored(&call->factors, supernodes, grid), MPI_SUM);
    found->factor_s = all(call->statistics.utime[FACT], MPI_MAX);
    found->flops = all(call->statistics.ops[FACT], MPI_SUM);
    found->flops_most = all(call->statistics.ops[FACT], MPI_MAX);
    found->memory_bytes = all((double)memory.total, MPI_SUM);
    found->memory_bytes_most = all((double)memory.total, MPI_MAX);
    found->blas = fr_blas_times_last();
    found->tiny_pivots = all(call->statistics.TinyPivots, MPI_SUM);
}

/* The library's factorization, which the library finds here first; the solution stays outside. */
int_t pdgstrf(superlu_dist_options_t *options, int m, int n, double norm, dLUstruct_t *factors,
              gridinfo_t *grid, SuperLUStat_t *statistics, int *info)
{
    static __typeof__(&pdgstrf) next;
    int_t status;

    if (!next)
        fr_blas_times_next("pdgstrf", &next, sizeof next);
    fr_blas_times_begin();
    status = next(options, m, n, norm, factors, grid, statistics, info);
    fr_blas_times_end();
    return status;
}

/* Solves with `nrhs` right-hand sides, all of them b; leaves x in `x`.  The time of the slowest
 * process, or NaN with the library's info. */
static double solve(struct call *call, const struct fr_distributed *a, const double *b, double *x,
                    int nrhs, gridinfo_t *grid, int *info)
{
    double *error = malloc((size_t)nrhs * sizeof *error);

    if (!error)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int j = 0; j < nrhs; j++)
        memcpy(x + (size_t)j * (size_t)a->rows, b, (size_t)a->rows * sizeof *x);
    pdgssvx(&call->options, &call->matrix, &call->permutations, x, a->rows, nrhs, grid,
            &call->factors, &call->solver, error, &call->statistics, info);
    free(error);
    return *info == 0 ? all(call->statistics.utime[SOLVE], MPI_MAX) : NAN;
}

/* Repeats the solve with factors that exist.  What the library prepares for a solve depends on the
 * number of right-hand sides. */
static int time_solve(struct call *call, const struct fr_distributed *a, const double *b, int nrhs,
                      gridinfo_t *grid, double *least_s, double *most_residual)
{
    double *x = malloc(((size_t)a->rows * (size_t)nrhs + 1) * sizeof *x);
    int info = 0;

    if (!x)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    *least_s = INFINITY;
    call->options.Fact = FACTORED;
    dSolveFinalize(&call->options, &call->solver);
    call->options.SolveInitialized = NO;
    for (int i = 0; i < FR_SOLVE_REPETITIONS && info == 0; i++)
        *least_s = fmin(*least_s, solve(call, a, b, x, nrhs, grid, &info));
    if (info == 0) {
        const double last = residual(a, b, x + (size_t)a->rows * (size_t)(nrhs - 1));

        *most_residual = last <= *most_residual ? *most_residual : last; /* NaN is kept */
    }
    free(x);
    return info;
}

static int run(struct call *call, const struct fr_distributed *a, const double *b,
               const struct fr_analyze_options *options, gridinfo_t *grid, struct fr_numeric *found)
{
    double *x = malloc(((size_t)a->rows + 1) * sizeof *x);
    int info = 0;

    if (!x)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    solve(call, a, b, x, 1, grid, &info);
    if (info == 0) {
        tell(call, a->n, grid, found);
        found->residual = residual(a, b, x);
    }
    free(x);
    for (int i = 0; i < options->solves && info == 0; i++)
        info = time_solve(call, a, b, options->nrhs[i], grid, &found->solve_s[i], &found->residual);
    return info;
}

int fr_numeric_run(const struct fr_distributed *a, const int *place,
                   const struct fr_analyze_options *options, gridinfo_t *grid,
                   struct fr_numeric *found)
{
    struct call *call = calloc(1, sizeof *call);
    double *whole = calloc((size_t)a->n, sizeof *whole),
           *b = malloc(((size_t)a->rows + 1) * sizeof *b);
    int info;

    if (!call || !whole || !b)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int i = 0; i < a->n; i++)
        whole[i] = expected(i);
    fr_distributed_multiply(a, whole, b);
    begin(call, a, place, options);
    info = run(call, a, b, options, grid, found);
    end(call, a->n, grid);
    free(call);
    free(whole);
    free(b);
    return info;
}
