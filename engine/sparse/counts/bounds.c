/* Bounds on the misses from the lines that the touches of count.c ask for, and eqs. 11 and 12: a
 * walk over all updates. */

#include "engine/sparse/counts/work.h"

#include <stdlib.h>

/* A single process.  x of every block is the number of updates that have it as destination. */
struct pass {
    struct sparse_local_blocks *local;
    const struct sparse_machine *machine;
    int32_t *lines, *x;
    int32_t length;         /* doubles per line */
    int32_t temp_u, temp_v; /* the most lines of the copy of U and of a product */
    struct sparse_bounds bounds;
};

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Touches of all updates by one block of U. */
static void update(struct pass *p, int32_t k, const struct sparse_source *source)
{
    struct sparse_local_blocks *local = p->local;
    const struct sparse_u_block *u = &local->s->u[source->u];
    const int32_t packed = sparse_lines((int64_t)u->max * u->cols, p->length);
    const bool is_ragged = u->sum < u->max * u->cols;
    const int32_t operand = is_ragged ? packed : p->lines[source->id];
    const int32_t end = local->top[u->j + 1];
    int32_t at = sparse_local_blocks_beyond(local, u->j, k);

    p->bounds.high += p->lines[source->id];
    if (is_ragged) {
        p->bounds.high += packed;
        p->temp_u = larger(p->temp_u, packed);
    }
    for (int32_t l = sparse_local_blocks_l(local, k); l < local->top[k + 1]; l++) {
        const int32_t rows = local->rows[l];
        const int32_t product = sparse_lines((int64_t)rows * u->cols, p->length);

        at = sparse_local_blocks_seek(local->row, at, end, local->row[l]);
        p->x[at]++;
        p->temp_v = larger(p->temp_v, product);
        p->bounds.high += (double)p->lines[l] + operand + product +
                          sparse_touched_lines(p->machine, p->lines[at], rows, u->cols);
    }
}

/* Every block is touched as a whole when it is factored or solved with. */
static void touch_panels(struct pass *p, int32_t k)
{
    const struct sparse_local_blocks *local = p->local;

    for (int32_t b = local->diagonal[k]; b < local->top[k + 1]; b++) {
        p->bounds.low += p->lines[b];
        p->bounds.high += p->lines[b];
    }
    for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
        p->bounds.low += p->lines[local->source[b].id];
        p->bounds.high += (double)p->lines[local->diagonal[k]] + p->lines[local->source[b].id];
    }
}

static void walk(struct pass *p)
{
    const struct sparse_local_blocks *local = p->local;

    for (int32_t k = 0; k < local->s->supernodes; k++) {
        touch_panels(p, k);
        if (sparse_local_blocks_l(local, k) == local->top[k + 1])
            continue;
        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++)
            update(p, k, &local->source[b]);
    }
    p->bounds.low += (double)p->temp_u + p->temp_v;
}

/* Block b with `indices` indices, read `reads` times besides its updates.  Eqs. 11 and 12 count its
 * index lines y once more. */
static void estimate(struct pass *p, int32_t b, int32_t indices, double reads)
{
    const double lines = p->lines[b], x = p->x[b];
    const double y = sparse_index_lines(indices, p->machine->index_bytes, p->length);

    p->bounds.low_paper += lines + y;
    p->bounds.high_paper += (x + reads) * lines + x * y;
}

static void estimate_all(struct pass *p)
{
    const struct sparse_local_blocks *local = p->local;
    const struct sparse_structure *s = local->s;

    for (int32_t k = 0; k < s->supernodes; k++) {
        const double z = local->source_at[k + 1] - local->source_at[k];
        const double below = local->top[k + 1] - sparse_local_blocks_l(local, k);

        for (int32_t b = local->diagonal[k]; b < local->top[k + 1]; b++)
            estimate(p, b, local->rows[b], z + 1);
        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++)
            estimate(p, local->source[b].id, s->width[s->u[local->source[b].u].j], below + 1);
    }
}

int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out)
{
    struct sparse_local_blocks *local = sparse_local_blocks_new(s, (struct sparse_grid){ 1, 1 });
    struct pass p = {
        .local = local,
        .machine = machine,
        .lines = local ? calloc(local->room, sizeof *p.lines) : NULL,
        .x = local ? calloc(local->room, sizeof *p.x) : NULL,
        .length = sparse_line_length(machine),
    };
    const int code = p.lines && p.x ? FR_OK : FR_NOMEM;

    if (code == FR_OK) {
        sparse_local_blocks_set(local, 0, 0);
        sparse_measure_blocks(local, machine, p.lines);
        walk(&p);
        estimate_all(&p);
        *out = p.bounds;
    }
    free(p.lines);
    free(p.x);
    sparse_local_blocks_free(local);
    return code;
}
