/* The time of a message from latency and inverse bandwidth of its protocol, alone
 * (docs/models/dense.md#messages-and-contention-factors) or sharing the network
 * (docs/models/dense.md#messages-under-contention). */
#include "engine/calibration/calibration.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/prediction.h"

#include <math.h>

const struct fr_link *fr_message_link(struct fr_evaluation *run, double bytes)
{
    const struct fr_calibration *cal = run->cal;
    const struct fr_protocol *protocol = cal->network.protocols.row;

    run->out->used |= FR_USE(PROTOCOLS);
    while (protocol->max_message_bytes < bytes)
        protocol++; /* the last one has no limit */
    return cal->has_off_node ? &protocol->off_node : &protocol->on_node;
}

double fr_message_s(struct fr_evaluation *run, double bytes)
{
    const struct fr_link *link = fr_message_link(run, bytes);

    return link->latency_s + link->inverse_bandwidth_s_per_byte * bytes;
}

double fr_contention_bytes(struct fr_evaluation *run)
{
    if (isnan(run->cal->contention.message_bytes))
        return INFINITY;
    run->out->used |= FR_USE(CONTENTION_BYTES);
    return run->cal->contention.message_bytes;
}

double fr_message_contended_s(struct fr_evaluation *run, double bytes, double factor,
                              double reference_bytes)
{
    const struct fr_link *link = fr_message_link(run, bytes);
    const struct fr_link *reference = fr_message_link(run, reference_bytes);

    return link->latency_s + fmax(link->inverse_bandwidth_s_per_byte,
                                  factor * reference->inverse_bandwidth_s_per_byte) *
                                 bytes;
}

enum fr_broadcast_algorithm fr_broadcast_chosen(struct fr_evaluation *run, double bytes,
                                                enum fr_broadcast_algorithm assumed)
{
    const struct fr_broadcast_choice *row = run->cal->network.broadcast.row;

    if (!run->cal->network.broadcast.count) {
        fr_warn(run->out, FR_WARN_BROADCAST, NULL, 1, 1, 1);
        return assumed;
    }
    run->out->used |= FR_USE(BROADCAST);
    while (row->max_message_bytes < bytes)
        row++; /* the last one has no limit */
    return (enum fr_broadcast_algorithm)row->algorithm;
}
