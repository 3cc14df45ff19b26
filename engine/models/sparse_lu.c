/* sparse_lu: right-looking supernodal LU factorization with static pivoting and a look-ahead of one
 * step, as in SuperLU_DIST, simulated on the block structure of a matrix
 * (docs/models/sparse_lu.md#what-is-modelled).
 *
 * The work of each process in each step is counted through simulated caches (kernel model `paper`)
 * or looked up in measured tables (`calibrated`); then the clocks of all processes advance through
 * the steps.
 */
#include "engine/prediction/model.h"
#include "engine/sparse/machine.h"
#include "engine/sparse/orderings.h"
#include "engine/sparse/simulate.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum kernel_model { PAPER, CALIBRATED };
enum eq14_order { BY_SUPERNODES, BY_ORDER };

static const char *const kernel_models[] = { "paper", "calibrated", NULL };
static const char *const overlaps[] = { "paper", "event", NULL };
static const char *const destinations[] = { "block", "touched", NULL };
static const char *const ways_to_count[] = { "ratio", "exact", NULL };
static const char *const eq14_orders[] = { "supernodes", "order", NULL };

struct sparse_lu {
    const struct fr_structure_source *source; /* NULL: none is available */
    const struct sparse_structure *structure; /* set by resolve */
    int64_t processes, nodes, cores, process_rows, process_columns, messages_per_panel;
    double dtrsv_loads_linear;
    int ordering, kernel_model, overlap, dest_lines, dgemm_counts, count_scatter, eq14_n;
    struct fr_words matrix;
};

/* ---- parameters ----------------------------------------------------------------------------- */

/* The number of processes if the request determines it, otherwise 0. */
static int64_t processes_of(const struct sparse_lu *v, const struct fr_calibration *cal)
{
    if (v->processes != FR_OPEN_INT)
        return v->processes;
    if (v->cores != FR_OPEN_INT)
        return v->cores;
    if (v->nodes != FR_OPEN_INT && v->nodes <= SPARSE_MAX_PROCESSES)
        return v->nodes * cal->node.cores_per_node;
    return 0;
}

/* The row counts of all grids of these processes. */
static size_t row_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                             size_t capacity)
{
    const int64_t processes = processes_of(values, cal);
    size_t count = 0;

    for (int64_t rows = 1; rows <= processes && rows <= SPARSE_MAX_PROCESSES; rows++)
        if (processes % rows == 0 && count < capacity)
            out[count++] = rows;
    /* If no grid fits, 1: resolve then reports why. */
    if (!count && capacity)
        out[count++] = 1;
    return count;
}

