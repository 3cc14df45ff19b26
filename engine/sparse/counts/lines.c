/* The lines of all blocks of a process. */
#include "engine/sparse/counts/work.h"

void sparse_measure_blocks(const struct sparse_local_blocks *local,
                           const struct sparse_machine *machine, int32_t *lines)
{
    const struct sparse_structure *s = local->s;
    const int32_t length = sparse_line_length(machine);
    const int64_t ib = machine->index_bytes;

    for (int32_t k = 0; k < s->supernodes; k++) {
        for (int32_t b = local->diagonal[k]; b < local->top[k + 1]; b++)
            lines[b] = s->width[k] * sparse_lines(local->rows[b], length) +
                       sparse_index_lines(local->rows[b], ib, length);
        for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
            const struct sparse_u_block *u = &s->u[local->source[b].u];

            lines[local->source[b].id] =
                sparse_lines(u->sum, length) + sparse_index_lines(s->width[u->j], ib, length);
        }
    }
}
