#include "engine/sparse/bounds.h"

#include "engine/sparse/cache.h"
#include "engine/sparse/local_blocks.h"

#include <stdlib.h>

/* x of every block: the updates that it is the destination of. */
static void count_updates(struct sparse_local_blocks *part, int32_t *x)
{
    const struct sparse_structure *s = part->s;

    for (int32_t k = 0; k < s->supernodes; k++)
        for (int32_t b = part->source_at[k]; b < part->source_at[k + 1]; b++) {
            const int32_t j = s->u[part->source[b].u].j;
            int32_t at = sparse_local_blocks_beyond(part, j, k);

            for (int32_t l = sparse_local_blocks_l(part, k); l < part->top[k + 1]; l++) {
                at = sparse_local_blocks_seek(part->row, at, part->top[j + 1], part->row[l]);
                x[at]++;
            }
        }
}

/* `values` and y lines of indices, which are read whenever the block is, and once more by eqs. 11
 * and 12; read `reads` times beyond its updates. */
static void add(struct sparse_bounds *bounds, int32_t values, int32_t y, double x, double reads)
{
    const double lines = values + y;

    bounds->low += lines + y;
    bounds->high += (x + reads) * lines + x * y;
}

static struct sparse_bounds sum(const struct sparse_local_blocks *part, const int32_t *x,
                                const struct sparse_machine *machine)
{
    const struct sparse_structure *s = part->s;
    const int32_t length = (int32_t)(machine->level[0].line_bytes / 8);
    struct sparse_bounds bounds = { 0 };

    for (int32_t k = 0; k < s->supernodes; k++) {
        const double z = part->source_at[k + 1] - part->source_at[k];

        for (int32_t b = part->diagonal[k]; b < part->top[k + 1]; b++)
            add(&bounds, s->width[k] * sparse_lines(part->rows[b], length),
                sparse_index_lines(part->rows[b], machine->index_bytes, length), x[b], z + 1);
        for (int32_t b = part->source_at[k]; b < part->source_at[k + 1]; b++) {
            const struct sparse_u_block *u = &s->u[part->source[b].u];

            add(&bounds, sparse_lines(u->sum, length),
                sparse_index_lines(s->width[u->j], machine->index_bytes, length),
                x[part->source[b].id], 2);
        }
    }
    return bounds;
}

int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out)
{
    struct sparse_local_blocks *part = sparse_local_blocks_new(s, (struct sparse_grid){ 1, 1 });
    int32_t *x = part ? calloc(part->room, sizeof *x) : NULL;
    const int code = x ? FR_OK : FR_NOMEM;

    if (x) {
        sparse_local_blocks_set(part, 0, 0);
        count_updates(part, x);
        *out = sum(part, x, machine);
    }
    free(x);
    sparse_local_blocks_free(part);
    return code;
}
