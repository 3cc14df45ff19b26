/* Runs ScaLAPACK and HPL, unmodified: on a simulated cluster with the kernels of charged.c, or on
 * this computer (measured.c).
 *
 *     smpirun … reference BATCH OUTPUT          mpirun … reference BATCH OUTPUT
 *
 * The first line of BATCH is the core: 18 numbers in the order of struct charged_core.  Each other
 * line is a run: routine m n k block_size process_rows process_columns mapping side uplo transa
 * transb broadcast lookahead_depth swap swap_threshold nbmin ndiv; pdtrsm transposes as transa
 * says. OUTPUT gets the seconds of each, a line a run.
 */
#include "tests/validation/block_cyclic/core.h"

#include "hpl.h"

#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *count);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb,
               const int *source_row, const int *source_column, const int *context, const int *lld,
               int *info);
void pdgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
             const double *alpha, const double *a, const int *ia, const int *ja, const int *desca,
             const double *b, const int *ib, const int *jb, const int *descb, const double *beta,
             double *c, const int *ic, const int *jc, const int *descc);
void pdtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
             const int *n, const double *alpha, const double *a, const int *ia, const int *ja,
             const int *desca, double *b, const int *ib, const int *jb, const int *descb);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja,
              const int *desca, int *info);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca,
              int *pivots, int *info);
void pdgeqrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca,
              double *tau, double *work, const int *work_size, int *info);

static int rank;
static const int zero, one = 1;
static const double alpha = 1;

struct run {
    char routine[16], mapping[16], side[4], uplo[4], transa[4], transb[4], broadcast[16], swap[24];
    int m, n, k, block, rows, columns, depth, threshold, nbmin, ndiv;
};

