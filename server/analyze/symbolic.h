/* The block structure of L and U, from the symbolic factorization of SuperLU_DIST. */
#ifndef FR_ANALYZE_SYMBOLIC_H
#define FR_ANALYZE_SYMBOLIC_H

#include "engine/sparse/structure/structure.h"
#include "server/analyze/library.h"

struct fr_symbolic {
    struct sparse_structure *structure; /* checked; free with sparse_structure_free */
    double nnz_unrelaxed;               /* of L+U without relaxed supernodes */
    double symbolic_s, unrelaxed_s, extraction_s;
};

/* Factorizes symbolically, with and without relaxed supernodes.  `pattern` must have permuted rows
 * and a full diagonal.  The library changes `place`: it sorts the columns by the elimination tree.
 * FR_OK or a code with a fault. */
int fr_symbolic_find(const struct fr_sparsity *pattern, int *place,
                     struct fr_supernode_limits limits, struct fr_symbolic *found,
                     struct fr_faults *faults);

#endif
