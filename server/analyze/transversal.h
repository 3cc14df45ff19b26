/* The row permutation of static pivoting
 * (docs/models/sparse_lu.md#identity-row-permutation). */
#ifndef FR_ANALYZE_TRANSVERSAL_H
#define FR_ANALYZE_TRANSVERSAL_H

#include "engine/sparse/structure/structure_key.h"
#include "server/analyze/sparsity.h"

struct fr_transversal {
    int structural_rank;
    bool is_identity;
    int *row_to; /* row i moves to row_to[i]; NULL for the identity.  Free with free(). */
    double time_s;
};

/* Finds the permutation with the largest product of the diagonal's magnitudes; for a pattern, or a
 * matrix whose nonzero values have no transversal, any with a full diagonal.  `choice` is one of
 * SPARSE_ROWS_*: AUTO takes the identity where it is such a permutation, NONE takes it or fails.
 * FR_OK, or a code with a fault; FR_INFEASIBLE for a structurally singular matrix, whose rank is
 * set; the rank is -1 if it is not known.  May initialize MPI. */
int fr_transversal_find(const struct fr_matrix *matrix, const struct fr_sparsity *pattern,
                        int choice, struct fr_transversal *found, struct fr_faults *faults);

#endif