#define METHOD .flags = FR_DEFAULT | FR_METHOD
static const struct fr_param params[] = {
    FR_TEXT(struct sparse_lu, matrix, .unit = "", .flags = FR_REQUIRED | FR_NAME,
            .doc = "Id or name of an analyzed matrix; or a structure in the body of a batch."),
    FR_CHOICE_OF(struct sparse_lu, ordering, .choices = sparse_orderings, .unit = "", .fallback = 0,
                 .flags = FR_DEFAULT | FR_TUNABLE,
                 .doc = "Ordering of the columns, which determines the fill."),
    FR_INT(struct sparse_lu, process_rows, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .flags = FR_TUNABLE, .candidates = row_candidates, .doc = "Rows of the process grid."),
    FR_INT(struct sparse_lu, processes, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of process_columns: total processes, a multiple of process_rows."),
    FR_INT(struct sparse_lu, process_columns, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .doc = "Columns of the process grid."),
    FR_INT(struct sparse_lu, cores, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: total cores, one process on each."),
    FR_INT(struct sparse_lu, nodes, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: whole nodes, one process on each core."),
    FR_CHOICE_OF(struct sparse_lu, kernel_model, .choices = kernel_models, .unit = "",
                 .flags = FR_AUTOMATIC | FR_METHOD,
                 .doc =
                     "paper: operations, loads, stores and misses times their costs; calibrated: "
                     "measured tables; automatic: calibrated if the calibration has sparse.fit."),
    FR_CHOICE_OF(struct sparse_lu, overlap, .choices = overlaps, .unit = "",
                 .fallback = SPARSE_PAPER, METHOD,
                 .doc = "paper: processes that exchange a panel wait for each other; event: "
                        "only receivers wait, for their sender."),
    FR_CHOICE_OF(struct sparse_lu, dest_lines, .choices = destinations, .unit = "",
                 .fallback = SPARSE_WHOLE_BLOCK, METHOD,
                 .doc = "Cache lines of its destination that an update accesses (paper)."),
    FR_CHOICE_OF(struct sparse_lu, dgemm_counts, .choices = ways_to_count, .unit = "",
                 .fallback = SPARSE_RATIO, METHOD,
                 .doc = "Whether partial blocks of dgemm count as fractions (ratio) or as whole "
                        "blocks (exact) (paper)."),
    FR_REAL(struct sparse_lu, dtrsv_loads_linear, .unit = "1", .min = 0, .max = 100, .fallback = 2,
            METHOD, .doc = "Linear term of the loads of dtrsv, eq. 9; 1.5 as printed (paper)."),
    FR_BOOL(struct sparse_lu, count_scatter, .unit = "", .fallback = 0, METHOD,
            .doc = "Whether to count the subtraction of a product from its block (paper)."),
    FR_INT(struct sparse_lu, messages_per_panel, .unit = "1", .min = 1, .max = 2, .fallback = 1,
           METHOD, .doc = "1, or 2: indices and values separately, as the library sends them."),
    FR_CHOICE_OF(struct sparse_lu, eq14_n, .choices = eq14_orders, .unit = "",
                 .fallback = BY_SUPERNODES, METHOD,
                 .doc = "N in the analytic time: number of supernodes, or order of the matrix."),
    FR_PARAMS_END,
};

/* ---- outputs -------------------------------------------------------------------------------- */

enum {
    EXTRA_COMPUTATION,
    EXTRA_COMMUNICATION,
    EXTRA_LOAD_BALANCE,
    EXTRA_SPEEDUP,
    EXTRA_EFFICIENCY,
    EXTRA_SEQUENTIAL,
    EXTRA_SEQUENTIAL_UPPER,
    EXTRA_ANALYTIC,
    EXTRA_MESSAGES,
    EXTRA_MESSAGE_BYTES,
    EXTRA_UPDATES,
    EXTRA_SUPERNODES,
    EXTRA_NNZ_LU,
    EXTRA_FILL,
    EXTRA_LOADS,
    EXTRA_STORES,
    EXTRA_MISSES,
    EXTRA_MISSES_LOWER = EXTRA_MISSES + SPARSE_MAX_LEVELS,
    EXTRA_MISSES_UPPER,
    EXTRA_MISSES_LOWER_PAPER,
    EXTRA_MISSES_UPPER_PAPER,
    EXTRA_FLOPS_BOUND,
    EXTRA_MEMORY_BOUND,
    EXTRAS
};
static_assert((int)EXTRAS <= (int)FR_MAX_EXTRA, "more outputs than a prediction can hold");

#define MISSES(q, name)                                               \
    FR_EXTRA(EXTRA_MISSES + (q), "cache_misses." #q, .unit = "lines", \
             .doc = "Misses of the " name " cache level, of all processes.")

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s",
              .doc = "Time of the factorization, until the last process ends."),
    FR_OUTPUT(flops, .unit = "flop", .doc = "Useful operations of the factorization."),
    FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "Useful operations per second."),
    FR_OUTPUT(percent_of_peak, .unit = "%", .doc = "Rate relative to the peak of the cores."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the grid."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes for these processes, one on each core."),
    FR_OUTPUT(memory_bytes_per_process, .unit = "bytes",
              .doc = "Blocks of L and U and buffers of the process that needs most."),
    FR_OUTPUT(memory_limit_bytes_per_process, .unit = "bytes",
              .doc = "Memory of a node divided by the processes on it."),
    FR_OUTPUT(communication_bytes_per_process, .unit = "bytes",
              .doc = "Bytes that a process sends, on average."),
    FR_EXTRA(EXTRA_COMPUTATION, "critical_path_computation_s", .unit = "s",
             .doc = "Computation on the path to the end of the last process."),
    FR_EXTRA(EXTRA_COMMUNICATION, "critical_path_communication_s", .unit = "s",
             .doc = "Communication on that path."),
    FR_EXTRA(EXTRA_LOAD_BALANCE, "load_balance_factor", .unit = "1",
             .doc = "Sum of the largest load of each step over the mean load; 1 is balanced."),
    FR_EXTRA(EXTRA_SPEEDUP, "speedup", .unit = "1", .doc = "Sequential time over time."),
    FR_EXTRA(EXTRA_EFFICIENCY, "parallel_efficiency_fraction", .unit = "1",
             .doc = "Speedup over processes."),
    FR_EXTRA(EXTRA_SEQUENTIAL, "sequential_time_s", .unit = "s",
             .doc = "Time on one process (eq. 13, or the sum of the measured kernels)."),
    FR_EXTRA(EXTRA_SEQUENTIAL_UPPER, "sequential_time_upper_s", .unit = "s",
             .doc = "Time on one process if every access to memory misses the TLB."),
    FR_EXTRA(EXTRA_ANALYTIC, "analytic_time_s", .unit = "s",
             .doc = "Time without a simulation (eq. 14)."),
    FR_EXTRA(EXTRA_MESSAGES, "messages", .unit = "1", .doc = "Messages of all processes."),
    FR_EXTRA(EXTRA_MESSAGE_BYTES, "message_bytes", .unit = "bytes",
             .doc = "Bytes of all messages."),
    FR_EXTRA(EXTRA_UPDATES, "updates", .unit = "1", .doc = "Updates of a block by two blocks."),
    FR_EXTRA(EXTRA_SUPERNODES, "supernodes", .unit = "1", .doc = "Block columns."),
    FR_EXTRA(EXTRA_NNZ_LU, "nnz_lu", .unit = "1",
             .doc = "Entries of L + U, with full diagonal blocks."),
    FR_EXTRA(EXTRA_FILL, "fill", .unit = "1",
             .doc = "Entries of L + U over the entries of the matrix, if these are known."),
    FR_EXTRA(EXTRA_LOADS, "loads", .unit = "1", .doc = "Loads of all processes (paper)."),
    FR_EXTRA(EXTRA_STORES, "stores", .unit = "1", .doc = "Stores of all processes (paper)."),
    MISSES(0, "innermost"),
    MISSES(1, "second"),
    MISSES(2, "third"),
    MISSES(3, "fourth"),
    FR_EXTRA(EXTRA_MISSES_LOWER, "cache_misses_lower", .unit = "lines",
             .doc = "Lower bound on the simulated misses of a single process in any level."),
    FR_EXTRA(EXTRA_MISSES_UPPER, "cache_misses_upper", .unit = "lines",
             .doc = "Upper bound on these misses."),
    FR_EXTRA(EXTRA_MISSES_LOWER_PAPER, "cache_misses_lower_paper", .unit = "lines",
             .doc = "The paper's low estimate of these misses (eq. 11); no bound on them."),
    FR_EXTRA(EXTRA_MISSES_UPPER_PAPER, "cache_misses_upper_paper", .unit = "lines",
             .doc = "The paper's high estimate (eq. 12); no bound on them."),
    FR_EXTRA(EXTRA_FLOPS_BOUND, "dgemm_flops_bound", .unit = "1",
             .doc = "Flops-bound calls of dgemm (paper)."),
    FR_EXTRA(EXTRA_MEMORY_BOUND, "dgemm_memory_bound", .unit = "1",
             .doc = "Memory-bound calls of dgemm (paper)."),
    FR_OUTPUTS_END,
};

