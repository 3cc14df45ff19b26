/* The memory of HPL, and the largest problem that fits into it
 * (docs/models/block_cyclic.md#the-n-that-fills-the-memory). */
#include "engine/block_cyclic/hpl.h"

double hpl_memory_words(const struct hpl_values *v)
{
    const struct cyclic_values *c = &v->common;
    const double nb = (double)c->block_size;
    const double rows = (double)cyclic_rows(c->n, c->block_size, 0, c->process_rows);
    const double columns = (double)cyclic_rows(c->n + 1, c->block_size, 0, c->process_columns);

    return rows * columns +
           (double)(v->lookahead_depth + 1) * (nb * (rows + columns) + nb * nb + nb + 1);
}

int64_t hpl_largest_n(const struct hpl_values *v, double bytes)
{
    struct hpl_values trial = *v;
    int64_t low = 0,
            high = HPL_MOST_N / v->common.block_size + 1; /* blocks that fit; that do not */

    while (high - low > 1) {
        const int64_t blocks = low + (high - low) / 2;

        trial.common.n = blocks * v->common.block_size;
        if (8 * hpl_memory_words(&trial) <= bytes)
            low = blocks;
        else
            high = blocks;
    }
    return low * v->common.block_size;
}
