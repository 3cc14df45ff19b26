/* The blocks that one process of a grid accesses, numbered contiguously.
 *
 * Process (pr, pc) accesses L(i,k) of its rows, U(k,j) of its columns, own or received, and the
 * diagonal blocks of its rows.  They are numbered column by column: own U(i,j) with ascending rows,
 * the diagonal block, then L(i,j).  The destinations of an update are then found by merging two
 * ascending lists.  Received U(k,j) follow after all columns.
 */
#ifndef FR_SPARSE_PART_H
#define FR_SPARSE_PART_H

#include "engine/sparse/structure/grid.h"
#include "engine/sparse/structure/structure.h"

#include <stdbool.h>

/* A source of updates: a block of U and its local number. */
struct sparse_source {
    int32_t id;
    uint32_t u; /* index into the structure's u */
};

/* The blocks of one process; sparse_local_blocks_set reuses the arrays for the next process. */
struct sparse_local_blocks {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    int32_t pr, pc;
    int32_t blocks;          /* numbered 0 to blocks - 1 */
    int32_t *top, *diagonal; /* of column j: its first number, and the number of its first block
                                with i >= j; top[N] is the end of the last column */
    int32_t *source_at;      /* N + 1: index of the first source of row k */
    int32_t *cursor;         /* N: position of sparse_local_blocks_beyond in each column */
    int32_t *row;            /* block row of each number */
    int32_t *rows;           /* its rows r, for L and diagonal blocks */
    struct sparse_source *source;
    uint16_t *row_of, *column_of; /* N: k mod Pr, k mod Pc */
    size_t room;                  /* elements of row and of rows */
};

/* Allocates for any process of the grid; borrows the structure.  NULL if memory is short; free with
 * sparse_local_blocks_free, which accepts NULL. */
struct sparse_local_blocks *sparse_local_blocks_new(const struct sparse_structure *s,
                                                    struct sparse_grid grid);
void sparse_local_blocks_free(struct sparse_local_blocks *local);
/* Numbers the blocks of one process.  O(N + blocks). */
void sparse_local_blocks_set(struct sparse_local_blocks *local, int32_t pr, int32_t pc);

/* Whether the process has the diagonal block of k, own or received. */
static inline bool sparse_local_blocks_has_diagonal(const struct sparse_local_blocks *local,
                                                    int32_t k)
{
    return local->row_of[k] == local->pr;
}

/* The first number of L(i,k), i > k; the last is before top[k + 1]. */
static inline int32_t sparse_local_blocks_l(const struct sparse_local_blocks *local, int32_t k)
{
    return local->diagonal[k] + sparse_local_blocks_has_diagonal(local, k);
}

/* The first of the numbers `at` to `end` - 1, whose rows ascend, with a row of at least i; `end` if
 * there is none.  Galloping search: a near result is found quickly. */
static inline int32_t sparse_local_blocks_seek(const int32_t *row, int32_t at, int32_t end,
                                               int32_t i)
{
    int32_t step = 1, low;

    while (at < end && row[at] < i) {
        low = at;
        at = at + step < end ? at + step : end;
        step *= 2;
        if (at == end || row[at] >= i) { /* between low and at */
            while (at - low > 1) {
                const int32_t middle = low + (at - low) / 2;

                if (row[middle] < i)
                    low = middle;
                else
                    at = middle;
            }
            return at;
        }
    }
    return at;
}

/* The first number of column j with a row greater than k; k must ascend from call to call. */
static inline int32_t sparse_local_blocks_beyond(struct sparse_local_blocks *local, int32_t j,
                                                 int32_t k)
{
    return local->cursor[j] =
               sparse_local_blocks_seek(local->row, local->cursor[j], local->top[j + 1], k + 1);
}

#endif
