/* From a simulation to the members of a prediction. */
#include "engine/sparse/simulate.h"

#include <assert.h>
#include <math.h>

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
    EXTRA_LOADS_COUNTED,
    EXTRA_MISSES,
    EXTRA_MISSES_LOWER = EXTRA_MISSES + SPARSE_MAX_LEVELS,
    EXTRA_MISSES_UPPER,
    EXTRA_MISSES_LOWER_PAPER,
    EXTRA_MISSES_UPPER_PAPER,
    EXTRA_FLOPS_BOUND,
    EXTRA_MEMORY_BOUND,
    EXTRA_WINDOW_FRACTION,
    EXTRA_SOLVE,
    EXTRA_FORWARD,
    EXTRA_BACKWARD,
    EXTRA_SOLVE_MESSAGES,
    EXTRA_SOLVE_BYTES,
    EXTRA_FACTORS,
    EXTRA_WINDOW,
    EXTRA_PRODUCT,
    EXTRA_GATHERED,
    EXTRA_REDUCED,
    EXTRA_ORDERING_MEASURED,
    EXTRA_SYMBOLIC_MEASURED,
    EXTRAS
};
static_assert((int)EXTRAS <= (int)FR_MAX_EXTRA, "more outputs than a prediction can hold");

#define MISSES(q, name)                                               \
    FR_EXTRA(EXTRA_MISSES + (q), "cache_misses." #q, .unit = "lines", \
             .doc = "Misses of the " name " cache level, of all processes.")

const struct fr_output sparse_outputs[] = {
    FR_OUTPUT(time_s, .unit = "s",
              .doc = "Time of the part asked for, until the last process ends."),
    FR_OUTPUT(flops, .unit = "flop", .doc = "Useful operations of this part."),
    FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "Useful operations per second."),
    FR_OUTPUT(percent_of_peak, .unit = "%", .doc = "Rate relative to the peak of the cores."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of all layers."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes for these processes, one on each core."),
    FR_OUTPUT(memory_bytes_per_process, .unit = "bytes",
              .doc = "Factors and buffers of the process that needs most, without the matrix."),
    FR_OUTPUT(memory_limit_bytes_per_process, .unit = "bytes",
              .doc = "Memory of a node divided by the processes on it."),
    FR_OUTPUT(communication_bytes_per_process, .unit = "bytes",
              .doc = "Bytes that a process sends, on average."),
    FR_EXTRA(EXTRA_COMPUTATION, "critical_path_computation_s", .unit = "s",
             .doc = "Computation on the path to the end of the last process."),
    FR_EXTRA(EXTRA_COMMUNICATION, "critical_path_communication_s", .unit = "s",
             .doc = "Communication on that path."),
    FR_EXTRA(EXTRA_LOAD_BALANCE, "load_balance_factor", .unit = "1",
             .doc = "Sum of the largest load of each step over the mean load; with a window, the "
                    "largest load over the mean; 1 is balanced."),
    FR_EXTRA(EXTRA_SPEEDUP, "speedup", .unit = "1", .doc = "Sequential time over time."),
    FR_EXTRA(EXTRA_EFFICIENCY, "parallel_efficiency_fraction", .unit = "1",
             .doc = "Speedup over processes."),
    FR_EXTRA(EXTRA_SEQUENTIAL, "sequential_time_s", .unit = "s",
             .doc = "Time on one process (eq. 13, or the sum of the measured kernels); with "
                    "tlb=hit its lower bound."),
    FR_EXTRA(EXTRA_SEQUENTIAL_UPPER, "sequential_time_upper_s", .unit = "s",
             .doc = "Time on one process if every access to memory misses the TLB."),
    FR_EXTRA(EXTRA_ANALYTIC, "analytic_time_s", .unit = "s",
             .doc = "Time without a simulation (eq. 14; one layer)."),
    FR_EXTRA(EXTRA_MESSAGES, "messages", .unit = "1", .doc = "Messages of all processes."),
    FR_EXTRA(EXTRA_MESSAGE_BYTES, "message_bytes", .unit = "bytes",
             .doc = "Bytes of all messages."),
    FR_EXTRA(EXTRA_UPDATES, "updates", .unit = "1", .doc = "Updates of a block by two blocks."),
    FR_EXTRA(EXTRA_SUPERNODES, "supernodes", .unit = "1", .doc = "Block columns."),
    FR_EXTRA(EXTRA_NNZ_LU, "nnz_lu", .unit = "1",
             .doc = "Entries of L + U, with full diagonal blocks."),
    FR_EXTRA(EXTRA_FILL, "fill", .unit = "1",
             .doc = "Entries of L + U over the entries of the matrix, if these are known."),
    FR_EXTRA(EXTRA_LOADS, "loads", .unit = "1",
             .doc = "Loads of all processes that take time of their own (paper)."),
    FR_EXTRA(EXTRA_STORES, "stores", .unit = "1", .doc = "Stores of all processes (paper)."),
    FR_EXTRA(EXTRA_LOADS_COUNTED, "loads_counted", .unit = "1",
             .doc = "Loads as counters of processors have them: also those that dgemm hides behind "
                    "its operations (paper)."),
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
    FR_EXTRA(EXTRA_WINDOW_FRACTION, "window_fraction", .unit = "1",
             .doc = "Updates of blocks within the look-ahead window over all updates (window)."),
    FR_EXTRA(EXTRA_SOLVE, "solve_time_s", .unit = "s",
             .doc = "Time of one solve (part solve or both), with the redistribution of the "
                    "right-hand sides."),
    FR_EXTRA(EXTRA_FORWARD, "forward_s", .unit = "s", .doc = "Time of its sweep with L."),
    FR_EXTRA(EXTRA_BACKWARD, "backward_s", .unit = "s", .doc = "Time of its sweep with U."),
    FR_EXTRA(EXTRA_SOLVE_MESSAGES, "solve_messages", .unit = "1",
             .doc = "Messages of both sweeps, of all processes."),
    FR_EXTRA(EXTRA_SOLVE_BYTES, "solve_message_bytes", .unit = "bytes",
             .doc = "Bytes of these messages."),
    FR_EXTRA(EXTRA_FACTORS, "memory_factors_bytes", .unit = "bytes",
             .doc = "Of memory_bytes_per_process: blocks of L and U with their indices."),
    FR_EXTRA(EXTRA_WINDOW, "memory_window_bytes", .unit = "bytes",
             .doc = "Of it: panels that may be received ahead."),
    FR_EXTRA(EXTRA_PRODUCT, "memory_product_bytes", .unit = "bytes",
             .doc = "Of it: the product of the blocks of a step, and its operand of U."),
    FR_EXTRA(EXTRA_GATHERED, "memory_gathered_bytes", .unit = "bytes",
             .doc = "Of it: gathered blocks of L, and products within the window."),
    FR_EXTRA(EXTRA_REDUCED, "reduced_bytes", .unit = "bytes",
             .doc = "Of message_bytes: panels that layers add to each other's (process_layers)."),
    FR_EXTRA(EXTRA_ORDERING_MEASURED, "ordering_measured_s", .unit = "s",
             .doc = "Measured, not predicted, and in no other time: the ordering of the columns on "
                    "the server."),
    FR_EXTRA(EXTRA_SYMBOLIC_MEASURED, "symbolic_measured_s", .unit = "s",
             .doc = "Measured likewise: the symbolic factorization with these limits."),
    FR_OUTPUTS_END,
};

