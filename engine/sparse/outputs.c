/* From a simulation to the members of a prediction. */
#include "engine/sparse/simulate.h"

#include <math.h>

struct own {
    double critical_path_computation_s, critical_path_communication_s, load_balance_factor, speedup,
        parallel_efficiency_fraction, sequential_time_s, sequential_time_upper_s, analytic_time_s,
        messages, message_bytes, updates, supernodes, nnz_lu, fill, loads, stores, loads_counted,
        cache_misses[SPARSE_MAX_LEVELS], cache_misses_lower, cache_misses_upper,
        cache_misses_lower_paper, cache_misses_upper_paper, dgemm_flops_bound, dgemm_memory_bound,
        window_fraction, solve_time_s, forward_s, backward_s, solve_messages, solve_message_bytes,
        memory_factors_bytes, memory_window_bytes, memory_product_bytes, memory_gathered_bytes,
        reduced_bytes, ordering_measured_s, symbolic_measured_s;
};

#define MISSES(q, name)                                                         \
    FR_OWN_AS(struct own, cache_misses[q], "cache_misses." #q, .unit = "lines", \
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
    FR_OWN(struct own, critical_path_computation_s, .unit = "s",
           .doc = "Computation on the path to the end of the last process."),
    FR_OWN(struct own, critical_path_communication_s, .unit = "s",
           .doc = "Communication on that path."),
    FR_OWN(struct own, load_balance_factor, .unit = "1",
           .doc = "Sum of the largest load of each step over the mean load; with a window, the "
                  "largest load over the mean; 1 is balanced."),
    FR_OWN(struct own, speedup, .unit = "1", .doc = "Sequential time over time."),
    FR_OWN(struct own, parallel_efficiency_fraction, .unit = "1", .doc = "Speedup over processes."),
    FR_OWN(struct own, sequential_time_s, .unit = "s",
           .doc = "Time on one process (eq. 13, or the sum of the measured kernels); with "
                  "tlb=hit its lower bound."),
    FR_OWN(struct own, sequential_time_upper_s, .unit = "s",
           .doc = "Time on one process if every access to memory misses the TLB."),
    FR_OWN(struct own, analytic_time_s, .unit = "s",
           .doc = "Time without a simulation (eq. 14; one layer)."),
    FR_OWN(struct own, messages, .unit = "1", .doc = "Messages of all processes."),
    FR_OWN(struct own, message_bytes, .unit = "bytes", .doc = "Bytes of all messages."),
    FR_OWN(struct own, updates, .unit = "1", .doc = "Updates of a block by two blocks."),
    FR_OWN(struct own, supernodes, .unit = "1", .doc = "Block columns."),
    FR_OWN(struct own, nnz_lu, .unit = "1", .doc = "Entries of L + U, with full diagonal blocks."),
    FR_OWN(struct own, fill, .unit = "1",
           .doc = "Entries of L + U over the entries of the matrix, if these are known."),
    FR_OWN(struct own, loads, .unit = "1",
           .doc = "Loads of all processes that take time of their own (paper)."),
    FR_OWN(struct own, stores, .unit = "1", .doc = "Stores of all processes (paper)."),
    FR_OWN(struct own, loads_counted, .unit = "1",
           .doc = "Loads as counters of processors have them: also those that dgemm hides behind "
                  "its operations (paper)."),
    MISSES(0, "innermost"),
    MISSES(1, "second"),
    MISSES(2, "third"),
    MISSES(3, "fourth"),
    FR_OWN(struct own, cache_misses_lower, .unit = "lines",
           .doc = "Lower bound on the simulated misses of a single process in any level."),
    FR_OWN(struct own, cache_misses_upper, .unit = "lines", .doc = "Upper bound on these misses."),
    FR_OWN(struct own, cache_misses_lower_paper, .unit = "lines",
           .doc = "The paper's low estimate of these misses (eq. 11); no bound on them."),
    FR_OWN(struct own, cache_misses_upper_paper, .unit = "lines",
           .doc = "The paper's high estimate (eq. 12); no bound on them."),
    FR_OWN(struct own, dgemm_flops_bound, .unit = "1",
           .doc = "Flops-bound calls of dgemm (paper)."),
    FR_OWN(struct own, dgemm_memory_bound, .unit = "1",
           .doc = "Memory-bound calls of dgemm (paper)."),
    FR_OWN(struct own, window_fraction, .unit = "1",
           .doc = "Updates of blocks within the look-ahead window over all updates (window)."),
    FR_OWN(struct own, solve_time_s, .unit = "s",
           .doc = "Time of one solve (part solve or both), with the redistribution of the "
                  "right-hand sides."),
    FR_OWN(struct own, forward_s, .unit = "s", .doc = "Time of its sweep with L."),
    FR_OWN(struct own, backward_s, .unit = "s", .doc = "Time of its sweep with U."),
    FR_OWN(struct own, solve_messages, .unit = "1",
           .doc = "Messages of both sweeps, of all processes."),
    FR_OWN(struct own, solve_message_bytes, .unit = "bytes", .doc = "Bytes of these messages."),
    FR_OWN(struct own, memory_factors_bytes, .unit = "bytes",
           .doc = "Of memory_bytes_per_process: blocks of L and U with their indices."),
    FR_OWN(struct own, memory_window_bytes, .unit = "bytes",
           .doc = "Of it: panels that may be received ahead."),
    FR_OWN(struct own, memory_product_bytes, .unit = "bytes",
           .doc = "Of it: the product of the blocks of a step, and its operand of U."),
    FR_OWN(struct own, memory_gathered_bytes, .unit = "bytes",
           .doc = "Of it: gathered blocks of L, and products within the window."),
    FR_OWN(struct own, reduced_bytes, .unit = "bytes",
           .doc = "Of message_bytes: panels that layers add to each other's (process_layers)."),
    FR_OWN(struct own, ordering_measured_s, .unit = "s",
           .doc = "Measured, not predicted, and in no other time: the ordering of the columns on "
                  "the server."),
    FR_OWN(struct own, symbolic_measured_s, .unit = "s",
           .doc = "Measured likewise: the symbolic factorization with these limits."),
    FR_OUTPUTS_END,
};

