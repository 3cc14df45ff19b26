/* The block structure of a supernodal factorisation A = L U (forerun-blocks-1, sparse-lu.md 1).
 *
 * N supernodes k of width w_k.  Off the diagonal, L(i,k) has r_i full rows, U(k,j) has `cols`
 * column segments that end at the bottom of block row k.  Columns of L and rows of U are
 * contiguous: those of k are l[l_at[k]] to l[l_at[k + 1] - 1], ascending.
 *
 * Tens of millions of blocks are usual; at most SPARSE_MAX_BLOCKS of each kind.  Memory: 8 bytes
 * for each L block, 24 for each U block, 20 for each supernode.
 */
#ifndef FR_SPARSE_STRUCTURE_H
#define FR_SPARSE_STRUCTURE_H

#include "engine/core/fault.h"

#include <stdint.h>

/* 32-bit indices hold all blocks together, and a width's square fits into 30 bits. */
enum { SPARSE_MAX_SUPERNODES = 1 << 26, SPARSE_MAX_BLOCKS = 1 << 29, SPARSE_MAX_WIDTH = 32767 };

struct sparse_l_block {
    int32_t i, rows;
};
/* sum, sumsq and max are over the lengths of the segments. */
struct sparse_u_block {
    int32_t j, cols, sum, max;
    int64_t sumsq;
};

/* What can be read off a structure; all but `order` are found by sparse_structure_check. */
struct sparse_facts {
    int64_t order, supernodes, l_blocks, u_blocks; /* blocks off the diagonal */
    int64_t widest;
    double nnz_diagonal, nnz_l, nnz_u; /* nnz_l, nnz_u off the diagonal blocks */
    double nnz;                        /* of L+U, as SuperLU_DIST prints it */
    double useful_flops;               /* F */
    double updates;                    /* of blocks: sum over k of |L(k)| |U(k)| */
};

/* Filled in by the caller, then checked, then immutable. */
struct sparse_structure {
    int64_t order;
    int64_t entries; /* of the matrix itself; 0: not known */
    int32_t supernodes;
    int32_t *width;
    int64_t *l_at, *u_at; /* supernodes + 1 offsets each; the last ones are set */
    struct sparse_l_block *l;
    struct sparse_u_block *u;
    struct sparse_facts facts;
};

/* A structure with room for so many blocks, all zero but the last offsets: the caller writes
 * widths, offsets 0 to supernodes - 1 and blocks.  NULL with a fault: a count out of bounds, or
 * memory. */
struct sparse_structure *sparse_structure_new(int64_t order, int64_t supernodes, int64_t l_blocks,
                                              int64_t u_blocks, struct fr_faults *faults);
void sparse_structure_free(struct sparse_structure *s);

/* Whether it is valid, closure included, and its facts.  A fault points into the document
 * (`/U/3/0` is the first U block of supernode 3) and names the block.  More than `most_updates`
 * updates are refused before closure is looked at, which takes O(blocks + updates).
 * Needs 20 bytes for each block meanwhile.  Returns a code. */
int sparse_structure_check(struct sparse_structure *s, double most_updates,
                           struct fr_faults *faults);

#endif
