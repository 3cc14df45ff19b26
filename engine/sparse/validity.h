/* The rules that a block structure must obey (sparse-lu.md 1).  Each appends every fault it finds,
 * but stops once no more are kept; returns a code. */
#ifndef FR_SPARSE_VALIDITY_H
#define FR_SPARSE_VALIDITY_H

#include "engine/sparse/structure.h"

/* Widths, offsets, and each block by itself. */
int sparse_check_blocks(const struct sparse_structure *s, struct fr_faults *faults);
/* L(i,k) and U(k,j) imply (i,j); of blocks that passed the above. */
int sparse_check_closure(const struct sparse_structure *s, struct fr_faults *faults);

#endif
