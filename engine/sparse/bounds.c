/* Equations (11) and (12): a walk over all updates counts how often each block is a destination. */
#include "engine/sparse/bounds.h"

#include "engine/sparse/cache.h"
#include "engine/sparse/local_blocks.h"

#include <stdlib.h>

/* x of every block: the number of updates that have it as destination. */
static void count_updates(struct sparse_local_blocks *local, int32_t *x)
{
    const struct sparse_structure *s = local->s;

    for (int32_t k = 0; k < s->supernodes; k++)
        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
            const int32_t j = s->u[local->source[b].u].j;
            int32_t at = sparse_local_blocks_beyond(local, j, k);

            for (int32_t l = sparse_local_blocks_l(local, k); l < local->top[k + 1]; l++) {
                at = sparse_local_blocks_seek(local->row, at, local->top[j + 1], local->row[l]);
                x[at]++;
            }
        }
}

/* A block of `values` lines of values and y of indices, destination of x updates and read `reads`
 * times besides.  Eqs. 11 and 12 count its index lines once more. */
static void add(struct sparse_bounds *bounds, int32_t values, int32_t y, double x, double reads)
{
    const double lines = values + y;

    bounds->low += lines + y;
    bounds->high += (x + reads) * lines + x * y;
}

static struct sparse_bounds sum(const struct sparse_local_blocks *local, const int32_t *x,
                                const struct sparse_machine *machine)
{
    const struct sparse_structure *s = local->s;
    const int32_t length = (int32_t)(machine->level[0].line_bytes / 8);
    struct sparse_bounds bounds = { 0 };

    for (int32_t k = 0; k < s->supernodes; k++) {
        const double z = local->source_at[k + 1] - local->source_at[k];

        for (int32_t b = local->diagonal[k]; b < local->top[k + 1]; b++)
            add(&bounds, s->width[k] * sparse_lines(local->rows[b], length),
                sparse_index_lines(local->rows[b], machine->index_bytes, length), x[b], z + 1);
        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
            const struct sparse_u_block *u = &s->u[local->source[b].u];

            add(&bounds, sparse_lines(u->sum, length),
                sparse_index_lines(s->width[u->j], machine->index_bytes, length),
                x[local->source[b].id], 2);
        }
    }
    return bounds;
}

int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out)
{
    struct sparse_local_blocks *local = sparse_local_blocks_new(s, (struct sparse_grid){ 1, 1 });
    int32_t *x = local ? calloc(local->room, sizeof *x) : NULL;
    const int code = x ? FR_OK : FR_NOMEM;

    if (x) {
        sparse_local_blocks_set(local, 0, 0);
        count_updates(local, x);
        *out = sum(local, x, machine);
    }
    free(x);
    sparse_local_blocks_free(local);
    return code;
}
