/* LRU and FIFO levels as doubly linked lists in arrays. */
#include "engine/sparse/counts/work.h"

#include <stdlib.h>
#include <string.h>

static void empty_level(struct sparse_cache_level *level)
{
    level->node[0] = (struct sparse_node){ 0 };
    level->free = 0;
    level->nodes = 1;
    level->used = 0;
}

int sparse_cache_init(struct sparse_cache *cache, const struct sparse_machine *machine,
                      int32_t blocks)
{
    *cache = (struct sparse_cache){ .levels = machine->levels, .blocks = blocks };
    cache->node = calloc((size_t)blocks + 1, sizeof *cache->node);
    for (size_t q = 0; q < machine->levels; q++) {
        struct sparse_cache_level *level = &cache->level[q];

        level->capacity =
            (int64_t)(machine->level[q].capacity_bytes / machine->level[q].line_bytes);
        level->is_lru = machine->level[q].policy == SPARSE_LRU;
        /* A block occupies at least one line; one node more is the list's head. */
        level->node = malloc(((size_t)(level->capacity < blocks ? level->capacity : blocks) + 1) *
                             sizeof *level->node);
        if (level->node)
            empty_level(level);
    }
    for (size_t q = 0; q < machine->levels; q++) {
        if (cache->node && cache->level[q].node)
            continue;
        sparse_cache_free(cache);
        return FR_NOMEM;
    }
    return FR_OK;
}

void sparse_cache_free(struct sparse_cache *cache)
{
    for (size_t q = 0; q < cache->levels; q++)
        free(cache->level[q].node);
    free(cache->node);
    *cache = (struct sparse_cache){ 0 };
}

void sparse_cache_clear(struct sparse_cache *cache)
{
    memset(cache->node, 0, (size_t)cache->blocks * sizeof *cache->node);
    for (size_t q = 0; q < cache->levels; q++)
        empty_level(&cache->level[q]);
}

static void unlink_node(struct sparse_node *node, int32_t at)
{
    node[node[at].older].younger = node[at].younger;
    node[node[at].younger].older = node[at].older;
}

static void link_youngest(struct sparse_node *node, int32_t at)
{
    const int32_t youngest = node[0].older;

    node[at].older = youngest;
    node[at].younger = 0;
    node[youngest].younger = at;
    node[0].older = at;
}

/* Drops a node and those of the block in inner levels; the caller updates the outer level. */
static void drop(struct sparse_cache *cache, size_t q, int32_t at)
{
    for (;;) {
        struct sparse_cache_level *level = &cache->level[q];
        const int32_t inner = level->node[at].inner;

        unlink_node(level->node, at);
        level->used -= level->node[at].lines;
        level->node[at].younger = level->free;
        level->free = at;
        if (q == 0 || inner == 0)
            return;
        at = inner;
        q--;
    }
}

static void evict(struct sparse_cache *cache, size_t q, int32_t at)
{
    const int32_t outer = cache->level[q].node[at].outer;

    if (q + 1 == cache->levels)
        cache->node[outer] = 0;
    else
        cache->level[q + 1].node[outer].inner = 0;
    drop(cache, q, at);
}

static int32_t new_node(struct sparse_cache_level *level)
{
    const int32_t at = level->free;

    if (at == 0)
        return level->nodes++;
    level->free = level->node[at].younger;
    return at;
}

/* Lets a block occupy `lines` lines in place of those of its node `at`, 0 if it has none; returns
 * its node. */
static int32_t bring_in(struct sparse_cache *cache, size_t q, int32_t at, int32_t outer,
                        int32_t lines)
{
    struct sparse_cache_level *level = &cache->level[q];
    const int32_t more = lines - (at ? level->node[at].lines : 0);

    while (level->used + more > level->capacity) {
        const int32_t oldest = level->node[0].younger;

        evict(cache, q, oldest != at ? oldest : level->node[oldest].younger);
    }
    level->used += more;
    if (at == 0) {
        at = new_node(level);
        level->node[at].inner = 0;
        level->node[at].outer = outer;
        link_youngest(level->node, at);
    }
    level->node[at].lines = lines;
    return at;
}

/* A block larger than the level evicts everything and does not stay. */
static void flush(struct sparse_cache *cache, size_t q)
{
    struct sparse_cache_level *level = &cache->level[q];

    while (level->node[0].younger)
        evict(cache, q, level->node[0].younger);
}

void sparse_cache_touch(struct sparse_cache *cache, int32_t block, int32_t lines, int64_t *misses)
{
    int32_t *place = &cache->node[block]; /* where the outer level keeps this level's node */
    int32_t outer = block;

    for (size_t q = cache->levels; q-- > 0;) {
        struct sparse_cache_level *level = &cache->level[q];
        int32_t at = *place;
        const int32_t have = at ? level->node[at].lines : 0;

        if (at && level->is_lru && level->node[0].older != at) {
            unlink_node(level->node, at);
            link_youngest(level->node, at);
        }
        if (lines > have) {
            misses[q] += lines - have;
            if (lines > level->capacity) {
                /* Inner levels are not larger, so that they do not hold the block either. */
                flush(cache, q);
                while (q-- > 0) {
                    misses[q] += lines;
                }
                return;
            }
            at = bring_in(cache, q, at, outer, lines);
            *place = at;
        }
        place = &level->node[at].inner;
        outer = at;
    }
}
