/* Includes SuperLU_DIST's header, and passes patterns and options to the library. */
#ifndef FR_ANALYZE_LIBRARY_H
#define FR_ANALYZE_LIBRARY_H

#include "server/analyze/sparsity.h"

#include <superlu_ddefs.h>

struct fr_supernode_limits {
    int max, relax; /* most columns of a supernode; of a subtree that becomes one supernode */
};

/* A library matrix without values that borrows the arrays of the pattern.  Free matrix->Store with
 * SUPERLU_FREE. */
void fr_library_matrix(SuperMatrix *matrix, const struct fr_sparsity *pattern);

/* The library's default options without output, with these limits. */
void fr_library_options(superlu_dist_options_t *options, struct fr_supernode_limits limits);

#endif
