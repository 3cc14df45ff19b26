/* Bounds on the misses of one process that does everything (sparse-lu.md 2, eqs. 11 and 12). */
#ifndef FR_SPARSE_BOUNDS_H
#define FR_SPARSE_BOUNDS_H

#include "engine/sparse/params.h"
#include "engine/sparse/structure.h"

struct sparse_bounds {
    double low, high; /* lines */
};

/* O(N + blocks + updates); FR_NOMEM where memory is short. */
int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out);

#endif
