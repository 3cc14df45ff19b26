/* Names of choices, warnings, phases and outputs that the Krylov models share. */
#include "engine/krylov/communication/krylov.h"

#include <math.h>

const char *const krylov_penalties[] = {
    [MAX_RATE] = "max_rate",
    [HOPS] = "hops",
    [CONGESTION] = "congestion",
    [CONGESTION_HOPS] = "congestion_hops",
    [SYNCHRONIZATION] = "synchronization",
    NULL,
};
const char *const krylov_hop_estimates[] = {
    [HOPS_BEST] = "best",
    [HOPS_AVERAGE] = "average",
    [HOPS_MAX] = "max",
    NULL,
};
const char *const krylov_hop_best_steps[] = {
    [STEP_DOUBLING] = "doubling",
    [STEP_UNIT] = "unit",
    NULL,
};
const char *const krylov_congestion_multipliers[] = {
    [MULTIPLIER_HOPS] = "hops",
    [MULTIPLIER_TILES] = "tiles",
    NULL,
};
const char *const krylov_actives[] = { [ACTIVE_ONE] = "one", [ACTIVE_ALL] = "all", NULL };
const char *const krylov_reductions[] = {
    [FLOPS_PER_ELEMENT] = "per_element",
    [FLOPS_PER_BYTE] = "per_byte",
    NULL,
};
const char *const krylov_roundings[] = {
    [ROUNDS_REAL] = "real",
    [ROUNDS_CEIL] = "ceil",
    [ROUNDS_LIBRARY] = "library",
    NULL,
};
const char *const krylov_routings[] = {
    [ROUTING_STATIC] = "static",
    [ROUTING_DYNAMIC] = "dynamic",
    NULL,
};
const char *const krylov_contention_models[] = {
    [KRYLOV_PAPER] = "paper",
    [KRYLOV_REFINED] = "refined",
    NULL,
};
const char *const krylov_processes[] = {
    [PROCESS_SLOWEST] = "slowest",
    [PROCESS_AVERAGE] = "average",
    NULL,
};
const char *const krylov_mappings[] = {
    [MAPPING_DEFAULT] = "default",
    [MAPPING_NODE_AWARE] = "node_aware",
    [MAPPING_TOPOLOGY_AWARE] = "topology_aware",
    NULL,
};

static void warn(struct fr_evaluation *run, enum fr_warning_code code)
{
    fr_warn(run->out, code, NULL, 1, 1, 1);
}

static void warn_oversubscribed(const struct krylov_values *v, struct fr_evaluation *run)
{
    const double cores = (double)run->cal->node.cores_per_node; /* 0: unknown */
    const double c = (double)v->processes_per_node;

    if (cores > 0 && c > cores)
        fr_warn(run->out, FR_WARN_OVERSUBSCRIBED, NULL, c, cores, cores);
}

/* Whether stalls are missed.  Where T_stall is unknown, none can be priced, and measured exchanges
 * contain the congestion of the job's own messages: then only who names the penalty misses it. */
static bool has_congestion(const struct krylov_values *v, const struct fr_calibration *cal)
{
    const bool is_default =
        v->contention_model == KRYLOV_REFINED && isnan(cal->network.stall_time_s);

    return krylov_has(v, CONGESTION) || (krylov_has(v, CONGESTION_HOPS) && !is_default);
}

void krylov_finish(const struct krylov_values *v, struct fr_evaluation *run)
{
    run->out->nodes = (double)v->nodes;
    run->out->processes = krylov_processes_of(v);
    warn_oversubscribed(v, run);
    if (v->nodes > 1 && v->is_allocation_assumed)
        warn(run, FR_WARN_ALLOCATION);
}

void krylov_warn_stalls(const struct krylov_values *v, struct fr_evaluation *run)
{
    if (v->nodes > 1 && isnan(v->stalls_per_byte) && has_congestion(v, run->cal))
        fr_warn_left_out(run->out, FR_WARN_STALL_RATE);
}

void krylov_finish_grid(const struct krylov_grid_values *v, struct fr_evaluation *run)
{
    krylov_finish(&v->common, run);
    run->out->vector[0] = v->layout.process_grid;
    run->out->vector[1] = v->layout.on_node_grid;
    if (v->mapping == MAPPING_TOPOLOGY_AWARE && run->cal->network.topology.type == FR_DRAGONFLY)
        warn(run, FR_WARN_TOPOLOGY_MAPPING);
}

void krylov_phases(const struct krylov_time *time, bool has_arithmetic, struct fr_evaluation *run)
{
    const double share = time->penalty_s > 0 ? fmin(1, time->hidden_s / time->penalty_s) : 0;
    /* Where all is hidden, the difference of sums would leave what they are rounded by. */
    const double moved_s = time->time_s > 0 ? fmax(0, time->hidden_s - time->penalty_s) : INFINITY;
    struct fr_prediction *out = run->out;

    fr_phase(out, "postal", FR_COMMUNICATION, time->postal_s, fmin(moved_s, time->postal_s));
    if (has_arithmetic)
        fr_phase(out, "arithmetic", FR_COMPUTATION, time->flop_s,
                 fmin(fmax(0, moved_s - time->postal_s), time->flop_s));
    if (time->links_s > 0) {
        fr_phase(out, "links", FR_COMMUNICATION, time->links_s, share * time->links_s);
        return;
    }
    fr_phase(out, "max_rate", FR_COMMUNICATION, time->max_rate_s, share * time->max_rate_s);
    fr_phase(out, "hops", FR_COMMUNICATION, time->hops_s, share * time->hops_s);
    fr_phase(out, "congestion", FR_COMMUNICATION, time->congestion_s, share * time->congestion_s);
}
