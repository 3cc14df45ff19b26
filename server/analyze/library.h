/* SuperLU_DIST's header, and a pattern as the library sees it. */
#ifndef FR_ANALYZE_LIBRARY_H
#define FR_ANALYZE_LIBRARY_H

#include "server/analyze/sparsity.h"

#include <superlu_ddefs.h>

struct fr_supernode_limits {
    int max, relax; /* columns of a supernode; of a subtree that becomes one whatever its fill */
};

/* Borrows the pattern's arrays; there are no values.  Give matrix->Store to SUPERLU_FREE. */
void fr_library_matrix(SuperMatrix *matrix, const struct fr_sparsity *pattern);

/* The library's defaults, silent, with these limits. */
void fr_library_options(superlu_dist_options_t *options, struct fr_supernode_limits limits);

#endif
