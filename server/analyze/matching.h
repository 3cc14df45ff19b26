/* The transversal with the largest product of magnitudes, from MUMPS
 * (docs/models/sparse_lu.md#identity-row-permutation). */
#ifndef FR_ANALYZE_MATCHING_H
#define FR_ANALYZE_MATCHING_H

#include "server/matrices/files/matrix.h"

/* The new place of each row, a permutation onto nonzero entries.  The matrix must have values and
 * such a permutation.  NULL if MUMPS finds none; free with free(). */
int *fr_matching_largest(const struct fr_matrix *matrix);

#endif
