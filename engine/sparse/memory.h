/* What the processes of a grid must hold (sparse-lu.md 10). */
#ifndef FR_SPARSE_MEMORY_H
#define FR_SPARSE_MEMORY_H

#include "engine/sparse/messages.h"

#include <stdbool.h>

struct sparse_memory {
    double bytes;         /* of the process that needs most: its own blocks and buffers */
    double largest_panel; /* bytes of the largest message, indices and values together */
};

/* Own blocks of L and U, values and indices as they are sent. Buffers: where there are processes to
 * receive from, two panels of L (one ahead) and one of U; the operands that an update makes: one
 * block's (the paper), or with `is_one_dgemm` all of a step's, as the library does today.
 * O(blocks + N P).  FR_NOMEM where memory is short. */
int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       int64_t index_bytes, bool is_one_dgemm, struct sparse_memory *out);

#endif
