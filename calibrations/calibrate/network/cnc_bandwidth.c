/* The two bandwidths that the ranks of a node share in cnc_matmul: its memory carries blocks
 * between ranks of the node, its link carries blocks to other nodes.  Other benchmarks measure
 * both. */
#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

static void record_intra(struct fr_context *context)
{
    if (!(context->memory.node_bytes_per_s > 0))
        return;
    context->document->found.cnc.intra_node_bandwidth_bytes_per_s =
        context->memory.node_bytes_per_s;
    fr_document_source(
        context->document, "/cnc/intra_node_bandwidth_bytes_per_s",
        fr_document_measured(context->memory.samples, context->memory.spread, "median"),
        "memory.node_bandwidth_bytes_per_s; the ranks of a node exchange blocks through memory");
}

static void run_intra(struct fr_context *context)
{
    if (context->world->rank == 0)
        record_intra(context);
}

static void run_inter(struct fr_context *context)
{
    const struct fr_pings *pings = &context->pings;
    const struct fr_ping *longest = &pings->ping[pings->count - 1];

    if (context->world->hosts < 2) {
        fr_bench_missing(context, "cnc_inter_node", "all ranks are on one node");
        return;
    }
    if (context->world->rank || !pings->count || !pings->has[FR_OFF_NODE])
        return;
    context->document->found.cnc.inter_node_bandwidth_bytes_per_s =
        longest->message_bytes / longest->time_s[FR_OFF_NODE];
    fr_document_source(
        context->document, "/cnc/inter_node_bandwidth_bytes_per_s",
        fr_document_measured(pings->samples, pings->spread, "median of the best round"),
        "longest message between two nodes, %s, %.0f bytes",
        fr_transfer_description(context->networking->transfer), longest->message_bytes);
}

const struct fr_bench fr_bench_cnc_intra_node = {
    .name = "cnc_intra_node",
    .group = "cnc",
    .summary = "bandwidth between ranks of a node, from the memory bandwidth",
    .needs_ranks = 1,
    .after = "memory_bandwidth",
    .expected_s = fr_bench_no_time_s,
    .run = run_intra,
};

const struct fr_bench fr_bench_cnc_inter_node = {
    .name = "cnc_inter_node",
    .group = "cnc",
    .summary = "bandwidth between nodes, from the ping-pong",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run_inter,
};
