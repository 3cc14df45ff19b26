#include "engine/sparse/local_blocks.h"

#include <stdlib.h>
#include <string.h>

/* The largest share of blocks that one group of a cyclic distribution gets. */
static size_t most_l(const struct sparse_structure *s, int32_t groups, size_t *count)
{
    size_t most = 0;

    memset(count, 0, (size_t)groups * sizeof *count);
    for (int64_t b = 0; b < s->l_at[s->supernodes]; b++)
        count[s->l[b].i % groups]++;
    for (int32_t g = 0; g < groups; g++)
        most = count[g] > most ? count[g] : most;
    return most;
}

static size_t most_u(const struct sparse_structure *s, int32_t groups, size_t *count)
{
    size_t most = 0;

    memset(count, 0, (size_t)groups * sizeof *count);
    for (int64_t b = 0; b < s->u_at[s->supernodes]; b++)
        count[s->u[b].j % groups]++;
    for (int32_t g = 0; g < groups; g++)
        most = count[g] > most ? count[g] : most;
    return most;
}

struct sparse_local_blocks *sparse_local_blocks_new(const struct sparse_structure *s,
                                                    struct sparse_grid grid)
{
    const size_t n = (size_t)s->supernodes;
    const int32_t longer = grid.rows > grid.columns ? grid.rows : grid.columns;
    struct sparse_local_blocks *part = calloc(1, sizeof *part);
    size_t *count = malloc((size_t)longer * sizeof *count);
    size_t sources;

    if (!part || !count) {
        free(part);
        free(count);
        return NULL;
    }
    part->s = s;
    part->grid = grid;
    sources = most_u(s, grid.columns, count);
    part->room = sources + most_l(s, grid.rows, count) + n;
    free(count);
    part->top = malloc((n + 1) * sizeof *part->top);
    part->diagonal = malloc(n * sizeof *part->diagonal);
    part->source_at = malloc((n + 1) * sizeof *part->source_at);
    part->cursor = malloc(n * sizeof *part->cursor);
    part->row_of = malloc(n * sizeof *part->row_of);
    part->column_of = malloc(n * sizeof *part->column_of);
    part->row = malloc(part->room * sizeof *part->row);
    part->rows = malloc(part->room * sizeof *part->rows);
    part->source = malloc((sources + 1) * sizeof *part->source);
    if (!part->top || !part->diagonal || !part->source_at || !part->cursor || !part->row_of ||
        !part->column_of || !part->row || !part->rows || !part->source) {
        sparse_local_blocks_free(part);
        return NULL;
    }
    for (size_t k = 0; k < n; k++) {
        part->row_of[k] = (uint16_t)(k % (size_t)grid.rows);
        part->column_of[k] = (uint16_t)(k % (size_t)grid.columns);
    }
    return part;
}

void sparse_local_blocks_free(struct sparse_local_blocks *part)
{
    if (!part)
        return;
    free(part->top);
    free(part->diagonal);
    free(part->source_at);
    free(part->cursor);
    free(part->row_of);
    free(part->column_of);
    free(part->row);
    free(part->rows);
    free(part->source);
    free(part);
}

/* Lists the U blocks of the process's columns; cursor[j] counts the own ones of column j. */
static void list_sources(struct sparse_local_blocks *part)
{
    const struct sparse_structure *s = part->s;
    int32_t count = 0;

    memset(part->cursor, 0, (size_t)s->supernodes * sizeof *part->cursor);
    for (int32_t k = 0; k < s->supernodes; k++) {
        const bool is_own = part->row_of[k] == part->pr;

        part->source_at[k] = count;
        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
            const int32_t j = s->u[b].j;

            if (part->column_of[j] != part->pc)
                continue;
            part->source[count++].u = (uint32_t)b;
            part->cursor[j] += is_own;
        }
    }
    part->source_at[s->supernodes] = count;
}

/* Numbers the columns; cursor[j] becomes the number of the first own U block of column j. */
static void number_columns(struct sparse_local_blocks *part)
{
    const struct sparse_structure *s = part->s;
    int32_t id = 0;

    for (int32_t k = 0; k < s->supernodes; k++) {
        part->top[k] = id;
        id += part->cursor[k];
        part->cursor[k] = part->top[k];
        part->diagonal[k] = id;
        if (sparse_local_blocks_has_diagonal(part, k)) {
            part->row[id] = k;
            part->rows[id++] = s->width[k];
        }
        for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
            if (part->row_of[s->l[b].i] != part->pr)
                continue;
            part->row[id] = s->l[b].i;
            part->rows[id++] = s->l[b].rows;
        }
    }
    part->top[s->supernodes] = id;
    part->blocks = id;
}

static void number_sources(struct sparse_local_blocks *part)
{
    const struct sparse_structure *s = part->s;

    for (int32_t k = 0; k < s->supernodes; k++) {
        const bool is_own = part->row_of[k] == part->pr;

        for (int32_t b = part->source_at[k]; b < part->source_at[k + 1]; b++) {
            const int32_t j = s->u[part->source[b].u].j;
            const int32_t id = is_own ? part->cursor[j]++ : part->blocks++;

            part->source[b].id = id;
            part->row[id] = k;
            part->rows[id] = 0;
        }
    }
}

void sparse_local_blocks_set(struct sparse_local_blocks *part, int32_t pr, int32_t pc)
{
    part->pr = pr;
    part->pc = pc;
    list_sources(part);
    number_columns(part);
    number_sources(part);
    memcpy(part->cursor, part->top, (size_t)part->s->supernodes * sizeof *part->cursor);
}