/* ---- the request ---------------------------------------------------------------------------- */

static void set_structures(void *values, const struct fr_structure_source *source)
{
    ((struct sparse_lu *)values)->source = source;
}

static struct sparse_grid grid_of(const struct sparse_lu *v)
{
    return (struct sparse_grid){ (int32_t)v->process_rows, (int32_t)v->process_columns };
}

/* Sets the process columns from the parameter that determines the number of processes. */
static void count_columns(struct sparse_lu *v, const struct fr_calibration *cal,
                          struct fr_faults *faults)
{
    const char *given = v->cores != FR_OPEN_INT   ? "cores"
                        : v->nodes != FR_OPEN_INT ? "nodes"
                                                  : "processes";
    const int64_t processes = processes_of(v, cal);

    if (v->nodes != FR_OPEN_INT && !cal->node.cores_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "node.cores_per_node is missing, so that nodes cannot be used; give processes");
    else if (v->process_columns == FR_OPEN_INT && processes % v->process_rows)
        fr_fault(faults, FR_RELATION, "process_rows",
                 "%" PRId64 " does not divide %" PRId64 " processes", v->process_rows, processes);
    else if (v->process_columns == FR_OPEN_INT)
        v->process_columns = processes / v->process_rows;
    if (v->process_columns != FR_OPEN_INT &&
        v->process_columns > SPARSE_MAX_PROCESSES / v->process_rows)
        fr_fault(faults, FR_RANGE, v->nodes != FR_OPEN_INT ? given : "process_columns",
                 "%" PRId64 "x%" PRId64 " processes; at most %d can be simulated", v->process_rows,
                 v->process_columns, SPARSE_MAX_PROCESSES);
    v->processes = v->cores = v->nodes = FR_OPEN_INT;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct sparse_lu *v = values;
    const size_t before = faults->count;

