/* The assembly tree of a multifrontal LU factorization (docs/models/multifrontal.md).
 *
 * A front of order m with p pivots holds m^2 entries.  p (2 m - p) of them become factors; the
 * other (m - p)^2 are its block, which waits on a stack until the parent's front is assembled.
 */
#ifndef FR_SPARSE_MULTIFRONTAL_H
#define FR_SPARSE_MULTIFRONTAL_H

#include "engine/core/fault.h"

#include <stdint.h>

struct sparse_front {
    int32_t parent; /* -1: a root */
    int32_t pivots, order;
};

/* In the order in which one process factorizes them: a postorder. */
struct sparse_fronts {
    int32_t count;
    struct sparse_front *front;
};

/* Counts of the whole tree. */
struct sparse_multifrontal {
    int64_t fronts, largest_front;
    int64_t factor_entries; /* of L and U, explicit zeros included */
    double flops;           /* of the elimination, not of the assembly */
};

/* Divisions, multiplications and additions of eliminating `pivots` in a front (section 2). */
double sparse_front_flops(double order, double pivots);

/* Finds the fronts of A+A' in an order of elimination: column j is number place[j], from 0.  Merges
 * fronts as MUMPS 5.5 does, and orders children so that the stack stays small.  FR_OK, or FR_NOMEM
 * with a fault; free with sparse_fronts_free.  O(entries + indices of the fronts), usually. */
int sparse_fronts_make(struct sparse_fronts *fronts, int32_t n, const int32_t *column_at,
                       const int32_t *row, const int32_t *place, struct fr_faults *faults);
void sparse_fronts_free(struct sparse_fronts *fronts);

struct sparse_multifrontal sparse_multifrontal_count(const struct sparse_fronts *fronts);

#endif
