/* Bounds on the cache misses of a single process, and the paper's estimates of them
 * (docs/models/sparse_lu.md#bounds-on-cache-misses). */
#ifndef FR_SPARSE_BOUNDS_H
#define FR_SPARSE_BOUNDS_H

#include "engine/sparse/counts/params.h"
#include "engine/sparse/structure/structure.h"

/* Lines.  low and high hold for the simulated misses of every level; the others are eqs. 11 and 12,
 * which do not bound them. */
struct sparse_bounds {
    double low, high;
    double low_paper, high_paper;
};

/* FR_OK, or FR_NOMEM without a fault.  O(N + blocks + updates). */
int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out);

#endif