    if (v->kernel_model == FR_OPEN_CHOICE)
        v->kernel_model = sparse_has_fit(cal) ? CALIBRATED : PAPER;
    if (v->kernel_model == PAPER)
        sparse_machine_need(cal, faults);
    else
        sparse_fit_need(cal, faults);
    count_columns(v, cal, faults);
    if (v->process_rows > 1 || (v->process_columns != FR_OPEN_INT && v->process_columns > 1) ||
        cal->network.message_bandwidth.points.count)
        sparse_network_need(cal, faults);
    if (v->source)
        v->structure =
            v->source->find(v->source->context, v->matrix.text,
                            v->ordering == FR_OPEN_CHOICE ? "" : sparse_orderings[v->ordering],
                            v->kernel_model == PAPER, faults);
    return faults->count > before ? faults->fault[before < FR_MAX_FAULTS ? before : 0].code : FR_OK;
}

/* Groups for every question.  resolve checks those that depend on the kernel model (kernels) or on
 * the number of processes (network). */
static unsigned needs(const void *values)
{
    (void)values;
    return FR_CAL_MEMORY | FR_CAL_SPARSE;
}

/* ---- the prediction ------------------------------------------------------------------------- */

/* `clock_s` and `load_s` receive those of each rank; either may be NULL.  False with a fault. */
static bool simulate(const struct sparse_lu *v, struct fr_evaluation *run, double *clock_s,
                     double *load_s, struct sparse_simulation *out)
{
    *out = (struct sparse_simulation){
        .source = v->source,
        .s = v->structure,
        .grid = grid_of(v),
        .is_calibrated = v->kernel_model == CALIBRATED,
        .machine = sparse_machine_of(run->cal),
        .network = sparse_network_of(run->cal),
        .clock_s = clock_s,
        .load_s = load_s,
    };
    out->machine.dgemm_counts = (enum sparse_dgemm_counts)v->dgemm_counts;
    out->machine.destination = (enum sparse_destination)v->dest_lines;
    out->machine.dtrsv_loads_linear = v->dtrsv_loads_linear;
    out->machine.counts_scatter = v->count_scatter != 0;
    out->network.messages_per_panel = v->messages_per_panel;
    out->network.overlap = (enum sparse_overlap)v->overlap;
    return sparse_simulate(out, run) == FR_OK;
}

static void put_counts(const struct sparse_simulation *of, double *extra)
{
    extra[EXTRA_LOADS] = of->totals.loads;
    extra[EXTRA_STORES] = of->totals.stores;
    for (size_t q = 0; q < of->machine.levels; q++)
        extra[EXTRA_MISSES + q] = of->totals.misses[q];
    extra[EXTRA_FLOPS_BOUND] = of->totals.dgemms_flops_bound;
    extra[EXTRA_MEMORY_BOUND] = of->totals.dgemms_memory_bound;
    extra[EXTRA_MISSES_LOWER] = of->bounds.low;
    extra[EXTRA_MISSES_UPPER] = of->bounds.high;
    extra[EXTRA_MISSES_LOWER_PAPER] = of->bounds.low_paper;
    extra[EXTRA_MISSES_UPPER_PAPER] = of->bounds.high_paper;
}

