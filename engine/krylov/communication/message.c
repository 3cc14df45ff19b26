/* Cost of one message: protocol, postal cost, max-rate and congestion
 * (docs/models/krylov.md#one-message). */
#include "engine/krylov/communication/krylov.h"

#include <math.h>
#include <string.h>

bool krylov_has(const struct krylov_values *v, enum krylov_penalty penalty)
{
    return (unsigned)v->penalties & 1u << penalty;
}

/* The row that eager_limit_bytes changes: the one named eager, else the last that has a limit. */
static size_t eager_row(const struct fr_calibration *cal)
{
    const struct fr_protocol *row = cal->network.protocols.row;
    const size_t last = cal->network.protocols.count - 1;

    for (size_t i = 0; i < last; i++)
        if (row[i].name && strcmp(row[i].name, "eager") == 0)
            return i;
    return last - 1;
}

/* The first protocol with bytes <= limit
 * (docs/models/krylov.md#decision-inclusive-protocol-limits). A moved eager limit below the limits
 * of smaller protocols lowers these too. */
static const struct fr_protocol *protocol_of(const struct krylov_values *v,
                                             struct fr_evaluation *run, double bytes)
{
    const struct fr_protocol *protocol = run->cal->network.protocols.row;
    const bool is_moved = !isnan(v->eager_limit_bytes);
    const struct fr_protocol *eager = is_moved ? protocol + eager_row(run->cal) : NULL;

    run->out->used |= FR_USE(PROTOCOLS);
    for (;; protocol++) { /* the last row has no limit */
        double limit = protocol->max_message_bytes;

        if (protocol == eager)
            limit = v->eager_limit_bytes;
        else if (is_moved && protocol < eager)
            limit = fmin(limit, v->eager_limit_bytes);
        if (bytes <= limit)
            return protocol;
    }
}

struct krylov_message krylov_postal(const struct krylov_values *v, struct fr_evaluation *run,
                                    double bytes, bool is_off_node)
{
    const struct fr_protocol *protocol = protocol_of(v, run, bytes);
    const struct fr_link *link = is_off_node ? &protocol->off_node : &protocol->on_node;

    return (struct krylov_message){
        .latency_s = link->latency_s,
        .postal_s = link->latency_s + link->inverse_bandwidth_s_per_byte * bytes,
        .is_pipelined = protocol->pipelined == 1,
    };
}

double krylov_inverse_bandwidth(const struct krylov_values *v, struct fr_evaluation *run,
                                double bytes)
{
    return protocol_of(v, run, bytes)->off_node.inverse_bandwidth_s_per_byte;
}

/* M = n max(0, a/B_node - beta). */
double krylov_max_rate_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                         double active)
{
    const double B_node = run->cal->network.node_bandwidth_bytes_per_s;

    if (!krylov_has(v, MAX_RATE))
        return 0;
    run->out->used |= FR_USE(NODE_BANDWIDTH);
    return bytes * fmax(0, active / B_node - krylov_inverse_bandwidth(v, run, bytes));
}

/* s; 0 without congestion, and where s is unknown unless that is weighed. */
static double stalls_per_byte(const struct krylov_values *v, const struct fr_evaluation *run)
{
    if (!krylov_has(v, CONGESTION) && !krylov_has(v, CONGESTION_HOPS))
        return 0;
    return isnan(v->stalls_per_byte) ? fr_left_out(run->out, FR_WARN_STALL_RATE)
                                     : v->stalls_per_byte;
}

/* C = s n a T_stall k (docs/models/krylov.md#decision-congestion-without-hops). */
double krylov_congestion_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           double active, double hops)
{
    const double stalls = stalls_per_byte(v, run);
    double k = 1;

    if (stalls <= 0)
        return 0;
    if (krylov_has(v, CONGESTION_HOPS))
        k = v->congestion_multiplier == MULTIPLIER_TILES ? hops + 1 : fmax(1, hops);
    run->out->used |= FR_USE(STALL_TIME);
    return stalls * bytes * active * run->cal->network.stall_time_s * k;
}

bool krylov_is_congested(const struct krylov_values *v)
{
    return (krylov_has(v, CONGESTION) || krylov_has(v, CONGESTION_HOPS)) && v->stalls_per_byte > 0;
}
