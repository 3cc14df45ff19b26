/* Lower bounds by the least latency, the least time of a byte and the least measured ratios. */
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/links/links.h"

#include <math.h>

/* Infinite for a link without use.  One that was not measured is NaN, which fmin passes over. */
static struct fr_link least_of(const struct fr_calibration *cal, bool is_off_node, bool is_used)
{
    struct fr_link least = { INFINITY, INFINITY };

    for (size_t i = 0; is_used && i < cal->network.protocols.count; i++) {
        const struct fr_protocol *row = &cal->network.protocols.row[i];
        const struct fr_link *link = is_off_node ? &row->off_node : &row->on_node;

        least.latency_s = fmin(least.latency_s, link->latency_s);
        least.inverse_bandwidth_s_per_byte =
            fmin(least.inverse_bandwidth_s_per_byte, link->inverse_bandwidth_s_per_byte);
    }
    return least;
}

/* Measured exchanges price messages on the node as ones off it, so both links count with them. */
struct krylov_least krylov_least(const struct krylov_values *v, struct fr_evaluation *run)
{
    const bool has_table = krylov_has_exchange_table(v, run->cal);
    const struct fr_link on = least_of(run->cal, false, v->processes_per_node > 1 || has_table);
    const struct fr_link off = least_of(run->cal, true, v->nodes > 1 || has_table);

    return (struct krylov_least){
        .latency_s = fmin(on.latency_s, off.latency_s),
        .on_node_s_per_byte = on.inverse_bandwidth_s_per_byte,
        .off_node_s_per_byte = off.inverse_bandwidth_s_per_byte,
        .exchange_share = krylov_least_exchange_ratio(v, run),
        .burst_share = krylov_least_burst_ratio(v, run),
    };
}

struct krylov_allreduce_bound krylov_allreduce_bound(const struct krylov_values *v,
                                                     const struct krylov_least *least,
                                                     const struct fr_calibration *cal, double bytes)
{
    const double P = krylov_processes_of(v);
    const double byte_s = fmin(least->on_node_s_per_byte, least->off_node_s_per_byte);

    if (P == 1)
        return (struct krylov_allreduce_bound){ 0 };
    return (struct krylov_allreduce_bound){
        .critical_path_s = log2(P) * least->exchange_share * least->latency_s,
        .network_s = 2 * (P - 1) / P * bytes * least->exchange_share * byte_s,
        .work_s = (P - 1) / P * bytes / 8 / cal->core_peak_flops_per_s,
    };
}

static double transfer_s(double bytes, double byte_s)
{
    return bytes > 0 ? bytes * byte_s : 0;
}

static double alone_s(const struct krylov_least *least, const struct krylov_time *halo,
                      double first)
{
    return least->burst_share *
           (first * least->latency_s + transfer_s(halo->on_node_bytes, least->on_node_s_per_byte) +
            transfer_s(halo->off_node_bytes, least->off_node_s_per_byte));
}

static double shared_s(const struct krylov_least *least, const struct krylov_time *halo,
                       double first, const struct fr_calibration *cal)
{
    const double out_bytes_per_s = isnan(cal->network.injection_bandwidth_bytes_per_s)
                                       ? cal->network.node_bandwidth_bytes_per_s
                                       : cal->network.injection_bandwidth_bytes_per_s;

    return first * least->latency_s +
           fmax(transfer_s(halo->on_node_bytes, least->on_node_s_per_byte),
                halo->off_node_bytes / out_bytes_per_s);
}

double krylov_halo_bound_s(const struct krylov_least *least, const struct krylov_time *halo,
                           const struct krylov_link_load *load, const struct fr_calibration *cal)
{
    const double first = fmin(1, halo->on_node_messages + halo->off_node_messages);

    if (first == 0)
        return 0;
    return isnan(load->link_s) ? alone_s(least, halo, first) : shared_s(least, halo, first, cal);
}