static void put_times(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_times *times = &of->times;
    double *extra = out->extra;

    fr_phase(out, "computation", FR_COMPUTATION, times->computation_s, 0);
    fr_phase(out, "communication", FR_COMMUNICATION, times->communication_s, 0);
    out->communication_bytes_per_process = times->message_bytes / out->processes;
    extra[EXTRA_COMPUTATION] = times->computation_s;
    extra[EXTRA_COMMUNICATION] = times->communication_s;
    extra[EXTRA_LOAD_BALANCE] = times->load_balance;
    extra[EXTRA_SEQUENTIAL] = of->sequential_s;
    extra[EXTRA_SEQUENTIAL_UPPER] = of->sequential_upper_s;
    extra[EXTRA_SPEEDUP] = out->time_s > 0 ? of->sequential_s / out->time_s : NAN;
    extra[EXTRA_EFFICIENCY] = extra[EXTRA_SPEEDUP] / out->processes;
    extra[EXTRA_MESSAGES] = times->messages;
    extra[EXTRA_MESSAGE_BYTES] = times->message_bytes;
}

static void bound(const struct sparse_times *times, struct fr_prediction *out)
{
    fr_bound(out, "work", times->most_load_s);
    fr_bound(out, "critical_path", times->critical_path_s);
    fr_bound(out, "network", times->most_sending_s);
    fr_check_bound(out);
}

static void put_structure(const struct sparse_structure *s, struct fr_prediction *out)
{
    out->flops = s->facts.useful_flops;
    out->extra[EXTRA_UPDATES] = s->facts.updates;
    out->extra[EXTRA_SUPERNODES] = (double)s->facts.supernodes;
    out->extra[EXTRA_NNZ_LU] = s->facts.nnz;
    out->extra[EXTRA_FILL] = s->entries ? s->facts.nnz / (double)s->entries : NAN;
}

static void warn_of_messages(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_network *network = &of->network;
    const double bytes = of->times.largest_message_bytes;

    if (network->points && bytes > network->point[network->points - 1].bytes)
        fr_warn(out, FR_WARN_EXTRAPOLATED, "network.message_bandwidth", bytes,
                network->point[0].bytes, network->point[network->points - 1].bytes);
}

/* The processes of a node share its memory. */
static void put_memory(const struct sparse_simulation *of, const struct fr_calibration *cal,
                       struct fr_prediction *out)
{
    const double cores = (double)cal->node.cores_per_node;

    out->memory_bytes_per_process = of->memory_bytes;
    if (!cal->node.cores_per_node)
        return;
    out->nodes = ceil(out->processes / cores);
    out->memory_limit_bytes_per_process = cal->node.memory_bytes / fmin(out->processes, cores);
}

static void put_rate(const struct fr_calibration *cal, struct fr_prediction *out)
{
    if (!(out->time_s > 0))
        return;
    out->gflops = out->flops / out->time_s / 1e9;
    out->percent_of_peak =
        100 * out->flops / (out->time_s * out->processes * cal->core_peak_flops_per_s);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct sparse_lu *v = values;
    const struct sparse_structure *s = v->structure;
    struct fr_prediction *out = run->out;
    struct sparse_simulation simulation;

    if (!simulate(v, run, NULL, NULL, &simulation))
        return;
    out->processes = (double)sparse_processes(simulation.grid);
    put_structure(s, out);
    put_times(&simulation, out);
    bound(&simulation.times, out);
    if (!simulation.is_calibrated)
        put_counts(&simulation, out->extra);
    if (simulation.network.points)
        out->extra[EXTRA_ANALYTIC] = sparse_analytic_s(
            &s->facts, simulation.sequential_s,
            (double)(v->eq14_n == BY_ORDER ? s->facts.order : s->facts.supernodes),
            simulation.network.latency_s, sparse_best_bandwidth(&simulation.network),
            out->processes);
    warn_of_messages(&simulation, out);
    put_memory(&simulation, run->cal, out);
    put_rate(run->cal, out);
    out->used |= FR_USE(MESSAGE_BANDWIDTH) | FR_USE(INDEX_BYTES) | FR_USE(NODE_CORES) |
                 FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY);
}

static const struct fr_column columns[] = {
    { "grid", FR_COLUMN_TEXT },     { "rank", FR_COLUMN_NUMBER }, { "clock_s", FR_COLUMN_NUMBER },
    { "load_s", FR_COLUMN_NUMBER }, { NULL, FR_COLUMN_NUMBER },
};

