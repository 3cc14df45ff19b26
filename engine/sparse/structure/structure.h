/* The block structure of a supernodal factorization A = L U
 * (docs/models/sparse_lu.md#block-structure).
 *
 * N supernodes k of width w_k.  Off the diagonal, L(i,k) has r_i full rows, U(k,j) has `cols`
 * column segments that end at the bottom of block row k.  Columns of L and rows of U are
 * contiguous: those of k are l[l_at[k]] to l[l_at[k + 1] - 1], ascending.
 *
 * Memory: 8 bytes per L block, 24 per U block, 20 per supernode.  Tens of millions of blocks are
 * common.
 */
#ifndef FR_SPARSE_STRUCTURE_H
#define FR_SPARSE_STRUCTURE_H

#include "engine/core/fault.h"

#include <stdint.h>

/* 32-bit indices can number all blocks, and the square of a width fits into 30 bits. */
enum { SPARSE_MAX_SUPERNODES = 1 << 26, SPARSE_MAX_BLOCKS = 1 << 29, SPARSE_MAX_WIDTH = 32767 };

struct sparse_l_block {
    int32_t i, rows;
};
/* sum, sumsq and max of the segment lengths. */
struct sparse_u_block {
    int32_t j, cols, sum, max;
    int64_t sumsq;
};

/* What follows from a structure alone
 * (docs/models/sparse_lu.md#counts-and-useful-operations). */
struct sparse_facts {
    int64_t order, supernodes, l_blocks, u_blocks; /* blocks off the diagonal */
    int64_t widest;
    double nnz_diagonal, nnz_l, nnz_u; /* nnz_l, nnz_u: without the diagonal blocks */
    double nnz;                        /* of L+U, as SuperLU_DIST counts */
    double useful_flops;               /* F */
    double updates;                    /* block updates: sum over k of |L(k)| |U(k)| */
};

/* The caller fills it in and checks it; afterwards it is immutable. */
struct sparse_structure {
    int64_t order;
    int64_t entries;                        /* of the matrix; 0: unknown */
    int64_t supernode_max, supernode_relax; /* the limits that it was made with; 0: unknown */
    double ordering_s, symbolic_s; /* measured when it was made, on the server; 0: unknown */
    int32_t supernodes;
    int32_t *width;
    int64_t *l_at, *u_at; /* supernodes + 1 offsets each; sparse_structure_new sets the last */
    struct sparse_l_block *l;
    struct sparse_u_block *u;
    struct sparse_facts facts; /* set by sparse_structure_check */
};

/* Allocates a structure; the caller writes widths, offsets 0 to supernodes - 1 and blocks.  NULL
 * with a fault (FR_RANGE, FR_NOMEM); free with sparse_structure_free, which accepts NULL. */
struct sparse_structure *sparse_structure_new(int64_t order, int64_t supernodes, int64_t l_blocks,
                                              int64_t u_blocks, struct fr_faults *faults);
void sparse_structure_free(struct sparse_structure *s);

/* Checks validity (docs/models/sparse_lu.md#validity-of-a-block-structure) and sets the facts.  A
 * fault points into the document (`/U/3/0` is the first U block of supernode 3) and names the
 * block. More than `most_updates` updates are refused before closure is checked.  Takes O(blocks +
 * updates) time and 20 bytes per block.  FR_OK, FR_RELATION, FR_RANGE or FR_NOMEM. */
int sparse_structure_check(struct sparse_structure *s, double most_updates,
                           struct fr_faults *faults);

/* The summand of F for supernode k, an integer. */
double sparse_useful_flops(const struct sparse_structure *s, int32_t k);

/* ---- the two parts of sparse_structure_check; both append faults until FR_MAX_FAULTS are kept
 * ---- */

/* Checks widths, offsets and each block by itself.  FR_OK or FR_RELATION. */
int sparse_check_blocks(const struct sparse_structure *s, struct fr_faults *faults);
/* Checks closure: L(i,k) and U(k,j) imply (i,j).  The structure must have passed
 * sparse_check_blocks.  FR_OK, FR_RELATION or FR_NOMEM. */
int sparse_check_closure(const struct sparse_structure *s, struct fr_faults *faults);

#endif
