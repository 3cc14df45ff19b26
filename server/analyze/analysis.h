/* The way from a matrix to its block structures. */
#ifndef FR_ANALYZE_ANALYSIS_H
#define FR_ANALYZE_ANALYSIS_H

#include "server/analyze/options.h"
#include "server/analyze/symbolic.h"
#include "server/analyze/transversal.h"

/* Writes all records; returns the process's exit status. */
int fr_analysis_run(const struct fr_analyze_options *options);

/* What one ordering gives, row permutation included. */
struct fr_permuted {
    struct fr_transversal rows;
    struct fr_sparsity pattern; /* rows permuted; its diagonal has no hole */
};

/* Free with fr_permuted_free, also where it failed. */
int fr_permuted_make(struct fr_permuted *made, const struct fr_matrix *matrix,
                     struct fr_faults *faults);
void fr_permuted_free(struct fr_permuted *made);

#endif