static void put_counts(const struct sparse_simulation *of, double *extra)
{
    extra[EXTRA_LOADS] = of->totals.loads;
    extra[EXTRA_STORES] = of->totals.stores;
    extra[EXTRA_LOADS_COUNTED] = of->totals.loads + of->totals.inner_loads;
    for (size_t q = 0; q < of->machine.levels; q++)
        extra[EXTRA_MISSES + q] = of->totals.misses[q];
    extra[EXTRA_FLOPS_BOUND] = of->totals.dgemms_flops_bound;
    extra[EXTRA_MEMORY_BOUND] = of->totals.dgemms_memory_bound;
    extra[EXTRA_MISSES_LOWER] = of->bounds.low;
    extra[EXTRA_MISSES_UPPER] = of->bounds.high;
    extra[EXTRA_MISSES_LOWER_PAPER] = of->bounds.low_paper;
    extra[EXTRA_MISSES_UPPER_PAPER] = of->bounds.high_paper;
}

static void put_solve(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_solve_times *solve = &of->solve;
    const double solves = (double)of->solves;
    double *extra = out->extra;

    fr_phase(out, "solve_computation", FR_COMPUTATION, solves * solve->times.computation_s, 0);
    fr_phase(out, "solve_communication", FR_COMMUNICATION, solves * solve->times.communication_s,
             0);
    extra[EXTRA_SOLVE] = solve->times.time_s;
    extra[EXTRA_FORWARD] = solve->forward_s;
    extra[EXTRA_BACKWARD] = solve->backward_s;
    extra[EXTRA_SOLVE_MESSAGES] = solve->times.messages;
    extra[EXTRA_SOLVE_BYTES] = solve->times.message_bytes;
}

