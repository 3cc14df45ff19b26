/* The block structure of L and U, by SuperLU_DIST's own symbolic factorisation. */
#ifndef FR_ANALYZE_SYMBOLIC_H
#define FR_ANALYZE_SYMBOLIC_H

#include "engine/sparse/structure.h"
#include "server/analyze/library.h"

struct fr_symbolic {
    struct sparse_structure *structure; /* checked; free with sparse_structure_free */
    double nnz_unrelaxed;               /* of L+U with supernodes that hold no zeros */
    double symbolic_s, unrelaxed_s, extraction_s;
};

/* `place` is changed: the library sorts columns after the elimination tree.  `pattern` comes with
 * its rows permuted and no hole in its diagonal. */
int fr_symbolic_find(const struct fr_sparsity *pattern, int *place,
                     struct fr_supernode_limits limits, struct fr_symbolic *found,
                     struct fr_faults *faults);

#endif
