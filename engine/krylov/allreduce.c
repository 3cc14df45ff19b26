/* An allreduce: a reduction on each node, then recursive doubling among one process of each node,
 * with g messages a round that do not overlap (docs/models/krylov.md#allreduce). */
#include "engine/krylov/refined.h"

#include <math.h>

static double rounds_among(const struct krylov_values *v, int64_t members)
{
    const double n = log2((double)members);

    return v->rounds == ROUNDS_CEIL ? ceil(n) : n;
}

/* F = e T_flop (n_on + n_off)
 * (docs/models/krylov.md#decision-one-addition-for-each-double). */
static double flop_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                     double rounds)
{
    const double e = v->reduction_flops == FLOPS_PER_BYTE ? bytes : bytes / 8;

    if (rounds == 0)
        return 0;
    run->out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_PEAK);
    return e / run->cal->core_peak_flops_per_s * rounds;
}

/* n_on rounds on the node and n_off rounds off it, with g messages in each. */
struct rounds {
    double g, n_on, n_off;
};

static double postal_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                       const struct rounds *of)
{
    double sum_s = 0;

    if (krylov_has_exchange_table(v, run->cal))
        return of->g * krylov_exchange_rounds_s(v, run, bytes, of->n_on, of->n_off);
    if (of->n_on > 0)
        sum_s = of->g * of->n_on * krylov_postal(v, run, bytes, false).postal_s;
    if (of->n_off > 0)
        sum_s += of->g * of->n_off * krylov_postal(v, run, bytes, true).postal_s;
    return sum_s;
}

static double max_rate_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                         double a, const struct rounds *of)
{
    if (!krylov_has(v, MAX_RATE))
        return 0;
    if (v->contention_model == KRYLOV_REFINED && run->cal->average.count)
        return of->g * krylov_round_contention_s(v, run, bytes, of->n_off);
    return of->g * of->n_off * krylov_max_rate_s(v, run, bytes, a);
}

/* Every message pays L (docs/models/krylov.md#decision-every-allreduce-message-pays-for-hops).
 * Measured exchanges already contain hops and max-rate. */
static void charge_network(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           const struct rounds *of, struct krylov_time *time)
{
    const double a =
        v->allreduce_active_processes == ACTIVE_ALL ? (double)v->processes_per_node : 1;
    const double messages = of->g * of->n_off;
    const struct krylov_distance distance = krylov_distance(v, run, true);

    time->hops = distance.hops;
    time->congestion_s = messages * krylov_congestion_s(v, run, bytes, a, distance.hops);
    if (!krylov_has_exchange_table(v, run->cal)) {
        time->max_rate_s = max_rate_s(v, run, bytes, a, of);
        if (krylov_has(v, HOPS))
            time->hops_s = messages * distance.latency_s;
    }
    time->penalty_s = time->max_rate_s + time->hops_s + time->congestion_s;
}

struct krylov_time krylov_allreduce(const struct krylov_values *v, struct fr_evaluation *run,
                                    double bytes, bool is_blocking, double overlap_s)
{
    const struct rounds of = {
        (double)v->allreduce_messages_per_round,
        rounds_among(v, v->processes_per_node),
        rounds_among(v, v->nodes),
    };
    struct krylov_time time = {
        .on_node_messages = of.g * of.n_on,
        .off_node_messages = of.g * of.n_off,
        .on_node_bytes = of.g * of.n_on * bytes,
        .off_node_bytes = of.g * of.n_off * bytes,
        .flop_s = flop_s(v, run, bytes, of.n_on + of.n_off),
        .postal_s = postal_s(v, run, bytes, &of),
    };

    if (v->contention_model == KRYLOV_REFINED && of.n_on + of.n_off > 0 &&
        !run->cal->exchange.count)
        fr_warn(run->out, FR_WARN_PATTERN, "exchange", 1, 1, 1);
    if (of.n_off > 0)
        charge_network(v, run, bytes, &of, &time);
    if (!is_blocking && v->overlap)
        time.hidden_s = fmin(time.penalty_s, overlap_s);
    time.time_s = time.postal_s + time.flop_s + (time.penalty_s - time.hidden_s);
    return time;
}
