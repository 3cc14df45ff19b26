/* Which row belongs on which place of the diagonal: the row permutation of static pivoting. */
#ifndef FR_ANALYZE_TRANSVERSAL_H
#define FR_ANALYZE_TRANSVERSAL_H

#include "server/analyze/sparsity.h"

struct fr_transversal {
    int structural_rank;
    bool is_identity;
    int *row_to; /* row i goes to row_to[i]; NULL for the identity.  Free with free(). */
    double time_s;
};

/* The permutation that makes the product of the diagonal's magnitudes largest; of a pattern, or
 * where zeros are in the way, any without a hole in the diagonal.  A matrix that is structurally
 * singular is a fault, but its rank is told.  Starts MPI where it is needed: once in a process. */
int fr_transversal_find(const struct fr_matrix *matrix, const struct fr_sparsity *pattern,
                        struct fr_transversal *found, struct fr_faults *faults);

#endif
