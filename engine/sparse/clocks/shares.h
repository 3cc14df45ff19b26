/* How each column of L and each row of U is divided over a grid. */
#ifndef FR_SPARSE_SHARES_H
#define FR_SPARSE_SHARES_H

#include "engine/sparse/clocks/messages.h"

/* The blocks of L(:,k) in one process row, or of U(k,:) in one process column. */
struct sparse_share {
    int32_t place;  /* the process row or column */
    int32_t blocks; /* off the diagonal */
    int32_t size;   /* their rows, or their column segments */
    double index_bytes, value_bytes;
};

/* Shares of k are l[l_at[k]] to l[l_at[k + 1] - 1], by ascending place; of L also that of the
 * diagonal block alone, which has no other blocks. */
struct sparse_shares {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    int64_t *l_at, *u_at;
    struct sparse_share *l, *u;
};

/* FR_OK, or FR_NOMEM without a fault.  Free with sparse_shares_free, which accepts a zeroed struct.
 * O(blocks + N (Pr + Pc)). */
int sparse_shares_init(struct sparse_shares *shares, const struct sparse_structure *s,
                       struct sparse_grid grid, int64_t index_bytes);
void sparse_shares_free(struct sparse_shares *shares);

/* Local blocks of U(k,:) in this process column; of L(:,k) in this process row, with the diagonal
 * block if it is there. */
int32_t sparse_u_blocks(const struct sparse_shares *shares, int32_t k, int32_t column);
int32_t sparse_l_blocks(const struct sparse_shares *shares, int32_t k, int32_t row);

#endif
