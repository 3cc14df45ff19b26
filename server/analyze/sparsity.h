/* The pattern of a matrix by columns, in the 32-bit integers that the libraries take. */
#ifndef FR_ANALYZE_SPARSITY_H
#define FR_ANALYZE_SPARSITY_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

struct fr_sparsity {
    int n, nnz;
    int *column_at, *row; /* n + 1, nnz */
};

/* Copies the pattern; row i moves to row_to[i] unless row_to is NULL.  FR_OK, or FR_NOMEM with a
 * fault; free with fr_sparsity_free. */
int fr_sparsity_make(struct fr_sparsity *pattern, const struct fr_matrix *matrix, const int *row_to,
                     struct fr_faults *faults);
void fr_sparsity_free(struct fr_sparsity *pattern);

/* The first column without an entry on the diagonal, or -1. */
int fr_sparsity_hole(const struct fr_sparsity *pattern);

#endif
