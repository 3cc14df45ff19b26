/* Symbolic elimination of a pattern in a given order, with supervariables
 * (docs/models/multifrontal.md#elimination). */
#ifndef FR_SPARSE_ELIMINATION_H
#define FR_SPARSE_ELIMINATION_H

#include "engine/core/fault.h"

#include <stdint.h>

/* A front before fronts are merged: its first pivot, all its pivots, and the columns in it. */
struct sparse_pivot {
    int32_t column;
    int32_t parent; /* place in the list of the front that absorbs it; -1: a root */
    int32_t pivots, order;
};

/* In the order of elimination. */
struct sparse_elimination {
    int32_t count;
    struct sparse_pivot *pivot;
};

/* Eliminates the columns of A+A', column j as number place[j], as MUMPS 5.5 does where it is given
 * an order: columns that add nothing to the front of a pivot are eliminated with it.  FR_OK, or
 * FR_NOMEM with a fault; free with sparse_elimination_free.  Memory: 84 bytes per column, 16 per
 * entry, 8 per index of a front. */
int sparse_eliminate(struct sparse_elimination *found, int32_t n, const int32_t *column_at,
                     const int32_t *row, const int32_t *place, struct fr_faults *faults);
void sparse_elimination_free(struct sparse_elimination *found);

#endif