static void put_counts(const struct sparse_simulation *of, struct own *own)
{
    own->loads = of->totals.loads;
    own->stores = of->totals.stores;
    own->loads_counted = of->totals.loads + of->totals.inner_loads;
    for (size_t q = 0; q < of->machine.levels; q++)
        own->cache_misses[q] = of->totals.misses[q];
    own->dgemm_flops_bound = of->totals.dgemms_flops_bound;
    own->dgemm_memory_bound = of->totals.dgemms_memory_bound;
    own->cache_misses_lower = of->bounds.low;
    own->cache_misses_upper = of->bounds.high;
    own->cache_misses_lower_paper = of->bounds.low_paper;
    own->cache_misses_upper_paper = of->bounds.high_paper;
}

static void put_solve(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_solve_times *solve = &of->solve;
    const double solves = (double)of->solves;
    struct own *own = FR_OWN_OF(struct own, out);

    fr_phase(out, "solve_computation", FR_COMPUTATION, solves * solve->times.computation_s, 0);
    fr_phase(out, "solve_communication", FR_COMMUNICATION, solves * solve->times.communication_s,
             0);
    own->solve_time_s = solve->times.time_s;
    own->forward_s = solve->forward_s;
    own->backward_s = solve->backward_s;
    own->solve_messages = solve->times.messages;
    own->solve_message_bytes = solve->times.message_bytes;
}

static void put_times(const struct sparse_simulation *of, struct fr_prediction *out)
{
    const struct sparse_times *total = &of->total;
    struct own *own = FR_OWN_OF(struct own, out);

    if (of->part != SPARSE_ONLY_SOLVE) {
        fr_phase(out, "computation", FR_COMPUTATION, of->times.computation_s, 0);
        fr_phase(out, "communication", FR_COMMUNICATION, of->times.communication_s, 0);
    }
    if (of->part != SPARSE_ONLY_FACTOR)
        put_solve(of, out);
    out->communication_bytes_per_process = total->message_bytes / out->processes;
    own->critical_path_computation_s = total->computation_s;
    own->critical_path_communication_s = total->communication_s;
    own->load_balance_factor = total->load_balance;
    own->sequential_time_s = of->sequential_s;
    own->sequential_time_upper_s = of->sequential_upper_s;
    own->speedup = out->time_s > 0 ? of->sequential_s / out->time_s : NAN;
    own->parallel_efficiency_fraction = own->speedup / out->processes;
    own->messages = total->messages;
    own->message_bytes = total->message_bytes;
    own->window_fraction = of->window_fraction;
    own->reduced_bytes = of->layers > 1 ? of->times.reduced_bytes : NAN;
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
    struct own *own = FR_OWN_OF(struct own, out);
    const struct sparse_structure *s = of->s;
    const double solve_flops = 2 * (double)of->nrhs * s->facts.nnz;

    out->flops = (of->part == SPARSE_ONLY_SOLVE ? 0 : s->facts.useful_flops) +
                 (of->part == SPARSE_ONLY_FACTOR ? 0 : (double)of->solves * solve_flops);
    own->updates = s->facts.updates;
    own->supernodes = (double)s->facts.supernodes;
    own->nnz_lu = s->facts.nnz;
    own->ordering_measured_s = known_s(s->ordering_s);
    own->symbolic_measured_s = known_s(s->symbolic_s);
    own->fill = s->entries ? s->facts.nnz / (double)s->entries : NAN;
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
    struct own *own = FR_OWN_OF(struct own, out);
    const double cores = (double)cal->node.cores_per_node;

    out->processes = (double)sparse_all_processes(of);
    out->memory_bytes_per_process = sparse_memory_bytes(&of->memory);
    own->memory_factors_bytes = of->memory.factors;
    own->memory_window_bytes = of->memory.window;
    own->memory_product_bytes = of->memory.product;
    own->memory_gathered_bytes = of->memory.gathered;
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
    struct own *own = FR_OWN_OF(struct own, out);
    const struct sparse_facts *facts = &of->s->facts;

    if (of->part != SPARSE_ONLY_FACTOR || of->layers > 1 || !of->network.points)
        return;
    own->analytic_time_s = sparse_analytic_s(
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
        put_counts(of, FR_OWN_OF(struct own, out));
    put_analytic(of, is_by_order, out);
    warn_of_messages(of, out);
    warn_of_machine(of, cal, out);
    put_rate(cal, out);
    out->used |= FR_USE(MESSAGE_BANDWIDTH) | FR_USE(INDEX_BYTES) | FR_USE(NODE_CORES) |
                 FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY);
}
