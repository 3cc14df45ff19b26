/* The blocks and the order of one sweep of the triangular solves
 * (docs/models/sparse_lu.md#triangular-solves).
 *
 * Forward, L y = b: column k holds the blocks L(i,k), k ascends.  Backward, U x = y: column k holds
 * the blocks U(i,k), k descends.  Diagonal blocks are not listed.
 */
#ifndef FR_SPARSE_SWEEP_H
#define FR_SPARSE_SWEEP_H

#include "engine/sparse/structure/grid.h"
#include "engine/sparse/structure/structure.h"

#include <stdbool.h>

struct sparse_sweep_block {
    int32_t i;      /* its block row */
    double entries; /* stored */
    int64_t place;  /* of (row i, its process column) in `place` */
};

struct sparse_sweep {
    const struct sparse_structure *s; /* borrowed */
    struct sparse_grid grid;
    int64_t *column_at; /* N + 1: column k is block[column_at[k]] to block[column_at[k + 1] - 1] */
    struct sparse_sweep_block *block; /* by ascending i */
    int64_t *row_at;                  /* N + 1: likewise of `place` */
    int32_t *place;                   /* process columns with a block of row k, ascending */
    int32_t *order;                   /* N: by levels of dependence */
};

/* FR_OK, or FR_NOMEM without a fault.  Free with sparse_sweep_free.  O(blocks + N). */
int sparse_sweep_init(struct sparse_sweep *sweep, const struct sparse_structure *s,
                      struct sparse_grid grid, bool is_forward);
/* Accepts a zeroed struct. */
void sparse_sweep_free(struct sparse_sweep *sweep);

#endif
