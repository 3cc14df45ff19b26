/* Bandwidth by message size, from the times of the ping-pong. */

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

/* Limit of the models; every other size between powers of two is skipped. */
enum { POINTS_MAX = 40 };

static bool is_power_of_two(double bytes)
{
    const int64_t whole = (int64_t)bytes;

    return whole > 0 && (whole & (whole - 1)) == 0;
}

static void run(struct fr_context *context)
{
    const struct fr_pings *pings = &context->pings;
    const enum fr_path path = pings->has[FR_OFF_NODE] ? FR_OFF_NODE : FR_ON_NODE;
    double latency_s = 0;
    struct fr_calibration *found = &context->document->found;

    if (pings->count < 2) {
        fr_bench_say(context, "network.message_bandwidth: left out, too few sizes were measured");
        return;
    }
    if (context->world->rank)
        return;
    for (int i = 0; i < pings->count; i++) {
        const struct fr_ping *ping = &pings->ping[i];

        if (ping->message_bytes <= 1 && !(latency_s > 0))
            latency_s = ping->time_s[path];
        if (is_power_of_two(ping->message_bytes) &&
            found->network.message_bandwidth.points.count < POINTS_MAX)
            *FR_ADD_ROW(context->document, found->network.message_bandwidth.points) =
                (struct fr_bandwidth_point){ ping->message_bytes,
                                             ping->message_bytes / ping->time_s[path] };
    }
    found->network.message_bandwidth.kind = 1; /* effective */
    if (latency_s > 0)
        found->network.message_bandwidth.latency_s = latency_s;
    fr_document_source(
        context->document, "/network/message_bandwidth",
        fr_document_measured(pings->samples, pings->spread, "median of the best round"),
        "bytes divided by the time of a message, %s%s, with latency",
        fr_transfer_description(context->networking->transfer),
        path == FR_OFF_NODE ? " between two nodes" : " on one node");
}

const struct fr_bench fr_bench_message_bandwidth = {
    .name = "message_bandwidth",
    .group = "network",
    .summary = "bandwidth by message size, from the ping-pong",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
