/* Gathers one value of each node and compares the nodes. */
#include "calibrations/calibrate/core/bench.h"

#include <math.h>
#include <stdio.h>

static const double most_difference = 0.1;

struct fr_nodes fr_nodes_gather(const struct fr_context *context, double own)
{
    const struct fr_world *world = context->world;
    double *value = fr_world_record((size_t)world->size, sizeof *value);
    struct fr_nodes nodes = { .median = NAN, .lowest = NAN, .highest = NAN };

    if (world->node_rank)
        own = NAN;
    MPI_Allgather(&own, 1, MPI_DOUBLE, value, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < world->size; i++)
        if (!isnan(value[i]))
            value[nodes.count++] = value[i];
    if (nodes.count) {
        nodes.median = fr_sample_median(value, nodes.count); /* which sorts */
        nodes.lowest = value[0];
        nodes.highest = value[nodes.count - 1];
    }
    fr_record_free(value);
    return nodes;
}

double fr_nodes_difference(const struct fr_nodes *nodes)
{
    return nodes->count > 1 ? (nodes->highest - nodes->lowest) / nodes->median : 0;
}

const char *fr_nodes_text(const struct fr_nodes *nodes, char out[FR_NODES_TEXT_BYTES])
{
    *out = '\0';
    if (nodes->count > 1)
        snprintf(out, FR_NODES_TEXT_BYTES, ", median of %d nodes that differ by %.1f %%",
                 nodes->count, 100 * fr_nodes_difference(nodes));
    return out;
}

void fr_nodes_check(struct fr_context *context, const char *what, const struct fr_nodes *nodes)
{
    if (fr_nodes_difference(nodes) > most_difference)
        fr_bench_warn(context, "%s: the nodes differ by %.0f %%", what,
                      100 * fr_nodes_difference(nodes));
}
