/* Synthetic block structures for tests and benchmarks; their fill is complete. No checks are
 * run. */
#ifndef FR_TEST_SPARSE_PATTERNS_H
#define FR_TEST_SPARSE_PATTERNS_H

#include "engine/sparse/structure/structure.h"

/* `side`^3 points of a 7-point grid in nested dissection, cut into supernodes of at most `widest`
 * columns, with full fill. */
struct sparse_structure *sparse_dissected(int32_t side, int32_t widest);
/* A random unsymmetric structure of about `entries` blocks and their fill, with blocks of all
 * sizes. */
struct sparse_structure *sparse_random(uint64_t seed, int32_t supernodes, int32_t widest,
                                       double entries);

#endif
