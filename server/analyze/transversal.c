/* Chooses between the identity, the maximum-product transversal and any maximum transversal. */
#include "server/analyze/analyze.h"

#include "server/analyze/clock.h"

#include <btf.h>
#include <stdlib.h>

/* Finds a maximum transversal; returns the structural rank, or -1 if memory is short. */
static int match(const struct fr_sparsity *pattern, int **row_to)
{
    const size_t n = (size_t)pattern->n;
    int *column_of = malloc((n + 1) * sizeof *column_of), *work = malloc(5 * n * sizeof *work);
    double effort = 0;
    int rank = -1;

    if (column_of && work)
        rank = btf_maxtrans(pattern->n, pattern->n, pattern->column_at, pattern->row, 0, &effort,
                            column_of, work);
    free(work);
    *row_to = column_of;
    return rank;
}

/* The pattern without explicit zeros; false if memory is short. */
static bool drop_zeros(const struct fr_matrix *matrix, struct fr_sparsity *kept)
{
    const size_t n = (size_t)matrix->n, nnz = (size_t)matrix->nnz;

    *kept = (struct fr_sparsity){ .n = (int)matrix->n };
    kept->column_at = malloc((n + 1) * sizeof *kept->column_at);
    kept->row = malloc((nnz + 1) * sizeof *kept->row);
    if (!kept->column_at || !kept->row)
        return false;
    for (int j = 0; j < kept->n; j++) {
        kept->column_at[j] = kept->nnz;
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++)
            if (matrix->value[e] > 0)
                kept->row[kept->nnz++] = matrix->row[e];
    }
    kept->column_at[kept->n] = kept->nnz;
    return true;
}

/* No transversal has a larger product than the largest entries of all columns, or of all rows.  If
 * these are on the diagonal, the identity is optimal. */
static bool is_diagonal_largest(const struct fr_matrix *matrix)
{
    double *diagonal = calloc((size_t)matrix->n, sizeof *diagonal);
    bool in_columns = diagonal != NULL, in_rows = in_columns;

    for (int64_t j = 0; diagonal && j < matrix->n; j++)
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++)
            if (matrix->row[e] == j)
                diagonal[j] = matrix->value[e];
    for (int64_t j = 0; j < matrix->n && (in_columns || in_rows); j++) {
        in_columns &= diagonal[j] > 0;
        in_rows &= diagonal[j] > 0;
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++) {
            in_columns &= matrix->value[e] <= diagonal[j];
            in_rows &= matrix->value[e] <= diagonal[matrix->row[e]];
        }
    }
    free(diagonal);
    return in_columns || in_rows;
}

/* The maximum-product transversal.  NULL if the nonzero values have no transversal, for which the
 * behavior of MUMPS is undefined; NULL with a fault if MUMPS fails. */
static int *match_values(const struct fr_matrix *matrix, struct fr_faults *faults)
{
    struct fr_sparsity kept;
    int *row_to = NULL;
    const bool has_one = drop_zeros(matrix, &kept) && match(&kept, &row_to) == kept.n;

    fr_sparsity_free(&kept);
    free(row_to);
    if (!has_one)
        return NULL;
    row_to = fr_matching_largest(matrix);
    if (!row_to)
        fr_fault(faults, FR_NOMEM, "/",
                 "MUMPS found no row permutation although one exists: too little memory, or an "
                 "internal error");
    return row_to;
}

static bool is_identity(const int *row_to, int n)
{
    for (int i = 0; i < n; i++)
        if (row_to[i] != i)
            return false;
    return true;
}

static int choose(const struct fr_matrix *matrix, const struct fr_sparsity *pattern, int choice,
                  struct fr_transversal *found, struct fr_faults *faults)
{
    const bool is_full = fr_sparsity_hole(pattern) < 0;
    const size_t before = faults->count;
    int *row_to = NULL;

    if (choice == SPARSE_ROWS_AUTO && is_full && (!matrix->value || is_diagonal_largest(matrix))) {
        found->is_identity = true;
        return FR_OK;
    }
    if (matrix->value)
        row_to = match_values(matrix, faults);
    if (faults->count > before)
        return FR_NOMEM;
    if (row_to) {
        free(found->row_to);
        found->row_to = row_to;
    }
    found->is_identity = found->row_to ? is_identity(found->row_to, pattern->n) : is_full;
    return FR_OK;
}

/* The rows stay as they are. */
static int keep(const struct fr_sparsity *pattern, struct fr_transversal *found,
                struct fr_faults *faults)
{
    const int hole = fr_sparsity_hole(pattern);

    *found = (struct fr_transversal){ .structural_rank = hole < 0 ? pattern->n : -1,
                                      .is_identity = true };
    if (hole < 0)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "/",
                    "row_permutation none: column %d has no entry on the diagonal; ask for auto",
                    hole + 1);
}

int fr_transversal_find(const struct fr_matrix *matrix, const struct fr_sparsity *pattern,
                        int choice, struct fr_transversal *found, struct fr_faults *faults)
{
    const double begin = fr_clock_s();
    int code = FR_OK;

    if (choice == SPARSE_ROWS_NONE)
        return keep(pattern, found, faults);
    *found = (struct fr_transversal){ 0 };
    if (choice == SPARSE_ROWS_AUTO && fr_sparsity_hole(pattern) < 0)
        found->structural_rank = pattern->n;
    else
        found->structural_rank = match(pattern, &found->row_to);
    if (found->structural_rank < 0)
        code = fr_fault(faults, FR_NOMEM, "/", "no memory for the row permutation");
    else if (found->structural_rank < pattern->n)
        code =
            fr_fault(faults, FR_INFEASIBLE, "/",
                     "structurally singular: rank %d of %d; the matrix is singular for all values",
                     found->structural_rank, pattern->n);
    else
        code = choose(matrix, pattern, choice, found, faults);
    if (code != FR_OK || found->is_identity) {
        free(found->row_to);
        found->row_to = NULL;
    }
    found->time_s = fr_clock_s() - begin;
    return code;
}
