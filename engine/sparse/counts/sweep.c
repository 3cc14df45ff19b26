/* Columns are copied from L or transposed from the rows of U. */
#include "engine/sparse/counts/work.h"

#include <stdlib.h>

/* ---- columns -------------------------------------------------------------------------------- */

static int copy_columns(struct sparse_sweep *sweep)
{
    const struct sparse_structure *s = sweep->s;

    sweep->block = calloc((size_t)s->l_at[s->supernodes] + 1, sizeof *sweep->block);
    if (!sweep->block)
        return FR_NOMEM;
    for (int32_t k = 0; k < s->supernodes; k++) {
        sweep->column_at[k + 1] = s->l_at[k + 1];
        for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
            sweep->block[b] =
                (struct sparse_sweep_block){ .i = s->l[b].i,
                                             .entries = (double)s->l[b].rows * s->width[k] };
    }
    return FR_OK;
}

/* column_at[j + 1] counts the blocks of column j, then is where its next block goes. */
static int transpose_rows(struct sparse_sweep *sweep)
{
    const struct sparse_structure *s = sweep->s;
    const int64_t blocks = s->u_at[s->supernodes];
    int64_t *next = sweep->column_at + 1, at = 0;

    sweep->block = calloc((size_t)blocks + 1, sizeof *sweep->block);
    if (!sweep->block)
        return FR_NOMEM;
    for (int64_t b = 0; b < blocks; b++)
        next[s->u[b].j]++;
    for (int32_t j = 0; j < s->supernodes; j++) {
        const int64_t count = next[j];

        next[j] = at;
        at += count;
    }
    for (int32_t i = 0; i < s->supernodes; i++)
        for (int64_t b = s->u_at[i]; b < s->u_at[i + 1]; b++)
            sweep->block[next[s->u[b].j]++] =
                (struct sparse_sweep_block){ .i = i, .entries = (double)s->u[b].sum };
    return FR_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Passes over all blocks by process column.  The first pass counts the places of row i in
 * row_at[i + 1], the second fills them in.  `last` is the process column seen last in each row. */
static void pass(struct sparse_sweep *sweep, int32_t *last)
{
    const int32_t count = sweep->s->supernodes, columns = sweep->grid.columns;

    for (int32_t i = 0; i < count; i++)
        last[i] = -1;
    for (int32_t pc = 0; pc < columns && pc < count; pc++)
        for (int32_t k = pc; k < count; k += columns)
            for (int64_t b = sweep->column_at[k]; b < sweep->column_at[k + 1]; b++) {
                struct sparse_sweep_block *block = &sweep->block[b];
                int64_t *next = &sweep->row_at[block->i + 1];

                if (last[block->i] != pc) {
                    last[block->i] = pc;
                    if (sweep->place)
                        sweep->place[*next] = pc;
                    ++*next;
                }
                block->place = *next - 1;
            }
}

static int find_rows(struct sparse_sweep *sweep)
{
    const int32_t count = sweep->s->supernodes;
    int32_t *last = calloc((size_t)count, sizeof *last);
    int64_t at = 0;

    if (!last)
        return FR_NOMEM;
    pass(sweep, last);
    for (int32_t i = 0; i < count; i++) {
        const int64_t places = sweep->row_at[i + 1];

        sweep->row_at[i + 1] = at;
        at += places;
    }
    sweep->place = calloc((size_t)at + 1, sizeof *sweep->place);
    if (sweep->place)
        pass(sweep, last);
    free(last);
    return sweep->place ? FR_OK : FR_NOMEM;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Sets the level of each supernode, 0 without blocks in its row; returns the number of levels. */
static int32_t find_levels(const struct sparse_sweep *sweep, bool is_forward, int32_t *level)
{
    const int32_t count = sweep->s->supernodes;
    int32_t levels = 1;

    for (int32_t at = 0; at < count; at++) {
        const int32_t k = is_forward ? at : count - 1 - at;

        levels = level[k] >= levels ? level[k] + 1 : levels;
        for (int64_t b = sweep->column_at[k]; b < sweep->column_at[k + 1]; b++) {
            const int32_t i = sweep->block[b].i;

            level[i] = level[i] > level[k] ? level[i] : level[k] + 1;
        }
    }
    return levels;
}

/* By level; within one in the direction of the sweep. */
static int find_order(struct sparse_sweep *sweep, bool is_forward)
{
    const int32_t count = sweep->s->supernodes;
    int32_t *level = calloc(2 * (size_t)count + 1, sizeof *level), *next;
    int32_t levels;

    if (!level)
        return FR_NOMEM;
    next = level + count;
    levels = find_levels(sweep, is_forward, level);
    for (int32_t k = 0; k < count; k++)
        next[level[k] + 1]++;
    for (int32_t l = 0; l < levels; l++)
        next[l + 1] += next[l];
    for (int32_t at = 0; at < count; at++) {
        const int32_t k = is_forward ? at : count - 1 - at;

        sweep->order[next[level[k]]++] = k;
    }
    free(level);
    return FR_OK;
}

int sparse_sweep_init(struct sparse_sweep *sweep, const struct sparse_structure *s,
                      struct sparse_grid grid, bool is_forward)
{
    const size_t count = (size_t)s->supernodes;
    int code = FR_NOMEM;

    *sweep = (struct sparse_sweep){ .s = s, .grid = grid };
    sweep->column_at = calloc(count + 1, sizeof *sweep->column_at);
    sweep->row_at = calloc(count + 1, sizeof *sweep->row_at);
    sweep->order = calloc(count, sizeof *sweep->order);
    if (sweep->column_at && sweep->row_at && sweep->order)
        code = is_forward ? copy_columns(sweep) : transpose_rows(sweep);
    if (code == FR_OK)
        code = find_rows(sweep);
    if (code == FR_OK)
        code = find_order(sweep, is_forward);
    if (code != FR_OK)
        sparse_sweep_free(sweep);
    return code;
}

void sparse_sweep_free(struct sparse_sweep *sweep)
{
    free(sweep->column_at);
    free(sweep->block);
    free(sweep->row_at);
    free(sweep->place);
    free(sweep->order);
    *sweep = (struct sparse_sweep){ 0 };
}
