/* From a matrix to its block structures (docs/models/sparse_lu.md#analysis-of-a-matrix). */
#ifndef FR_ANALYZE_ANALYSIS_H
#define FR_ANALYZE_ANALYSIS_H

#include "server/analyze/options.h"
#include "server/analyze/symbolic.h"
#include "server/analyze/transversal.h"

/* Analyzes with each ordering of the options and writes all records; returns the exit status of the
 * process. */
int fr_analysis_run(const struct fr_analyze_options *options);

/* A matrix after its row permutation. */
struct fr_permuted {
    struct fr_transversal rows;
    struct fr_sparsity pattern; /* rows permuted; the diagonal is full */
};

/* Permutes the rows, as fr_transversal_find chooses.  FR_OK or a code with a fault; free with
 * fr_permuted_free in both cases. */
int fr_permuted_make(struct fr_permuted *made, const struct fr_matrix *matrix, int row_choice,
                     struct fr_faults *faults);
void fr_permuted_free(struct fr_permuted *made);

#endif
