/* allreduce: cost of the messages of an allreduce, with penalties for a shared and busy network
 * (docs/models/krylov.md#allreduce). */
#include "engine/krylov/halo/halo.h"
#include "engine/prediction/model.h"

#include <math.h>

struct allreduce {
    struct krylov_values common;
    double message_bytes, overlap_s;
    int blocking, progress;
};

static const struct fr_param params[] = {
    FR_REAL(struct allreduce, message_bytes, .unit = "bytes", .min = 0, .max = 1e15,
            .flags = FR_REQUIRED | FR_SCALED, .doc = "Bytes contributed by each process."),
    FR_BOOL(struct allreduce, blocking, .unit = "", .fallback = 1, .flags = FR_DEFAULT | FR_TUNABLE,
            .doc = "MPI_Allreduce, or MPI_Iallreduce with computation before the wait."),
    FR_REAL(struct allreduce, overlap_s, .unit = "s", .min = 0, .max = 1e9, .fallback = 0,
            .idle_with = "blocking", .idle_at = 1 << true, .flags = FR_DEFAULT | FR_SCALED,
            .doc = "Computation between the start and the wait of a non-blocking allreduce."),
    FR_CHOICE_OF(struct allreduce, progress, .choices = krylov_progresses,
                 .choice_aliases = krylov_progress_aliases, .unit = "",
                 .fallback = PROGRESS_PENALTIES, .flags = FR_DEFAULT | FR_METHOD,
                 .doc = "What goes on while a process computes: penalties alone; with all, the "
                        "whole allreduce."),
    KRYLOV_PARAMS(ROUNDS_REAL),
    FR_PARAMS_END,
};

#define OWN(f, ...) FR_OWN(struct krylov_time, f, __VA_ARGS__)

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s",
              .doc = "Time of the allreduce without the computation that overlaps with it."),
    FR_OUTPUT(hidden_s, .unit = "s", .doc = "Penalties that overlap with computation."),
    FR_OUTPUT(computation_s, .unit = "s", .doc = "Additions of the reduction."),
    FR_OUTPUT(communication_s, .unit = "s", .doc = "All messages, including hidden time."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes of the job."),
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the job."),
    KRYLOV_EXCHANGE(OWN),
    OWN(flop_s, .unit = "s", .doc = "Additions of the reduction."),
    FR_OUTPUTS_END,
};

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct allreduce *v = values;
    const struct krylov_rules rules = { .has_allreduce = true };

    return krylov_resolve(&v->common, cal, &rules, faults);
}

static void bound(const struct allreduce *v, const struct krylov_time *time,
                  struct fr_evaluation *run)
{
    const double moved_s = fmax(0, time->hidden_s - time->penalty_s);
    const struct krylov_least least = krylov_least(&v->common, run);
    const struct krylov_allreduce_bound of =
        krylov_allreduce_bound(&v->common, &least, run->cal, v->message_bytes);

    fr_bound(run->out, "critical_path", fmax(0, of.critical_path_s - moved_s));
    fr_bound(run->out, "network", fmax(0, of.network_s - moved_s));
    fr_bound(run->out, "work", fmax(0, of.work_s - moved_s));
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct allreduce *v = values;
    const struct krylov_overlap overlap = {
        .is_blocking = v->blocking,
        .seconds = v->overlap_s,
        .progress = v->progress,
    };
    const struct krylov_time time = krylov_allreduce(&v->common, run, v->message_bytes, &overlap);

    krylov_phases(&time, true, run);
    *FR_OWN_OF(struct krylov_time, run->out) = time;
    bound(v, &time, run);
    krylov_finish(&v->common, run);
    krylov_warn_stalls(&v->common, run);
}

const struct fr_model fr_model_allreduce = {
    .name = "allreduce",
    .family = "krylov",
    .summary = "Allreduce over nodes and their processes, with penalties for injection, distance "
               "and congestion.",
    .source = "Eller, Hoefler, Gropp: Using Performance Models to Understand Scalable Krylov "
              "Solver Performance at Scale for Structured Grid Problems, section 5",
    .assumes = FR_TEXTS(
        "The processes of a node reduce among themselves, then one process of each node takes part "
        "in recursive doubling.",
        "A round has two messages that do not overlap, or allreduce_messages_per_round; the "
        "logarithms of node and process counts may be fractional (rounds).",
        "Penalties may overlap with computation; latency and bandwidth do with progress=all alone.",
        "Each double costs one addition at the peak rate of a core."),
    .blind_spots = FR_TEXTS(
        "Waiting for processes that arrive late: cg has a synchronization penalty.",
        "Other algorithms of MPI_Allreduce, such as that of Rabenseifner for long vectors.",
        "Noise, and other jobs except through the stall rate.",
        "The location of the nodes, beyond the extent of the allocation."),
    .groups = FR_CAL_NODE | FR_CAL_NETWORK,
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(PROTOCOLS),
               .helpful = FR_USE(NODE_BANDWIDTH) | FR_USE(STALL_TIME) | FR_USE(TOPOLOGY) |
                          FR_USE(EXCHANGE) | FR_USE(FOLD) },
    .cost = FR_CLOSED_FORM,
    .values_size = sizeof(struct allreduce),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .grows_with = FR_TEXTS("stalls_per_byte"),
    .set_run = krylov_set_run,
    .resolve = resolve,
    .predict = predict,
    .node_counts = krylov_node_counts,
    .set_nodes = krylov_set_nodes,
};
