/* Calls the analysis phase of MUMPS for its maximum-product transversal. */
#include "server/analyze/analyze.h"

#include <dmumps_c.h>
#include <stdlib.h>
#include <superlu_ddefs.h>

/* MUMPS's job codes. */
enum { START = -1, ANALYZE = 1, END = -2 };

/* Sets control parameter number `control`, counted from 1 as in the manual. */
static void set(DMUMPS_STRUC_C *mumps, int control, int value)
{
    mumps->icntl[control - 1] = value;
}

static bool begin(DMUMPS_STRUC_C *mumps)
{
    int is_started = 0;

    MPI_Initialized(&is_started);
    if (!is_started && MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return false;
    /* Only this process: under mpirun the others wait for the result. */
    *mumps = (DMUMPS_STRUC_C){
        .comm_fortran = MPI_Comm_c2f(MPI_COMM_SELF), .par = 1, .sym = 0, .job = START
    };
    dmumps_c(mumps);
    for (int unit = 1; unit <= 3; unit++)
        set(mumps, unit, -1);
    set(mumps, 4, 0);  /* silent */
    set(mumps, 6, 5);  /* the largest product */
    set(mumps, 7, 0);  /* minimum degree: an ordering is required but not used */
    set(mumps, 8, 0);  /* no scaling */
    set(mumps, 28, 1); /* one process */
    return mumps->infog[0] >= 0;
}

/* Copies the nonzero entries, with indices from 1. */
static bool fill(DMUMPS_STRUC_C *mumps, const struct fr_matrix *matrix)
{
    const size_t nnz = (size_t)matrix->nnz;

    mumps->n = (MUMPS_INT)matrix->n;
    mumps->irn = malloc(nnz * sizeof *mumps->irn);
    mumps->jcn = malloc(nnz * sizeof *mumps->jcn);
    mumps->a = malloc(nnz * sizeof *mumps->a);
    if (!mumps->irn || !mumps->jcn || !mumps->a)
        return false;
    for (int64_t j = 0; j < matrix->n; j++)
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++)
            if (matrix->value[e] > 0) {
                mumps->irn[mumps->nnz] = matrix->row[e] + 1;
                mumps->jcn[mumps->nnz] = (MUMPS_INT)j + 1;
                mumps->a[mumps->nnz++] = matrix->value[e];
            }
    return true;
}

/* Whether each column gets a row that has a nonzero entry in it. */
static bool is_transversal(const struct fr_matrix *matrix, const int *row_to)
{
    int64_t hits = 0;

    for (int64_t j = 0; j < matrix->n; j++)
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++)
            if (row_to[matrix->row[e]] == j && matrix->value[e] > 0) {
                hits++;
                break;
            }
    return hits == matrix->n;
}

/* The permutation that MUMPS found; its array is NULL for the identity. */
static int *take(const DMUMPS_STRUC_C *mumps)
{
    int *row_to = malloc((size_t)mumps->n * sizeof *row_to);

    for (int i = 0; row_to && i < mumps->n; i++)
        row_to[i] = mumps->uns_perm ? mumps->uns_perm[i] - 1 : i;
    return row_to;
}

int *fr_matching_largest(const struct fr_matrix *matrix)
{
    DMUMPS_STRUC_C *mumps = calloc(1, sizeof *mumps);
    int *row_to = NULL;

    if (!mumps || !begin(mumps)) {
        free(mumps);
        return NULL;
    }
    if (fill(mumps, matrix)) {
        mumps->job = ANALYZE;
        dmumps_c(mumps);
        if (mumps->infog[0] >= 0)
            row_to = take(mumps);
    }
    free(mumps->irn);
    free(mumps->jcn);
    free(mumps->a);
    mumps->irn = mumps->jcn = NULL;
    mumps->a = NULL;
    mumps->job = END;
    dmumps_c(mumps);
    free(mumps);
    if (row_to && !is_transversal(matrix, row_to)) {
        free(row_to);
        row_to = NULL;
    }
    return row_to;
}
