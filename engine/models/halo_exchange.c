/* halo_exchange: every process of a structured grid swaps the faces of its part with its neighbours
 * (docs/models/krylov.md#halo-exchange). */
#include "engine/krylov/halo/halo.h"
#include "engine/prediction/model.h"

#include <inttypes.h>
#include <math.h>

struct halo_exchange {
    struct krylov_grid_values grid;
    int64_t dimensions;
    double message_bytes, overlap_s;
    int blocking, progress;
};

static const struct fr_param params[] = {
    FR_INT(struct halo_exchange, dimensions, .unit = "1", .min = 1, .max = 3, .fallback = 3,
           .flags = FR_DEFAULT, .doc = "Dimensions of the grid; two faces in each."),
    FR_REAL(struct halo_exchange, message_bytes, .unit = "bytes", .min = 0, .max = 1e15,
            .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_SCALED,
            .doc = "Bytes of each face; alternatively give local_grid."),
    FR_BOOL(struct halo_exchange, blocking, .unit = "", .fallback = 1,
            .flags = FR_DEFAULT | FR_TUNABLE,
            .doc = "Whether processes wait at once, or compute before they wait."),
    FR_REAL(struct halo_exchange, overlap_s, .unit = "s", .min = 0, .max = 1e9, .fallback = 0,
            .idle_with = "blocking", .idle_at = 1 << true, .flags = FR_DEFAULT | FR_SCALED,
            .doc = "Computation between the start and the wait of a non-blocking exchange."),
    FR_CHOICE_OF(struct halo_exchange, progress, .choices = krylov_progresses,
                 .choice_aliases = krylov_progress_aliases, .unit = "",
                 .fallback = PROGRESS_PENALTIES, .flags = FR_DEFAULT | FR_METHOD,
                 .doc = "What goes on while a process computes: penalties; also the transfer of "
                        "short and eager messages; or that of all messages."),
    KRYLOV_PARAMS(ROUNDS_REAL),
    KRYLOV_GRID_PARAMS(1, FR_AUTOMATIC | FR_OPTIONAL),
    KRYLOV_PROCESS_PARAM,
    FR_PARAMS_END,
};

#define CHOSEN(f, ...) FR_OWN_AS(struct krylov_halo, chosen.f, #f, __VA_ARGS__)

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s",
              .doc = "Time of the exchange for the chosen process, without computation."),
    FR_OWN(struct krylov_halo, time_average_s, .unit = "s",
           .doc = "Time of a process with the average number of messages of each kind."),
    FR_OWN(struct krylov_halo, time_slowest_s, .unit = "s", .doc = "Time of the slowest process."),
    FR_OUTPUT(hidden_s, .unit = "s", .doc = "Penalties that overlap with messages or computation."),
    FR_OUTPUT(communication_s, .unit = "s", .doc = "All messages, including hidden time."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes of the job."),
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the job."),
    KRYLOV_EXCHANGE(CHOSEN),
    KRYLOV_GRID_OUTPUTS,
    FR_OUTPUTS_END,
};

static unsigned needs(const void *values)
{
    (void)values;
    return FR_CAL_NETWORK;
}

static struct krylov_stencil stencil_of(const struct halo_exchange *v)
{
    return (struct krylov_stencil){
        .dimensions = (size_t)v->dimensions,
        .message_bytes = v->message_bytes,
        .values_per_point = 1,
        .local_grid = v->grid.local_grid,
    };
}

