/* How the work of a factorization is counted. */
#ifndef FR_SPARSE_WORK_H
#define FR_SPARSE_WORK_H

#include "engine/sparse/counts/work_counts.h"
#include "engine/sparse/structure/structure.h"

/* Bounds on the work and the memory of a simulation, found before it starts, because a client
 * chooses structure and grid (docs/models/sparse_lu.md#work-of-a-simulation). */

/* Upper bounds on the operations of all processes. */
struct sparse_work {
    double panels, updates; /* factor and solve; update_next and update_rest */
};

/* Finds the bounds.  O(N). */
void sparse_work_find(const struct sparse_structure *s, struct sparse_grid grid,
                      struct sparse_work *out);
/* An upper bound on the bytes of these operations with so many words each. */
double sparse_work_bytes(const struct sparse_work *work, const struct sparse_structure *s,
                         struct sparse_grid grid, size_t panel_terms, size_t update_terms);

/* Work in the steps that a request may spend (fr_arena_afford), measured: of sparse_work_find; of
 * the passes of clocks.c and memory.c over all steps and processes; of the operations in these
 * passes. */
double sparse_find_steps(const struct sparse_structure *s);
double sparse_walk_steps(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_operation_steps(const struct sparse_work *work);

/* The work of a simulation in block updates, its memory, and the steps of its walk: with a
 * look-ahead window, and of a triangular solve. */
struct sparse_demand {
    double updates, bytes, steps;
};
struct sparse_demand sparse_window_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t window);
/* What several layers add to steps and bytes: forests, clocks, and the panels that they pass on. */
struct sparse_demand sparse_layers_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t layers);
struct sparse_demand sparse_solve_demand(const struct sparse_structure *s, struct sparse_grid grid);

/* Work in block updates, each about twelve steps: of counting through caches, and of look-ups in
 * rate tables. */
double sparse_paper_updates(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_calibrated_updates(const struct sparse_work *work, const struct sparse_structure *s);

/* The blocks and the order of one sweep of the triangular solves
 * (docs/models/sparse_lu.md#triangular-solves).
 *
 * Forward, L y = b: column k holds the blocks L(i,k), k ascends.  Backward, U x = y: column k holds
 * the blocks U(i,k), k descends.  Diagonal blocks are not listed.
 */

struct sparse_sweep_block {
    int32_t i;      /* its block row */
    double entries; /* stored */
    int64_t place;  /* of (row i, its process column) in `place` */
};

struct sparse_sweep {
    const struct sparse_structure *s; /* borrowed */
    struct sparse_grid grid;
    int64_t *column_at; /* N + 1: column k is block[column_at[k]] to block[column_at[k + 1] - 1] */
    struct sparse_sweep_block *block; /* by ascending i */
    int64_t *row_at;                  /* N + 1: likewise of `place` */
    int32_t *place;                   /* process columns with a block of row k, ascending */
    int32_t *order;                   /* N: by levels of dependence */
};

/* FR_OK, or FR_NOMEM without a fault.  Free with sparse_sweep_free.  O(blocks + N). */
int sparse_sweep_init(struct sparse_sweep *sweep, const struct sparse_structure *s,
                      struct sparse_grid grid, bool is_forward);
/* Accepts a zeroed struct. */
void sparse_sweep_free(struct sparse_sweep *sweep);

/* Lines of a block, and those that an update touches of its destination
 * (docs/models/sparse_lu.md#lines-of-a-block). */

/* Lines of so many doubles; `length` is the doubles per line. */
static inline int32_t sparse_lines(int64_t doubles, int32_t length)
{
    return (int32_t)(((uint32_t)doubles + (uint32_t)length - 1) / (uint32_t)length);
}
/* Index lines y of a block: `indices` is its rows (L) or the width of its block column (U). */
static inline int32_t sparse_index_lines(int32_t indices, int64_t index_bytes, int32_t length)
{
    return sparse_lines((2 + (int64_t)indices) * index_bytes, 8 * length);
}
static inline int32_t sparse_line_length(const struct sparse_machine *machine)
{
    return (int32_t)(machine->level[0].line_bytes / 8);
}

/* Lines that an update by `rows` rows and `cols` columns touches of a destination of so many lines.
 */
static inline int32_t sparse_touched_lines(const struct sparse_machine *machine, int32_t lines,
                                           int32_t rows, int32_t cols)
{
    const int32_t most = cols * sparse_lines(rows, sparse_line_length(machine)) + 1;

    return machine->destination == SPARSE_TOUCHED_LINES && most < lines ? most : lines;
}

/* Writes the lines of each local block, by its number. */
void sparse_measure_blocks(const struct sparse_local_blocks *local,
                           const struct sparse_machine *machine, int32_t *lines);

/* The caches of one process, simulated block by block
 * (docs/models/sparse_lu.md#cache-simulation).
 *
 * A level is a linked list of its blocks, oldest first, whose nodes are elements of an array.  The
 * levels are inclusive: an inner level holds only blocks of the outer ones.  The block's number
 * gives its node in the outermost level, and each node gives the node in the next inner level.
 */

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