static void explain(const void *values, struct fr_evaluation *run, const struct fr_listing *listing)
{
    const struct sparse_lu *v = values;
    const size_t processes = (size_t)sparse_processes(grid_of(v));
    double *number = fr_arena_zeroed(run->arena, 2 * processes, sizeof *number);
    struct sparse_simulation simulation;
    bool goes_on = number && simulate(v, run, number, number + processes, &simulation);

    for (size_t p = 0; p < processes && goes_on; p++) {
        const double row[] = { (double)p, number[p], number[processes + p] };
        char place[48];

        snprintf(place, sizeof place, "%" PRId64 "x%" PRId64, (int64_t)p / v->process_columns,
                 (int64_t)p % v->process_columns);
        goes_on = listing->row(listing->context, place, row);
    }
}

/* ---- how many nodes ------------------------------------------------------------------------- */

/* The most processes that a recommendation tries: the time of a simulation grows with their number,
 * and none of the paper's matrices ran faster on more than 64. */
enum { MOST_TRIED = 256 };

static size_t node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity)
{
    const int64_t cores = cal->node.cores_per_node;
    size_t count = 0;

    (void)values;
    for (int64_t nodes = 1; nodes <= max_nodes && (nodes == 1 || nodes * cores <= MOST_TRIED);
         nodes *= 2)
        count = fr_insert_count(out, count, capacity, nodes);
    return count;
}

static void set_nodes(void *values, int64_t nodes)
{
    struct sparse_lu *v = values;

    v->nodes = nodes;
    v->processes = v->cores = v->process_columns = FR_OPEN_INT;
}

/* ---- the model ------------------------------------------------------------------------------ */

static const char *const assumes[] = {
    "Right-looking supernodal LU with static pivoting and a look-ahead of one step on a "
    "two-dimensional block-cyclic grid.",
    "paper: whole blocks are cached, a miss of an inner level is served by the next outer level, "
    "and "
    "accesses do not overlap.",
    "calibrated: a process calls dgemm once in each step; the time is that of the rate table times "
    "a "
    "fitted constant.",
    "calibrated: the segments of a block of U run at the rate of their mean length, weighted by "
    "length.",
    NULL,
};
static const char *const blind_spots[] = {
    "The broadcast of pivot rows within a process column and the scaling of columns are not "
    "counted.",
    "The library's larger look-ahead window, its threads and its three-dimensional grid.",
    "The time of the ordering and of the symbolic factorization.",
    "Messages that share a node or a link do not slow each other down.",
    "A recommendation tries at most 256 processes unless it is given node counts.",
    NULL,
};

const struct fr_model fr_model_sparse_lu = {
    .name = "sparse_lu",
    .family = "sparse",
    .summary =
        "Sparse LU factorization as in SuperLU_DIST, simulated on the block structure of the "
        "matrix.",
    .source = "Grigori, Li: Towards an accurate performance modeling of parallel sparse "
              "factorization, AAECC 18 (2007)",
    .assumes = assumes,
    .blind_spots = blind_spots,
    .groups = FR_CAL_NETWORK | FR_CAL_MEMORY | FR_CAL_SPARSE,
    .reads = { .required = FR_USE(INDEX_BYTES) | FR_USE(MESSAGE_BANDWIDTH),
               .either = { { FR_USE(SPARSE_FIT) | FR_USE(DGEMM_RATES) | FR_USE(DTRSM_RATES) |
                                 FR_USE(DGER_RATES) | FR_USE(DTRSV_RATES),
                             FR_USE(CACHES) | FR_USE(MEMORY_LATENCY) | FR_USE(FLOP_TIME) |
                                 FR_USE(DGEMM_BLOCK) | FR_USE(DGEMM_UNROLL) | FR_USE(DGER_UNROLL) |
                                 FR_USE(DTRSV_UNROLL) } },
               .helpful = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) |
                          FR_USE(TLB_MISS_LATENCY) },
    .needs = needs,
    .cost = FR_LONG,
    .values_size = sizeof(struct sparse_lu),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .set_structures = set_structures,
    .resolve = resolve,
    .predict = predict,
    .explain = explain,
    .list_name = "ranks",
    .list_columns = columns,
    .node_counts = node_counts,
    .set_nodes = set_nodes,
};
