/* Which block structure of a matrix: its row permutation, ordering and supernode limits
 * (docs/models/sparse_lu.md#structures-of-a-matrix). */
#ifndef FR_SPARSE_STRUCTURE_KEY_H
#define FR_SPARSE_STRUCTURE_KEY_H

#include "engine/sparse/structure/orderings.h"

#include <stdint.h>

/* How rows are permuted: where a larger product on the diagonal asks for it, never, always. */
enum { SPARSE_ROWS_AUTO, SPARSE_ROWS_NONE, SPARSE_ROWS_TRANSVERSAL, SPARSE_ROW_PERMUTATIONS };
extern const char *const sparse_row_permutations[SPARSE_ROW_PERMUTATIONS + 1];

/* The limits of the library, and its defaults. */
enum {
    SPARSE_SUPERNODE_MOST = 512,
    SPARSE_USUAL_MAX = 256,
    SPARSE_USUAL_RELAX = 60,
};

struct sparse_structure_key {
    const char *ordering, *row_permutation; /* elements of the lists of names */
    int64_t supernode_max, supernode_relax; /* 0 or less: left open */
};

/* Sets the limits that were left open: to the usual ones, or to the nearest with which relax <=
 * max. */
void sparse_structure_key_complete(struct sparse_structure_key *key, int64_t usual_max,
                                   int64_t usual_relax);

#endif
