/* Numbers the blocks of one process of a grid. */
#include "engine/sparse/structure/structure.h"

#include <stdlib.h>
#include <string.h>

/* The largest number of blocks that a process row (of L) or a process column (of U) has. */
static size_t most_blocks(const struct sparse_structure *s, bool are_l, int32_t groups,
                          size_t *count)
{
    const int64_t blocks = (are_l ? s->l_at : s->u_at)[s->supernodes];
    size_t most = 0;

    memset(count, 0, (size_t)groups * sizeof *count);
    for (int64_t b = 0; b < blocks; b++)
        count[(are_l ? s->l[b].i : s->u[b].j) % groups]++;
    for (int32_t g = 0; g < groups; g++)
        most = count[g] > most ? count[g] : most;
    return most;
}

struct sparse_local_blocks *sparse_local_blocks_new(const struct sparse_structure *s,
                                                    struct sparse_grid grid)
{
    const size_t n = (size_t)s->supernodes;
    const int32_t longer = grid.rows > grid.columns ? grid.rows : grid.columns;
    struct sparse_local_blocks *local = calloc(1, sizeof *local);
    size_t *count = malloc((size_t)longer * sizeof *count);
    size_t sources;

    if (!local || !count) {
        free(local);
        free(count);
        return NULL;
    }
    local->s = s;
    local->grid = grid;
    sources = most_blocks(s, false, grid.columns, count);
    local->room = sources + most_blocks(s, true, grid.rows, count) + n;
    free(count);
    local->top = malloc((n + 1) * sizeof *local->top);
    local->diagonal = malloc(n * sizeof *local->diagonal);
    local->source_at = malloc((n + 1) * sizeof *local->source_at);
    local->cursor = malloc(n * sizeof *local->cursor);
    local->row_of = malloc(n * sizeof *local->row_of);
    local->column_of = malloc(n * sizeof *local->column_of);
    local->row = malloc(local->room * sizeof *local->row);
    local->rows = malloc(local->room * sizeof *local->rows);
    local->source = malloc((sources + 1) * sizeof *local->source);
    if (!local->top || !local->diagonal || !local->source_at || !local->cursor || !local->row_of ||
        !local->column_of || !local->row || !local->rows || !local->source) {
        sparse_local_blocks_free(local);
        return NULL;
    }
    for (size_t k = 0; k < n; k++) {
        local->row_of[k] = (uint16_t)(k % (size_t)grid.rows);
        local->column_of[k] = (uint16_t)(k % (size_t)grid.columns);
    }
    return local;
}

void sparse_local_blocks_free(struct sparse_local_blocks *local)
{
    if (!local)
        return;
    free(local->top);
    free(local->diagonal);
    free(local->source_at);
    free(local->cursor);
    free(local->row_of);
    free(local->column_of);
    free(local->row);
    free(local->rows);
    free(local->source);
    free(local);
}

/* Lists the U blocks of the process's columns; cursor[j] counts those of column j that it owns. */
static void list_sources(struct sparse_local_blocks *local)
{
    const struct sparse_structure *s = local->s;
    int32_t count = 0;

    memset(local->cursor, 0, (size_t)s->supernodes * sizeof *local->cursor);
    for (int32_t k = 0; k < s->supernodes; k++) {
        const bool is_own = local->row_of[k] == local->pr;

        local->source_at[k] = count;
        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
            const int32_t j = s->u[b].j;

            if (local->column_of[j] != local->pc)
                continue;
            local->source[count++].u = (uint32_t)b;
            local->cursor[j] += is_own;
        }
    }
    local->source_at[s->supernodes] = count;
}

/* Numbers the columns; cursor[j] becomes the number of the first own U block of column j. */
static void number_columns(struct sparse_local_blocks *local)
{
    const struct sparse_structure *s = local->s;
    int32_t id = 0;

    for (int32_t k = 0; k < s->supernodes; k++) {
        local->top[k] = id;
        id += local->cursor[k];
        local->cursor[k] = local->top[k];
        local->diagonal[k] = id;
        if (sparse_local_blocks_has_diagonal(local, k)) {
            local->row[id] = k;
            local->rows[id++] = s->width[k];
        }
        for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
            if (local->row_of[s->l[b].i] != local->pr)
                continue;
            local->row[id] = s->l[b].i;
            local->rows[id++] = s->l[b].rows;
        }
    }
    local->top[s->supernodes] = id;
    local->blocks = id;
}

static void number_sources(struct sparse_local_blocks *local)
{
    const struct sparse_structure *s = local->s;

    for (int32_t k = 0; k < s->supernodes; k++) {
        const bool is_own = local->row_of[k] == local->pr;

        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
            const int32_t j = s->u[local->source[b].u].j;
            const int32_t id = is_own ? local->cursor[j]++ : local->blocks++;

            local->source[b].id = id;
            local->row[id] = k;
            local->rows[id] = 0;
        }
    }
}

void sparse_local_blocks_set(struct sparse_local_blocks *local, int32_t pr, int32_t pc)
{
    local->pr = pr;
    local->pc = pc;
    list_sources(local);
    number_columns(local);
    number_sources(local);
    memcpy(local->cursor, local->top, (size_t)local->s->supernodes * sizeof *local->cursor);
}