/* One of two parameters gives the sizes of the messages; the request wins over the saved run. */
static void check_sizes(struct halo_exchange *v, struct fr_faults *faults)
{
    const struct krylov_values *common = &v->grid.common;
    struct fr_vector *local = &v->grid.local_grid;
    bool has_bytes = !isnan(v->message_bytes);
    char text[80];

    if (local->count && krylov_is_from_run(common, "local_grid") &&
        ((has_bytes && !krylov_is_from_run(common, "message_bytes")) ||
         (int64_t)local->count != v->dimensions))
        local->count = 0;
    if (local->count && krylov_is_from_run(common, "message_bytes")) {
        v->message_bytes = NAN;
        has_bytes = false;
    }
    if ((local->count > 0) == has_bytes)
        fr_fault(faults, local->count ? FR_RELATION : FR_MISSING, "message_bytes",
                 "%s: message_bytes or local_grid gives the bytes of a face",
                 local->count ? "local_grid is given too; leave one of them out"
                              : "required, or local_grid");
    if (local->count && (int64_t)local->count != v->dimensions) {
        fr_vector_print(local, text, sizeof text);
        fr_fault(faults, FR_RELATION, "local_grid", "%s has %zu extents, but dimensions=%" PRId64,
                 text, local->count, v->dimensions);
    }
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct halo_exchange *v = values;
    struct krylov_stencil stencil;
    const struct krylov_rules rules = { .grid = &v->grid, .stencil = &stencil };
    const size_t before = faults->count;

    check_sizes(v, faults);
    stencil = stencil_of(v);
    krylov_resolve(&v->grid.common, cal, &rules, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct halo_exchange *v = values;
    const struct krylov_stencil stencil = stencil_of(v);
    const struct krylov_link_load load = krylov_known_load(&v->grid, &stencil, run);
    const struct krylov_overlap overlap = {
        .is_blocking = v->blocking,
        .seconds = v->overlap_s,
        .progress = v->progress,
        .load = &load,
    };
    const struct krylov_halo halo = krylov_halo_exchange(&v->grid, &stencil, run, &overlap);
    const double moved_s = fmax(0, halo.chosen.hidden_s - halo.chosen.penalty_s);
    const struct krylov_least least = krylov_least(&v->grid.common, run);

    krylov_phases(&halo.chosen, false, run);
    *FR_OWN_OF(struct krylov_halo, run->out) = halo;
    fr_bound(run->out, "network",
             fmax(0, krylov_halo_bound_s(&least, &halo.chosen, &load, run->cal) - moved_s));
    krylov_finish_grid(&v->grid, run);
    krylov_warn_stalls(&v->grid.common, run);
}

const struct fr_model fr_model_halo_exchange = {
    .name = "halo_exchange",
    .family = "krylov",
    .summary = "Exchange of faces on structured grids in one to three dimensions, with penalties "
               "for injection, distance and congestion.",
    .source = "Eller, Hoefler, Gropp: Using Performance Models to Understand Scalable Krylov "
              "Solver Performance at Scale for Structured Grid Problems, section 5",
    .assumes = FR_TEXTS(
        "All processes of a node send at the same time and share its bandwidth.",
        "The first message of a series pays for the distance to the neighbour, the others follow "
        "it; with contention_model=refined they cost the measured gap of contention.burst.",
        "Short and eager messages overlap: their penalties overlap with the latency and bandwidth "
        "of all but the first of them; rendezvous messages hide nothing.",
        "Penalties may overlap with computation; the transfer of messages does with progress=eager "
        "or all, latency never."),
    .blind_spots =
        FR_TEXTS("Packing and unpacking of faces, and matching of many messages.",
                 "The effect of the mapping on the stall rate, which only a saved run shows.",
                 "The sharing of the network among rendezvous messages.",
                 "The location of the nodes, beyond the extent of the allocation."),
    .groups = FR_CAL_NETWORK,
    .reads = { .required = FR_USE(PROTOCOLS),
               .helpful = FR_USE(NODE_BANDWIDTH) | FR_USE(INJECTION) | FR_USE(STALL_TIME) |
                          FR_USE(TOPOLOGY) | FR_USE(BURST) },
    .needs = needs,
    .cost = FR_LONG,
    .values_size = sizeof(struct halo_exchange),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .grows_with = FR_TEXTS("stalls_per_byte"),
    .set_run = krylov_set_run,
    .resolve = resolve,
    .predict = predict,
    .node_counts = krylov_grid_node_counts,
    .set_nodes = krylov_set_nodes,
};
