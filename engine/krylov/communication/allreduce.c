/* An allreduce: rounds of an exchange at distances 1, 2, 4, ..., with g messages each that do not
 * overlap (docs/models/krylov.md#allreduce). */
#include "engine/krylov/communication/krylov.h"

#include <math.h>

/* At most 30 rounds of all processes, one more on and off the node if both logarithms are real. */
enum { MOST_ROUNDS = 48 };

/* Messages to the process that is so many ranks away. */
struct round {
    double distance, messages;
    bool is_off_node;
};
struct rounds {
    double additions; /* rounds with an addition */
    bool has_fold;    /* messages of processes beyond a power of two */
    double on, off;   /* messages */
    size_t count;
    struct round row[MOST_ROUNDS];
};

static void add_round(struct rounds *rounds, double distance, double messages, bool is_off_node)
{
    rounds->row[rounds->count++] = (struct round){ distance, messages, is_off_node };
    *(is_off_node ? &rounds->off : &rounds->on) += messages;
}

/* Among the processes of a node, or among nodes: the last round counts by the fractional part of
 * the logarithm. */
static void add_rounds_among(const struct krylov_values *v, int64_t members, double distance,
                             bool is_off_node, struct rounds *rounds)
{
    const double n = log2((double)members), count = v->rounds == ROUNDS_CEIL ? ceil(n) : n;

    rounds->additions += count;
    for (int i = 0; i < count; i++)
        add_round(rounds, ldexp(distance, i),
                  (double)v->allreduce_messages_per_round * fmin(1, count - i), is_off_node);
}

/* Among all processes, as libraries do: those beyond a power of two hand their part to a neighbor
 * before, and get the result after. */
static void add_library_rounds(const struct krylov_values *v, struct rounds *rounds)
{
    const int64_t c = v->processes_per_node, P = v->nodes * c;
    int64_t distance = 1;

    for (; 2 * distance <= P; distance *= 2)
        add_round(rounds, (double)distance, (double)v->allreduce_messages_per_round, distance >= c);
    rounds->additions = (double)rounds->count;
    if (distance == P)
        return;
    add_round(rounds, 1, 2, c == 1);
    rounds->has_fold = true;
    rounds->additions += 1;
}

static struct rounds rounds_of(const struct krylov_values *v)
{
    struct rounds rounds = { 0 };

    if (v->rounds == ROUNDS_LIBRARY) {
        add_library_rounds(v, &rounds);
    } else {
        add_rounds_among(v, v->processes_per_node, 1, false, &rounds);
        add_rounds_among(v, v->nodes, (double)v->processes_per_node, true, &rounds);
    }
    return rounds;
}

/* F = e T_flop times the rounds (docs/models/krylov.md#decision-one-addition-for-each-double). */
static double flop_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                     double additions)
{
    const double e = v->reduction_flops == FLOPS_PER_BYTE ? bytes : bytes / 8;

    if (additions == 0)
        return 0;
    run->out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_PEAK);
    return e / run->cal->core_peak_flops_per_s * additions;
}

/* Measured exchanges price messages on the node as ones off it. */
static double exchange_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                         const struct rounds *rounds)
{
    double ratios = 0;

    if (rounds->has_fold && run->cal->fold.count)
        ratios = (rounds->on + rounds->off) * krylov_fold_ratio(v, run, bytes);
    else
        for (size_t i = 0; i < rounds->count; i++)
            ratios += rounds->row[i].messages *
                      krylov_exchange_ratio(v, run, bytes, rounds->row[i].distance);
    return ratios * krylov_postal(v, run, bytes, run->cal->has_off_node).postal_s;
}

static double postal_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                       const struct rounds *rounds)
{
    double sum_s = 0;

    if (rounds->count && krylov_has_exchange_table(v, run->cal))
        return exchange_s(v, run, bytes, rounds);
    if (rounds->on > 0)
        sum_s = rounds->on * krylov_postal(v, run, bytes, false).postal_s;
    if (rounds->off > 0)
        sum_s += rounds->off * krylov_postal(v, run, bytes, true).postal_s;
    return sum_s;
}

static double max_rate_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                         double a, const struct rounds *rounds)
{
    double sum_s = 0;

    if (!krylov_has(v, MAX_RATE))
        return 0;
    if (v->contention_model != KRYLOV_REFINED || !run->cal->average.count)
        return rounds->off * krylov_max_rate_s(v, run, bytes, a);
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->row[i].is_off_node)
            sum_s += rounds->row[i].messages *
                     krylov_contention_s(v, run, bytes, rounds->row[i].distance);
    return sum_s;
}

/* Every message pays L (docs/models/krylov.md#decision-every-allreduce-message-pays-for-hops).
 * Measured exchanges already contain hops and max-rate. */
static void charge_network(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           const struct rounds *rounds, struct krylov_time *time)
{
    const double a =
        v->allreduce_active_processes == ACTIVE_ALL ? (double)v->processes_per_node : 1;
    const struct krylov_distance distance = krylov_distance(v, run, true);

    time->hops = distance.hops;
    time->congestion_s = rounds->off * krylov_congestion_s(v, run, bytes, a, distance.hops);
    if (!krylov_has_exchange_table(v, run->cal)) {
        time->max_rate_s = max_rate_s(v, run, bytes, a, rounds);
        if (krylov_has(v, HOPS))
            time->hops_s = rounds->off * distance.latency_s;
    }
    time->penalty_s = time->max_rate_s + time->hops_s + time->congestion_s;
}

double krylov_allreduce_hidden_s(const struct krylov_values *v, const struct krylov_time *blocking,
                                 const struct krylov_overlap *overlap)
{
    const bool is_whole = overlap->progress == PROGRESS_ALL;

    if (overlap->is_blocking || !v->overlap)
        return 0;
    return fmin(is_whole ? blocking->time_s : blocking->penalty_s, overlap->seconds);
}

struct krylov_time krylov_allreduce(const struct krylov_values *v, struct fr_evaluation *run,
                                    double bytes, const struct krylov_overlap *overlap)
{
    const struct rounds rounds = rounds_of(v);
    struct krylov_time time = {
        .on_node_messages = rounds.on,
        .off_node_messages = rounds.off,
        .on_node_bytes = rounds.on * bytes,
        .off_node_bytes = rounds.off * bytes,
        .flop_s = flop_s(v, run, bytes, rounds.additions),
        .postal_s = postal_s(v, run, bytes, &rounds),
    };

    if (v->contention_model == KRYLOV_REFINED && rounds.count && !run->cal->exchange.count)
        fr_warn(run->out, FR_WARN_PATTERN, "exchange", 1, 1, 1);
    if (rounds.off > 0)
        charge_network(v, run, bytes, &rounds, &time);
    time.time_s = time.postal_s + time.flop_s + time.penalty_s;
    time.hidden_s = krylov_allreduce_hidden_s(v, &time, overlap);
    time.time_s -= time.hidden_s;
    return time;
}
