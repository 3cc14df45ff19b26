#include "tests/validation/block_cyclic/charged.h"
#include "tests/validation/block_cyclic/core.h"

#include <smpi/smpi.h>
#include <stdint.h>
#include <stdlib.h>

struct charged_core charged_core;
static uint32_t pivots;

int core_read(FILE *batch)
{
    double *numbers[] = { charged_core.dgemm,         charged_core.dtrsm,     charged_core.dsyrk,
                          &charged_core.cached_bytes, charged_core.bandwidth, &charged_core.call_s,
                          &charged_core.line_bytes };
    static const int counts[] = { 5, 4, 4, 1, 2, 1, 1 };

    for (int i = 0; i < 7; i++)
        for (int j = 0; j < counts[i]; j++)
            if (fscanf(batch, "%lf", &numbers[i][j]) != 1)
                return 0;
    return 1;
}

void core_seed(int rank)
{
    pivots = 12345u + 7919u * (uint32_t)rank;
}

/* All ranks share the memory. */
double *core_matrix(size_t elements)
{
    double *a = SMPI_SHARED_MALLOC(elements * sizeof *a);
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (size_t i = 0; i < elements && i < 1 << 17; i++)
            a[i] = 0.5 + (double)((i * 2654435761u) % 1000003) / 2000006;
    MPI_Barrier(MPI_COMM_WORLD);
    return a;
}

void core_release(double *matrix)
{
    SMPI_SHARED_FREE(matrix);
}

static void charge(double seconds)
{
    if (seconds > 0)
        smpi_execute_benched(seconds);
}

void charged_stream(double bytes, double operand_bytes)
{
    const struct charged_core *core = &charged_core;

    if (bytes > 0)
        charge(bytes / core->bandwidth[operand_bytes >= core->cached_bytes] + core->call_s);
}

/* Bytes that one access to an element of a vector moves. */
static double touched(int increment)
{
    return increment == 1 || increment == -1 ? 8 : charged_core.line_bytes;
}

/* ---- level 3 ---- */

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
    const double *t = charged_core.dgemm;
    const double rows = *m, columns = *n, depth = *k;

    if (rows > 0 && columns > 0 && depth > 0)
        charge(t[0] + t[1] * rows * columns * depth + t[2] * rows * columns + t[3] * rows * depth +
               t[4] * columns * depth);
    if (*beta == 0) /* C is zeroed first */
        charged_stream(16 * rows * columns, 8 * rows * columns);
}

void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb)
{
    const double *t = charged_core.dtrsm;
    const int is_left = *side == 'L' || *side == 'l';
    const double order = is_left ? *m : *n, others = is_left ? *n : *m;

    if (order > 0 && others > 0)
        charge(t[0] + t[1] * order * order * others + t[2] * order * others + t[3] * order * order);
}

void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc)
{
    const double *t = charged_core.dsyrk;
    const double order = *n, depth = *k;

    if (order > 0 && depth > 0)
        charge(t[0] + t[1] * order * order * depth + t[2] * order * depth + t[3] * order * order);
}

/* A triangle is half of a square. */
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb)
{
    dtrsm_(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

/* Named in the tables of the PBLAS, called by none of the programs here. */
void dsymm_(void)
{
    abort();
}

void dsyr2k_(void)
{
    abort();
}

/* ---- levels 1 and 2 ---- */

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy)
{
    const int is_plain = *trans == 'N' || *trans == 'n';
    const double rows = *m, columns = *n;
    const double read = is_plain ? columns : rows, written = is_plain ? rows : columns;

    if (rows > 0 && columns > 0)
        charged_stream(8 * (rows * columns + read) + 16 * written, 8 * rows * columns);
}

void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda)
{
    const double rows = *m, columns = *n;

    if (rows > 0 && columns > 0)
        charged_stream(16 * rows * columns + 8 * (rows + columns), 8 * rows * columns);
}

static void triangle_times_vector(double n)
{
    charged_stream(4 * n * n + 16 * n, 4 * n * n);
}

void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx)
{
    triangle_times_vector(*n);
}

void dtrmv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx)
{
    triangle_times_vector(*n);
}

void dsymv_(const char *uplo, const int *n, const double *alpha, const double *a, const int *lda,
            const double *x, const int *incx, const double *beta, double *y, const int *incy)
{
    triangle_times_vector(*n);
}

void dsyr_(const char *uplo, const int *n, const double *alpha, const double *x, const int *incx,
           double *a, const int *lda)
{
    charged_stream(8.0 * *n * *n + 8.0 * *n, 4.0 * *n * *n);
}

void dsyr2_(const char *uplo, const int *n, const double *alpha, const double *x, const int *incx,
            const double *y, const int *incy, double *a, const int *lda)
{
    charged_stream(8.0 * *n * *n + 16.0 * *n, 4.0 * *n * *n);
}

/* Copies as well: HPL moves its pivots this way. */
void dcopy_(const int *n, const double *x, const int *incx, double *y, const int *incy)
{
    for (long i = 0; i < *n; i++)
        y[i * *incy] = x[i * *incx];
    charged_stream((touched(*incx) + touched(*incy)) * *n, 8.0 * *n);
}

void dswap_(const int *n, double *x, const int *incx, double *y, const int *incy)
{
    charged_stream(2 * (touched(*incx) + touched(*incy)) * *n, 8.0 * *n);
}

void daxpy_(const int *n, const double *alpha, const double *x, const int *incx, double *y,
            const int *incy)
{
    charged_stream((touched(*incx) + 2 * touched(*incy)) * *n, 8.0 * *n);
}

void dscal_(const int *n, const double *alpha, double *x, const int *incx)
{
    charged_stream(2 * touched(*incx) * *n, 8.0 * *n);
}

/* Zero: a Cholesky factorization then finds the positive diagonal that the matrix was filled with.
 */
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy)
{
    charged_stream((touched(*incx) + touched(*incy)) * *n, 8.0 * *n);
    return 0;
}

double dnrm2_(const int *n, const double *x, const int *incx)
{
    charged_stream(touched(*incx) * *n, 8.0 * *n);
    return *n;
}

double dasum_(const int *n, const double *x, const int *incx)
{
    charged_stream(touched(*incx) * *n, 8.0 * *n);
    return *n;
}

/* Both copy a matrix; ScaLAPACK's own dlamov also takes operands that overlap. */
void dlacpy_(const char *uplo, const int *m, const int *n, const double *a, const int *lda,
             double *b, const int *ldb)
{
    charged_stream(16.0 * *m * *n, 8.0 * *m * *n);
}

void dlamov_(const char *uplo, const int *m, const int *n, const double *a, const int *lda,
             double *b, const int *ldb)
{
    charged_stream(16.0 * *m * *n, 8.0 * *m * *n);
}

/* A random row: pivots on the diagonal make LU faster than it is. */
int idamax_(const int *n, const double *x, const int *incx)
{
    if (*n <= 0)
        return 0;
    charged_stream(touched(*incx) * *n, 8.0 * *n);
    pivots = pivots * 1664525u + 1013904223u;
    return 1 + (int)(((uint64_t)pivots * (uint64_t)*n) >> 32);
}
