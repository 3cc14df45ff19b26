/* Bandwidth by message size, from the times of the ping-pong. */
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/networking.h"
#include "calibrations/calibrate/network/transfer.h"
#include "server/json/writer.h"

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
    const char *pointer = "/network/message_bandwidth";
    double latency_s = 0;
    struct fr_writer *out;
    int points = 0;

    if (pings->count < 2) {
        fr_bench_say(context, "network.message_bandwidth: left out, too few sizes were measured");
        return;
    }
    if (context->world->rank)
        return;
    out = fr_document_value(context->document, "/network/message_bandwidth/points");
    fr_json_array(out);
    for (int i = 0; i < pings->count; i++) {
        const struct fr_ping *ping = &pings->ping[i];

        if (ping->message_bytes <= 1 && !(latency_s > 0))
            latency_s = ping->time_s[path];
        if (!is_power_of_two(ping->message_bytes) || points == POINTS_MAX)
            continue;
        fr_json_object(out);
        fr_json_pair_number(out, "message_bytes", ping->message_bytes);
        fr_json_pair_number(out, "bandwidth_bytes_per_s", ping->message_bytes / ping->time_s[path]);
        fr_json_object_end(out);
        points++;
    }
    fr_json_array_end(out);
    fr_document_text(context->document, "/network/message_bandwidth/kind", "effective");
    if (latency_s > 0)
        fr_document_number(context->document, "/network/message_bandwidth/latency_s", latency_s);
    fr_document_source(
        context->document, pointer,
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
