/* A system of equations for SuperLU_DIST: rows dealt out in runs, values drawn.
 *
 * The factorisation's time does not depend on the values, so they are drawn anew, with rows that
 * the diagonal dominates: then no pivot is tiny, and whether the solution is right can be told
 * sharply, whatever the file held.
 */
#ifndef FR_ANALYZE_DISTRIBUTED_H
#define FR_ANALYZE_DISTRIBUTED_H

#include "server/analyze/library.h"

struct fr_distributed {
    int n, first, rows;   /* this process has rows first to first + rows - 1 */
    int *row_at, *column; /* entries of its rows */
    double *value;
    double row_sum; /* the largest sum of magnitudes */
};

/* `pattern` is the same in all processes.  False where memory is short. */
bool fr_distributed_make(struct fr_distributed *made, const struct fr_sparsity *pattern);
void fr_distributed_free(struct fr_distributed *made);

/* A copy that the library may scale and free; false where memory is short. */
bool fr_distributed_copy(const struct fr_distributed *from, SuperMatrix *to);

/* Its rows of A x; `x` is whole. */
void fr_distributed_multiply(const struct fr_distributed *a, const double *x, double *out);

#endif
