/* The caches of one process, simulated block by block
 * (docs/models/sparse_lu.md#cache-simulation).
 *
 * A level is a linked list of its blocks, oldest first, whose nodes are elements of an array.  The
 * levels are inclusive: an inner level holds only blocks of the outer ones.  The block's number
 * gives its node in the outermost level, and each node gives the node in the next inner level.
 */
#ifndef FR_SPARSE_CACHE_H
#define FR_SPARSE_CACHE_H

#include "engine/sparse/counts/params.h"

#include <stdbool.h>
#include <stdint.h>

/* Node 0 is the list's head: its `younger` is the oldest block, its `older` the youngest. */
struct sparse_node {
    int32_t older, younger; /* of an unused node, `younger` is the next unused one */
    int32_t outer;          /* node in the next outer level; outermost level: the block's number */
    int32_t inner;          /* node in the next inner level; 0: not there */
    int32_t lines;          /* resident */
};

struct sparse_cache_level {
    struct sparse_node *node;
    int32_t free;           /* first unused node; 0: none */
    int32_t nodes;          /* nodes taken from the array so far */
    int64_t capacity, used; /* lines */
    bool is_lru;
};

struct sparse_cache {
    size_t levels;
    struct sparse_cache_level level[SPARSE_MAX_LEVELS]; /* innermost first */
    int32_t *node; /* of each block in the outermost level; 0: not there */
    int32_t blocks;
};

/* Makes empty caches for blocks 0 to blocks - 1.  FR_OK, or FR_NOMEM with nothing allocated.  Free
 * with sparse_cache_free, which accepts a zeroed struct. */
int sparse_cache_init(struct sparse_cache *cache, const struct sparse_machine *machine,
                      int32_t blocks);
void sparse_cache_free(struct sparse_cache *cache);
/* Evicts every block. */
void sparse_cache_clear(struct sparse_cache *cache);
/* Accesses `lines` >= 1 lines of a block and adds the misses of level q to misses[q].  O(1)
 * amortized. */
void sparse_cache_touch(struct sparse_cache *cache, int32_t block, int32_t lines, int64_t *misses);

#endif