static _Noreturn void fail(const char *why, const char *what)
{
    fprintf(stderr, "reference: %s: %s\n", why, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* The local part of an m x n matrix, and its descriptor. */
static double *matrix(int context, const struct run *run, int m, int n, int desc[9])
{
    int rows, columns, row, column, info, ld, width;

    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    ld = numroc_(&m, &run->block, &row, &zero, &rows);
    width = numroc_(&n, &run->block, &column, &zero, &columns);
    ld = ld > 0 ? ld : 1;
    descinit_(desc, &m, &n, &run->block, &run->block, &zero, &zero, &context, &ld, &info);
    return core_matrix((size_t)ld * (size_t)(width > 0 ? width : 1));
}

/* A dominant diagonal: no factorization stops, and no solve overflows. */
static void dominate(double *a, int n, const int desc[9])
{
    int rows, columns, row, column;

    Cblacs_gridinfo(desc[1], &rows, &columns, &row, &column);
    for (int i = 0; i < n; i++) {
        const int block = i / desc[4], at = i % desc[4];

        if (block % rows == row && block % columns == column)
            a[(size_t)(block / columns * desc[4] + at) * (size_t)desc[8] +
              (size_t)(block / rows * desc[4] + at)] += n;
    }
}

static double begin(void)
{
    core_seed(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double passed(double began_s)
{
    double mine = MPI_Wtime() - began_s, most;

    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static double pdgemm_s(const struct run *run, int context)
{
    const int is_plain_a = *run->transa == 'N', is_plain_b = *run->transb == 'N';
    int da[9], db[9], dc[9];
    double *a =
        matrix(context, run, is_plain_a ? run->m : run->k, is_plain_a ? run->k : run->m, da);
    double *b =
        matrix(context, run, is_plain_b ? run->k : run->n, is_plain_b ? run->n : run->k, db);
    double *c = matrix(context, run, run->m, run->n, dc);
    double began = begin();

    pdgemm_(run->transa, run->transb, &run->m, &run->n, &run->k, &alpha, a, &one, &one, da, b, &one,
            &one, db, &alpha, c, &one, &one, dc);
    began = passed(began);
    core_release(a);
    core_release(b);
    core_release(c);
    return began;
}

static double pdtrsm_s(const struct run *run, int context)
{
    const int order = *run->side == 'L' ? run->m : run->n;
    int da[9], db[9];
    double *a = matrix(context, run, order, order, da);
    double *b = matrix(context, run, run->m, run->n, db);
    double began;

    dominate(a, order, da);
    began = begin();
    pdtrsm_(run->side, run->uplo, run->transa, "N", &run->m, &run->n, &alpha, a, &one, &one, da, b,
            &one, &one, db);
    began = passed(began);
    core_release(a);
    core_release(b);
    return began;
}

/* Factorizations of one matrix. */
static double factor_s(const struct run *run, int context)
{
    const int is_cholesky = !strcmp(run->routine, "pdpotrf"), m = is_cholesky ? run->n : run->m;
    const int size = (run->n + m) * (run->block + 8) + run->block * run->block;
    int desc[9], info = 0;
    double *a = matrix(context, run, m, run->n, desc);
    double *work = calloc((size_t)size, sizeof *work),
           *tau = calloc((size_t)run->n + 1, sizeof *tau);
    int *pivots = calloc((size_t)(m + run->block), sizeof *pivots);
    double began;

    if (is_cholesky)
        dominate(a, m, desc);
    began = begin();
    if (is_cholesky)
        pdpotrf_(run->uplo, &run->n, a, &one, &one, desc, &info);
    else if (!strcmp(run->routine, "pdgetrf"))
        pdgetrf_(&run->m, &run->n, a, &one, &one, desc, pivots, &info);
    else
        pdgeqrf_(&run->m, &run->n, a, &one, &one, desc, tau, work, &size, &info);
    began = passed(began);
    if (info)
        fail("a factorization stopped", run->routine);
    free(pivots);
    free(tau);
    free(work);
    core_release(a);
    return began;
}

static double scalapack_s(const struct run *run)
{
    int context;
    double seconds;

    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, *run->mapping == 'r' ? "Row" : "Col", run->rows, run->columns);
    seconds = !strcmp(run->routine, "pdgemm")   ? pdgemm_s(run, context)
              : !strcmp(run->routine, "pdtrsm") ? pdtrsm_s(run, context)
                                                : factor_s(run, context);
    Cblacs_gridexit(context);
    return seconds;
}

static int place(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    fail("unknown word", name);
}

/* Left-looking panels in transposed form; the update with U transposed: the defaults of HPL.dat. */
static HPL_T_palg algorithm(const struct run *run)
{
    static const char *const broadcasts[] = { "1ring", "1ringM", "2ring", "2ringM",
                                              "long",  "longM",  NULL };
    static const char *const swaps[] = { "binary_exchange", "spread_roll", "mix", NULL };
    HPL_T_palg palg = {
        .btopo = (HPL_T_TOP)(HPL_1RING + place(broadcasts, run->broadcast)),
        .depth = run->depth,
        .nbdiv = run->ndiv,
        .nbmin = run->nbmin,
        .pfact = HPL_LEFT_LOOKING,
        .rfact = HPL_LEFT_LOOKING,
        .pffun = HPL_pdpanllT,
        .rffun = HPL_pdrpanllT,
        .upfun = HPL_pdupdateTT,
        .fswap = (HPL_T_SWAP)(HPL_SWAP00 + place(swaps, run->swap)),
        .fsthr = run->threshold,
        .align = 8,
    };

    return palg;
}

static double hpl_s(const struct run *run)
{
    HPL_T_palg palg = algorithm(run);
    HPL_T_grid grid;
    HPL_T_pmat mat = { .n = run->n, .nb = run->block };
    int rows, columns, row, column;
    double began;

    HPL_grid_init(MPI_COMM_WORLD, *run->mapping == 'r' ? HPL_ROW_MAJOR : HPL_COLUMN_MAJOR,
                  run->rows, run->columns, &grid);
    HPL_grid_info(&grid, &rows, &columns, &row, &column);
    mat.mp = HPL_numroc(run->n, run->block, run->block, row, 0, rows);
    mat.nq = HPL_numroc(run->n, run->block, run->block, column, 0, columns) + 1;
    mat.ld = (mat.mp / 8 + 1) * 8;
    mat.A = core_matrix((size_t)(mat.ld + 1) * (size_t)(mat.nq + 1));
    mat.X = Mptr(mat.A, 0, mat.nq, mat.ld);
    began = begin();
    HPL_pdgesv(&grid, &palg, &mat);
    began = passed(began);
    core_release(mat.A);
    HPL_grid_exit(&grid);
    return began;
}

static int read_run(FILE *batch, struct run *run)
{
    return fscanf(batch, "%15s %d %d %d %d %d %d %15s %3s %3s %3s %3s %15s %d %23s %d %d %d",
                  run->routine, &run->m, &run->n, &run->k, &run->block, &run->rows, &run->columns,
                  run->mapping, run->side, run->uplo, run->transa, run->transb, run->broadcast,
                  &run->depth, run->swap, &run->threshold, &run->nbmin, &run->ndiv) == 18;
}

int main(int argc, char **argv)
{
    FILE *batch, *output;
    struct run run;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    batch = argc == 3 ? fopen(argv[1], "r") : NULL;
    output = rank == 0 && batch ? fopen(argv[2], "w") : NULL;
    if (!batch || (rank == 0 && !output))
        fail("cannot open", argc == 3 ? argv[1] : "usage: reference BATCH OUTPUT");
    if (!core_read(batch))
        fail("not a number", "the core in the batch");
    while (read_run(batch, &run)) {
        const double seconds = strcmp(run.routine, "hpl") ? scalapack_s(&run) : hpl_s(&run);

        if (output)
            fprintf(output, "%.12g\n", seconds), fflush(output);
    }
    fclose(batch);
    if (output && fclose(output))
        fail("cannot write", argv[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("reference: ends well");
    MPI_Finalize();
    return 0;
}
