/* An allreduce: a reduction on each node, then recursive doubling among one process of each; two
 * messages a round that do not overlap (krylov.md 5). */
#include "krylov/krylov.h"

#include <math.h>

static double rounds(const struct krylov_values *v, int64_t members)
{
    const double n = log2((double)members);

    return v->rounds == ROUNDS_CEIL ? ceil(n) : n;
}

/* F = e T_flop (n_on + n_off). */
static double flop_s(const struct krylov_values *v, struct fr_run *run, double bytes, double rounds)
{
    const double e = v->reduction_flops == FLOPS_PER_BYTE ? bytes : bytes / 8;

    if (rounds == 0)
        return 0;
    run->out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_PEAK);
    return e / run->cal->core_peak_flops_per_s * rounds;
}

/* Every message pays L: rounds depend on each other (D11). */
static void charge_network(const struct krylov_values *v, struct fr_run *run, double bytes,
                           double messages, struct krylov_time *time)
{
    const double a =
        v->allreduce_active_processes == ACTIVE_ALL ? (double)v->processes_per_node : 1;
    const struct krylov_way way = krylov_way(v, run, true);

    time->hops = way.hops;
    time->postal_s += messages * krylov_postal(v, run, bytes, true).postal_s;
    time->max_rate_s = messages * krylov_max_rate_s(v, run, bytes, a);
    time->congestion_s = messages * krylov_congestion_s(v, run, bytes, a, way.hops);
    if (krylov_has(v, HOPS))
        time->hops_s = messages * way.latency_s;
    time->penalty_s = time->max_rate_s + time->hops_s + time->congestion_s;
}

struct krylov_time krylov_allreduce(const struct krylov_values *v, struct fr_run *run, double bytes,
                                    bool is_blocking, double overlap_s)
{
    const double n_on = rounds(v, v->processes_per_node), n_off = rounds(v, v->nodes);
    struct krylov_time time = {
        .on_node_messages = 2 * n_on,
        .off_node_messages = 2 * n_off,
        .on_node_bytes = 2 * n_on * bytes,
        .off_node_bytes = 2 * n_off * bytes,
        .flop_s = flop_s(v, run, bytes, n_on + n_off),
    };

    if (n_on > 0)
        time.postal_s = 2 * n_on * krylov_postal(v, run, bytes, false).postal_s;
    if (n_off > 0)
        charge_network(v, run, bytes, 2 * n_off, &time);
    if (!is_blocking && v->overlap)
        time.hidden_s = fmin(time.penalty_s, overlap_s);
    time.time_s = time.postal_s + time.flop_s + (time.penalty_s - time.hidden_s);
    return time;
}
