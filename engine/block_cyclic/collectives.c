/* Collectives among the processes of a column
 * (docs/models/block_cyclic.md#collectives-of-a-process-column). */
#include "engine/block_cyclic/network.h"

#include <math.h>

const double cyclic_short_reduction_bytes = 2048;

int cyclic_doublings(int64_t members)
{
    int count = 0;

    while (INT64_C(1) << count < members)
        count++;
    return count;
}

/* A vector halved in every step, as by scatter and by allgather; from its slot or into it. */
static double halving_s(const struct cyclic_network *net, enum cyclic_step kind, double bytes)
{
    const int doublings = cyclic_doublings(net->rows);
    const uint64_t key = (uint64_t)bytes << 1 | (kind == CYCLIC_TREE);
    struct cyclic_halving *known = &net->halving[cyclic_slot_of(key, CYCLIC_HALVING_BITS)];
    double share = 1;

    if (known->bytes == bytes && known->kind == kind)
        return known->time_s;
    *known = (struct cyclic_halving){ .kind = kind, .bytes = bytes };
    for (int b = doublings; b-- > 0;) {
        share /= 2;
        known->time_s +=
            cyclic_step_s(net, CYCLIC_ALONG_COLUMNS, kind, INT64_C(1) << b, share * bytes);
    }
    return known->time_s;
}

/* Scattered and gathered by all, or combined in parts and gathered. */
static double twice_s(const struct cyclic_network *net, double bytes)
{
    return halving_s(net, CYCLIC_TREE, bytes) + halving_s(net, CYCLIC_EXCHANGE, bytes);
}

static double step_s(const struct cyclic_network *net, enum cyclic_step kind, int doubling,
                     double bytes)
{
    return cyclic_step_s(net, CYCLIC_ALONG_ROWS, kind, INT64_C(1) << doubling, bytes);
}

double cyclic_row_reduce_s(const struct cyclic_network *net, double bytes)
{
    const int doublings = cyclic_doublings(net->columns);
    const bool is_short = bytes <= cyclic_short_reduction_bytes;
    double sum = 0;

    for (int b = 0; b < doublings; b++)
        sum += is_short ? step_s(net, CYCLIC_TREE, b, bytes)
                        : step_s(net, CYCLIC_TREE, b, ldexp(bytes, b - doublings)) +
                              step_s(net, CYCLIC_EXCHANGE, b, ldexp(bytes, b - doublings));
    return sum;
}

static enum fr_broadcast_algorithm algorithm_of(const struct cyclic_network *net, double bytes)
{
    /* docs/models/dense.md#collectives: what MPI libraries do by default */
    const double short_bytes = 12288;
    const int64_t small_group = 8;
    const bool is_binomial = bytes <= short_bytes || net->rows < small_group;

    return fr_broadcast_chosen(net->run, bytes, is_binomial ? FR_BINOMIAL : FR_SCATTER_ALLGATHER);
}

double cyclic_broadcast_s(const struct cyclic_network *net, double bytes)
{
    const double members = (double)net->rows;

    if (net->rows == 1)
        return 0;
    switch (algorithm_of(net, bytes)) {
    case FR_SCATTER_ALLGATHER:
        return net->blacs_s + twice_s(net, bytes);
    case FR_SCATTER_RING:
        return net->blacs_s + halving_s(net, CYCLIC_TREE, bytes) +
               (members - 1) * cyclic_roll_s(net, CYCLIC_ALONG_COLUMNS,
                                             cyclic_share_in_step(net, CYCLIC_ALONG_COLUMNS),
                                             bytes / members);
    case FR_BINOMIAL:
        break;
    }
    return net->blacs_s + cyclic_tree_s(net, bytes);
}

bool cyclic_is_tree(const struct cyclic_network *net, double bytes)
{
    return algorithm_of(net, bytes) == FR_BINOMIAL;
}

double cyclic_reduce_s(const struct cyclic_network *net, double bytes)
{
    return bytes <= cyclic_short_reduction_bytes ? cyclic_tree_s(net, bytes) : twice_s(net, bytes);
}

double cyclic_combine_s(const struct cyclic_network *net)
{
    return cyclic_doublings(net->rows) * net->blacs_s + cyclic_tree_s(net, 16) +
           cyclic_broadcast_s(net, 16);
}
