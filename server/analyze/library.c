/* Matrices and options of SuperLU_DIST. */
#include "server/analyze/analyze.h"

void fr_library_matrix(SuperMatrix *matrix, const struct fr_sparsity *pattern)
{
    dCreate_CompCol_Matrix_dist(matrix, pattern->n, pattern->n, pattern->nnz, NULL, pattern->row,
                                pattern->column_at, SLU_NC, SLU_D, SLU_GE);
}

void fr_library_options(superlu_dist_options_t *options, struct fr_supernode_limits limits)
{
    set_default_options_dist(options);
    options->PrintStat = NO;
    options->superlu_maxsup = limits.max;
    options->superlu_relax = limits.relax;
}
