/* Where a matrix has entries, in the 32-bit integers that the libraries take.
 *
 * Columns one after the other; the row permutation is applied once it is known.
 */
#ifndef FR_ANALYZE_SPARSITY_H
#define FR_ANALYZE_SPARSITY_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

struct fr_sparsity {
    int n, nnz;
    int *column_at, *row; /* n + 1, nnz */
};

/* Rows as the matrix has them, or at `row_to` of each where that is not NULL.  FR_NOMEM with a
 * fault; free with fr_sparsity_free, which leaves nothing behind. */
int fr_sparsity_make(struct fr_sparsity *pattern, const struct fr_matrix *matrix, const int *row_to,
                     struct fr_faults *faults);
void fr_sparsity_free(struct fr_sparsity *pattern);

/* The first column without an entry on the diagonal, or -1. */
int fr_sparsity_hole(const struct fr_sparsity *pattern);

#endif
