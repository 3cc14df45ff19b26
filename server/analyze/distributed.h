/* A distributed matrix for SuperLU_DIST: each process has consecutive rows, the values are
 * generated.
 *
 * The time of the factorization does not depend on the values.  Generated rows are diagonally
 * dominant, so that no pivot is tiny and a wrong solution is detected
 * (docs/models/sparse_lu.md#values-of-timed-factorizations).
 */
#ifndef FR_ANALYZE_DISTRIBUTED_H
#define FR_ANALYZE_DISTRIBUTED_H

#include "server/analyze/library.h"

struct fr_distributed {
    int n, first, rows;   /* this process has rows first to first + rows - 1 */
    int *row_at, *column; /* entries of its rows */
    double *value;
    double row_sum; /* largest sum of magnitudes of a row */
};

/* Makes this process's rows of `pattern`, which all processes have.  False if memory is short; free
 * with fr_distributed_free in both cases. */
bool fr_distributed_make(struct fr_distributed *made, const struct fr_sparsity *pattern);
void fr_distributed_free(struct fr_distributed *made);

/* A copy that the library may scale and free; false if memory is short. */
bool fr_distributed_copy(const struct fr_distributed *from, SuperMatrix *to);

/* Computes this process's rows of A x; `x` has all n elements. */
void fr_distributed_multiply(const struct fr_distributed *a, const double *x, double *out);

#endif
