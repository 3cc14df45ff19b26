/* Which steps of a walk are followed, and how many each of them stands for
 * (docs/models/block_cyclic.md#stretches). */
#ifndef FR_BLOCK_CYCLIC_STRETCHES_H
#define FR_BLOCK_CYCLIC_STRETCHES_H

#include <stdint.h>

/* The steps of a walk, panels or slices: `count` of `width` matrix columns each, whose owner
 * changes every `block` columns.  The first `ahead` differ from the others. */
struct cyclic_sequence {
    int64_t count, width, block, ahead;
};
/* The most intervals of a long sequence from which stretches are taken; CYCLIC_ALL: every step is
 * followed. */
enum cyclic_detail { CYCLIC_ALL = 0, CYCLIC_ROUGH = 3, CYCLIC_FINE = 24 };

/* The steps from `settle` on bring the clocks to their pattern; each of those from `first` to `end`
 * - 1 stands for `weight` steps. */
struct cyclic_stretch {
    int64_t settle, first, end;
    double weight;
};
enum { CYCLIC_STRETCHES = 2 * CYCLIC_FINE + 2 };
struct cyclic_stretches {
    int64_t count, steps; /* `steps` are followed */
    struct cyclic_stretch of[CYCLIC_STRETCHES];
};
struct cyclic_stretches cyclic_stretches_of(const struct cyclic_sequence *sequence, int64_t rows,
                                            int64_t columns, enum cyclic_detail detail);

#endif
