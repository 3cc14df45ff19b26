/* What one process of a grid ever touches of a structure, numbered contiguously.
 *
 * Process (pr, pc) touches L(i,k) of its rows (i = pr mod Pr; own ones and received copies), U(k,j)
 * of its columns (likewise) and the diagonal blocks of its rows.  Its blocks are numbered column by
 * column: column j has its own U(i,j), rows ascending, the diagonal block, then L(i,j); so that
 * the destinations of an update are found by merging two ascending lists.  Received U(k,j) come
 * after all columns.
 */
#ifndef FR_SPARSE_PART_H
#define FR_SPARSE_PART_H

#include "engine/sparse/grid.h"
#include "engine/sparse/structure.h"

#include <stdbool.h>

/* A source of updates: the block of U and its number here. */
struct sparse_source {
    int32_t id;
    uint32_t u; /* index into the structure's u */
};

/* One process's part; arrays are reused from process to process (sparse_local_blocks_set). */
struct sparse_local_blocks {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    int32_t pr, pc;
    int32_t blocks;          /* numbered 0 to blocks - 1 */
    int32_t *top, *diagonal; /* of column j: its first number, and that of its first block with
                                i >= j; top[N] ends the last column */
    int32_t *source_at;      /* N + 1: where the sources of row k begin */
    int32_t *cursor;         /* N: where sparse_local_blocks_beyond has come to in each column */
    int32_t *row;            /* block row of each number */
    int32_t *rows;           /* rows r of it, of L and diagonal blocks */
    struct sparse_source *source;
    uint16_t *row_of, *column_of; /* N: k mod Pr, k mod Pc */
    size_t room;                  /* of row and rows */
};

/* Room for any process of the grid.  NULL: memory. Free with sparse_local_blocks_free. */
struct sparse_local_blocks *sparse_local_blocks_new(const struct sparse_structure *s,
                                                    struct sparse_grid grid);
void sparse_local_blocks_free(struct sparse_local_blocks *part);
/* Makes it the part of a process.  O(N + blocks). */
void sparse_local_blocks_set(struct sparse_local_blocks *part, int32_t pr, int32_t pc);

/* Whether the process has the diagonal block of k, its own or a copy. */
static inline bool sparse_local_blocks_has_diagonal(const struct sparse_local_blocks *part,
                                                    int32_t k)
{
    return part->row_of[k] == part->pr;
}

/* The first number of L(i,k), i > k; the last is before top[k + 1]. */
static inline int32_t sparse_local_blocks_l(const struct sparse_local_blocks *part, int32_t k)
{
    return part->diagonal[k] + sparse_local_blocks_has_diagonal(part, k);
}

/* The number of the block in row i among numbers `at` to `end` - 1, ascending, which has it or
 * something beyond; gallops, so that near ones are found at once. */
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

/* The first number of column j with a row beyond k; asked with ascending k. */
static inline int32_t sparse_local_blocks_beyond(struct sparse_local_blocks *part, int32_t j,
                                                 int32_t k)
{
    return part->cursor[j] =
               sparse_local_blocks_seek(part->row, part->cursor[j], part->top[j + 1], k + 1);
}

#endif
