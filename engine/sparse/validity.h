/* The rules of a block structure (docs/models/sparse_lu.md#validity-of-a-block-structure).  Both
 * functions append every fault until FR_MAX_FAULTS are kept. */
#ifndef FR_SPARSE_VALIDITY_H
#define FR_SPARSE_VALIDITY_H

#include "engine/sparse/structure.h"

/* Checks widths, offsets and each block by itself.  FR_OK or FR_RELATION. */
int sparse_check_blocks(const struct sparse_structure *s, struct fr_faults *faults);
/* Checks closure: L(i,k) and U(k,j) imply (i,j).  The structure must have passed
 * sparse_check_blocks.  FR_OK, FR_RELATION or FR_NOMEM. */
int sparse_check_closure(const struct sparse_structure *s, struct fr_faults *faults);

#endif
