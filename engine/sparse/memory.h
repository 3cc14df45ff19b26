/* The memory of a process (docs/models/sparse_lu.md#memory-of-a-process). */
#ifndef FR_SPARSE_MEMORY_H
#define FR_SPARSE_MEMORY_H

#include "engine/sparse/messages.h"

#include <stdbool.h>

/* Bytes of the process that needs most: own blocks of L and U with their indices, received panels
 * (two of L, one of U) and the operands of an update: those of one block (the paper), or of all
 * blocks of a step (`is_one_dgemm`).  FR_OK, or FR_NOMEM without a fault.  O(blocks + N P). */
int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       int64_t index_bytes, bool is_one_dgemm, double *bytes);

#endif
