/* Patterns of matrices. */
#include "server/analyze/analyze.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* A'+A has up to twice the entries, in 32-bit indices. */
enum { MOST_ENTRIES = INT_MAX / 2 - 1 };

int fr_sparsity_make(struct fr_sparsity *pattern, const struct fr_matrix *matrix, const int *row_to,
                     struct fr_faults *faults)
{
    struct fr_sparsity made = { 0 };

    if (matrix->nnz > MOST_ENTRIES || matrix->n > MOST_ENTRIES)
        return fr_fault(faults, FR_NOMEM, "/",
                        "%" PRId64 " entries; the installed library takes at most %d", matrix->nnz,
                        MOST_ENTRIES);
    made.n = (int)matrix->n;
    made.nnz = (int)matrix->nnz;
    made.column_at = malloc(((size_t)made.n + 1) * sizeof *made.column_at);
    made.row = malloc(((size_t)made.nnz + 1) * sizeof *made.row);
    if (!made.column_at || !made.row) {
        fr_sparsity_free(&made);
        return fr_fault(faults, FR_NOMEM, "/", "no memory for %d entries", made.nnz);
    }
    for (int j = 0; j <= made.n; j++)
        made.column_at[j] = (int)matrix->column_at[j];
    for (int e = 0; e < made.nnz; e++)
        made.row[e] = row_to ? row_to[matrix->row[e]] : matrix->row[e];
    *pattern = made;
    return FR_OK;
}

void fr_sparsity_free(struct fr_sparsity *pattern)
{
    free(pattern->column_at);
    free(pattern->row);
    *pattern = (struct fr_sparsity){ 0 };
}

int fr_sparsity_hole(const struct fr_sparsity *pattern)
{
    for (int j = 0; j < pattern->n; j++) {
        int e = pattern->column_at[j];

        while (e < pattern->column_at[j + 1] && pattern->row[e] != j)
            e++;
        if (e == pattern->column_at[j + 1])
            return j;
    }
    return -1;
}
