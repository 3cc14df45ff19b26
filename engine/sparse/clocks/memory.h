/* The memory of a process (docs/models/sparse_lu.md#memory-of-a-process). */
#ifndef FR_SPARSE_MEMORY_H
#define FR_SPARSE_MEMORY_H

#include "engine/sparse/clocks/messages.h"
#include "engine/sparse/structure/forests.h"

/* The library's limit on the columns of a supernode where none is set. */
enum { SPARSE_SUPERNODE_MAX = 256 };

/* Bytes of the process of any layer that needs most, the first of equals. */
struct sparse_memory {
    double factors;  /* its panels of L and U, with their indices */
    double window;   /* panels that it may receive ahead */
    double product;  /* of all blocks of a step, and one operand */
    double gathered; /* the other operand, and the blocks within the window */
};
double sparse_memory_bytes(const struct sparse_memory *memory);

/* `lookahead` is the window w; forests NULL: one layer.  FR_OK, or FR_NOMEM without a fault.
 * O(blocks + N (Pr + Pc) + P log layers). */
int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       const struct sparse_forests *forests, int64_t index_bytes, int32_t lookahead,
                       struct sparse_memory *out);

#endif
