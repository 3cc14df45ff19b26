/* The caches of one process, simulated block by block (sparse-lu.md 4).
 *
 * A level is a list of the blocks in it, oldest first, as nodes of an array.  Every block of an
 * inner level is in the outer ones, too: the outermost level is found by the block's number, each
 * further one through the node outside it.
 */
#ifndef FR_SPARSE_CACHE_H
#define FR_SPARSE_CACHE_H

#include "engine/sparse/params.h"

#include <stdbool.h>
#include <stdint.h>

/* Node 0 is the list's end: its `younger` is the oldest block, its `older` the youngest. */
struct sparse_node {
    int32_t older, younger; /* unused nodes: `younger` is the next unused one */
    int32_t outer;          /* node of the level outside it; the block's number in the outermost */
    int32_t inner;          /* node of the level within it, 0: not there */
    int32_t lines;          /* resident */
};

struct sparse_cache_level {
    struct sparse_node *node;
    int32_t free;           /* the next unused node, 0: none so far */
    int32_t nodes, room;    /* nodes used so far, and at most */
    int64_t capacity, used; /* lines */
    bool is_lru;
};

struct sparse_cache {
    size_t levels;
    struct sparse_cache_level level[SPARSE_MAX_LEVELS]; /* inner first */
    int32_t *node; /* of each block in the outermost level, 0: not there */
    int32_t blocks;
};

/* Empty caches for blocks 0 to blocks - 1.  A code: FR_NOMEM leaves it empty of memory, too.  Free
 * with sparse_cache_free, which accepts zeros. */
int sparse_cache_init(struct sparse_cache *cache, const struct sparse_machine *machine,
                      int32_t blocks);
void sparse_cache_free(struct sparse_cache *cache);
/* Forgets every block. */
void sparse_cache_clear(struct sparse_cache *cache);
/* Reads or writes `lines` >= 1 lines of a block; misses[q] grows by the misses of level q. O(1)
 * amortised. */
void sparse_cache_touch(struct sparse_cache *cache, int32_t block, int32_t lines, int64_t *misses);

/* ---- lines of a block (sparse-lu.md 4) ---- */

/* `length` is the doubles of a line. */
static inline int32_t sparse_lines(int64_t doubles, int32_t length)
{
    return (int32_t)(((uint32_t)doubles + (uint32_t)length - 1) / (uint32_t)length);
}
/* Index lines y of a block with so many rows (L) or columns of its block column (U). */
static inline int32_t sparse_index_lines(int32_t indices, int64_t index_bytes, int32_t length)
{
    return sparse_lines((2 + (int64_t)indices) * index_bytes, 8 * length);
}

#endif