static void put_times(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_times *total = &of->total;
    double *extra = out->extra;

    if (of->part != SPARSE_ONLY_SOLVE) {
        fr_phase(out, "computation", FR_COMPUTATION, of->times.computation_s, 0);
        fr_phase(out, "communication", FR_COMMUNICATION, of->times.communication_s, 0);
    }
    if (of->part != SPARSE_ONLY_FACTOR)
        put_solve(of, out);
    out->communication_bytes_per_process = total->message_bytes / out->processes;
    extra[EXTRA_COMPUTATION] = total->computation_s;
    extra[EXTRA_COMMUNICATION] = total->communication_s;
    extra[EXTRA_LOAD_BALANCE] = total->load_balance;
    extra[EXTRA_SEQUENTIAL] = of->sequential_s;
    extra[EXTRA_SEQUENTIAL_UPPER] = of->sequential_upper_s;
    extra[EXTRA_SPEEDUP] = out->time_s > 0 ? of->sequential_s / out->time_s : NAN;
    extra[EXTRA_EFFICIENCY] = extra[EXTRA_SPEEDUP] / out->processes;
    extra[EXTRA_MESSAGES] = total->messages;
    extra[EXTRA_MESSAGE_BYTES] = total->message_bytes;
    extra[EXTRA_WINDOW_FRACTION] = of->window_fraction;
    extra[EXTRA_REDUCED] = of->layers > 1 ? of->times.reduced_bytes : NAN;
}

static void bound(const struct sparse_times *times, struct fr_prediction *out)
{
    fr_bound(out, "work", times->most_load_s);
    fr_bound(out, "critical_path", times->critical_path_s);
    fr_bound(out, "network", times->most_sending_s);
}

static double known_s(double time_s)
{
    return time_s > 0 ? time_s : (double)NAN;
}

/* A solve takes a multiplication and an addition for each entry and right-hand side. */
static void put_structure(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_structure *s = of->s;
    const double solve_flops = 2 * (double)of->nrhs * s->facts.nnz;

    out->flops = (of->part == SPARSE_ONLY_SOLVE ? 0 : s->facts.useful_flops) +
                 (of->part == SPARSE_ONLY_FACTOR ? 0 : (double)of->solves * solve_flops);
    out->extra[EXTRA_UPDATES] = s->facts.updates;
    out->extra[EXTRA_SUPERNODES] = (double)s->facts.supernodes;
    out->extra[EXTRA_NNZ_LU] = s->facts.nnz;
    out->extra[EXTRA_ORDERING_MEASURED] = known_s(s->ordering_s);
    out->extra[EXTRA_SYMBOLIC_MEASURED] = known_s(s->symbolic_s);
    out->extra[EXTRA_FILL] = s->entries ? s->facts.nnz / (double)s->entries : NAN;
}

static void warn_of_messages(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_network *network = &of->network;
    const double bytes = of->total.largest_message_bytes;

    if (network->points && bytes > network->point[network->points - 1].bytes)
        fr_warn(out, FR_WARN_EXTRAPOLATED, "network.message_bandwidth", bytes,
                network->point[0].bytes, network->point[network->points - 1].bytes);
}

/* Eq. 13 is far too slow where a core does more in a cycle than those of the paper. */
static void warn_of_machine(const struct sparse_simulation *of, const struct fr_calibration *cal,
                            struct fr_prediction *out)
{
    const double per_cycle = cal->core_peak_flops_per_s / cal->node.clock_hz, most = 4;

    if (!of->is_calibrated && per_cycle > most)
        fr_warn(out, FR_WARN_OLDER_MACHINES, "kernel_model", per_cycle, most, most);
}

/* The processes of a node share its memory. */
void sparse_outputs_put_memory(const struct sparse_simulation *of, const struct fr_calibration *cal,
                               struct fr_prediction *out)
{
    const double cores = (double)cal->node.cores_per_node;

    out->processes = (double)sparse_all_processes(of);
    out->memory_bytes_per_process = sparse_memory_bytes(&of->memory);
    out->extra[EXTRA_FACTORS] = of->memory.factors;
    out->extra[EXTRA_WINDOW] = of->memory.window;
    out->extra[EXTRA_PRODUCT] = of->memory.product;
    out->extra[EXTRA_GATHERED] = of->memory.gathered;
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

static void put_analytic(const struct sparse_simulation *of, bool is_by_order,
                         struct fr_prediction *out)
{
    const struct sparse_facts *facts = &of->s->facts;

    if (of->part != SPARSE_ONLY_FACTOR || of->layers > 1 || !of->network.points)
        return;
    out->extra[EXTRA_ANALYTIC] = sparse_analytic_s(
        facts, of->sequential_s, (double)(is_by_order ? facts->order : facts->supernodes),
        of->network.latency_s, sparse_best_bandwidth(&of->network), out->processes);
}

void sparse_outputs_put(const struct sparse_simulation *of, bool is_by_order,
                        const struct fr_calibration *cal, struct fr_prediction *out)
{
    sparse_outputs_put_memory(of, cal, out);
    put_structure(of, out);
    put_times(of, out);
    bound(&of->total, out);
    if (!of->is_calibrated && of->part != SPARSE_ONLY_SOLVE)
        put_counts(of, out->extra);
    put_analytic(of, is_by_order, out);
    warn_of_messages(of, out);
    warn_of_machine(of, cal, out);
    put_rate(cal, out);
    out->used |= FR_USE(MESSAGE_BANDWIDTH) | FR_USE(INDEX_BYTES) | FR_USE(NODE_CORES) |
                 FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY);
}
