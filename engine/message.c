/* What an uncontended message costs: latency and inverse bandwidth of the protocol that carries it
 * (dense-distributed.md 3, krylov.md 3). */
#include "forerun.h"

double fr_message_s(struct fr_run *run, double bytes)
{
    const struct fr_calibration *cal = run->cal;
    const struct fr_protocol *protocol = cal->network.protocols.row;
    const struct fr_link *link;

    run->out->used |= FR_USE(PROTOCOLS);
    while (protocol->max_message_bytes < bytes)
        protocol++; /* the last one has no limit */
    link = cal->has_off_node ? &protocol->off_node : &protocol->on_node;
    return link->latency_s + link->inverse_bandwidth_s_per_byte * bytes;
}
