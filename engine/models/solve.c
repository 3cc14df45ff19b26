/* solve: an iterative solver on a grid of given size or on a partitioned matrix.
 *
 * T is a sum over all products, preconditioner applications, words of vector work, allreduces and
 * halo exchanges of the start and of the steps, each at the cost of the process that is busiest
 * with it (docs/models/krylov_problem.md#time-of-a-solve).
 */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/partition/partition.h"
#include "engine/krylov/solve_multigrid.h"
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/model.h"

#include <math.h>

static const struct fr_param params[] = {
    FR_CHOICE_OF(struct krylov_solve, solver, .choices = krylov_solver_names,
                 .choice_aliases = krylov_solver_aliases, .unit = "",
                 .flags = FR_AUTOMATIC | FR_TUNABLE,
                 .doc = "Krylov method; left open, pcg where the system is spd."),
    FR_CHOICE_OF(struct krylov_solve, system, .choices = krylov_systems, .unit = "",
                 .flags = FR_AUTOMATIC,
                 .doc = "Symmetric positive definite, symmetric, or general; left open, spd for a "
                        "grid and general for a matrix."),
    FR_CHOICE_OF(struct krylov_solve, preconditioner, .choices = krylov_preconditioners,
                 .choice_aliases = krylov_preconditioner_aliases, .unit = "", .flags = FR_AUTOMATIC,
                 .doc = "Block Jacobi with one block a process: incomplete Cholesky or LU without "
                        "fill, or the diagonal alone; or a cycle of multigrid; left open, icc "
                        "where the system is spd, else ilu."),
    KRYLOV_MULTIGRID_PARAMS,
    FR_INT(struct krylov_solve, restart, .unit = "1", .min = 1, .max = 1000, .fallback = 30,
           .flags = FR_DEFAULT, .doc = "Iterations of a cycle of gmres, fgmres and pgmres."),
    FR_INT(struct krylov_solve, iterations, .unit = "1", .min = 1, .max = 1e9,
           .flags = FR_REQUIRED | FR_ITERATIONS, .doc = "Iterations until convergence."),
    KRYLOV_PARAMS(ROUNDS_LIBRARY),
    KRYLOV_GRID_PARAMS(0, FR_AUTOMATIC | FR_OPTIONAL),
    FR_VECTOR(struct krylov_solve, global_grid, .unit = "1", .min = 1, .max = 1e9,
              .flags = FR_AUTOMATIC | FR_OPTIONAL,
              .doc = "Points of all processes in each dimension, in place of local_grid."),
    FR_TEXT(struct krylov_solve, matrix, .unit = "", .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_NAME,
            .doc =
                "Id or name of an uploaded matrix, in place of a grid; or facts of its partition "
                "in the body of a batch."),
    FR_CHOICE_OF(struct krylov_solve, stencil, .choices = krylov_stencils, .unit = "",
                 .fallback = KRYLOV_BOX, .flags = FR_DEFAULT,
                 .doc = "Neighbors of a grid point: along the dimensions, or all around it."),
    FR_INT(struct krylov_solve, dof, .unit = "1", .min = 1, .max = 1000, .fallback = 1,
           .flags = FR_DEFAULT, .doc = "Unknowns at each grid point, coupled densely."),
    FR_CHOICE_OF(struct krylov_solve, grid_shape, .choices = krylov_grid_shapes, .unit = "",
                 .fallback = KRYLOV_BALANCED, .flags = FR_DEFAULT | FR_TUNABLE,
                 .doc = "Process grid over a global_grid: as equal as possible, or the one whose "
                        "processes send the fewest bytes."),
    FR_CHOICE_OF(struct krylov_solve, partition, .choices = krylov_partitions, .unit = "",
                 .fallback = KRYLOV_PARTITION_contiguous, .flags = FR_DEFAULT | FR_TUNABLE,
                 .doc = "Rows of a matrix on a process: consecutive ones, or by METIS."),
    FR_CHOICE_OF(struct krylov_solve, placement, .choices = fr_placements, .unit = "",
                 .flags = FR_AUTOMATIC,
                 .doc = "Where the batch system put the nodes: in the order of the allocation, or "
                        "scattered over it; left open, as contention.burst was measured."),
    FR_BOOL(struct krylov_solve, link_sharing, .unit = "", .flags = FR_AUTOMATIC | FR_METHOD,
            .doc = "Whether messages of different nodes share the links of the network; left open, "
                   "where the topology has links, no stall rate is known and contention.burst was "
                   "not measured with this very exchange."),
    FR_CHOICE_OF(struct krylov_solve, progress, .choices = krylov_progresses,
                 .choice_aliases = krylov_progress_aliases, .unit = "", .fallback = PROGRESS_EAGER,
                 .flags = FR_DEFAULT | FR_METHOD,
                 .doc = "Communication that goes on while a process computes: the penalties; also "
                        "eager messages; or all."),
    FR_BOOL(struct krylov_solve, matvec_overlap, .unit = "", .fallback = 1, .flags = FR_DEFAULT,
            .doc = "Whether the halo exchange overlaps with the product of entries that need no "
                   "foreign value."),
    FR_PARAMS_END,
};

/* ---- outputs -------------------------------------------------------------------------------- */

struct part {
    double computation_s, allreduce_s, allreduce_hidden_s, halo_s, time_s;
};
struct own {
    struct part initial, iterating;
    double iteration_s, matvecs, preconditioner_applications, allreduces;
    struct krylov_computation phases;
    struct krylov_time halo;
    double working_set_bytes, load_balance_factor, link_s, link_bytes, link_protocol_s;
    struct krylov_multigrid multigrid;
};
enum { VECTOR_LOCAL_GRID = 2 }; /* after those of KRYLOV_GRID_OUTPUTS */

#define PART(part, of)                                                                    \
    FR_OWN(struct own, part.computation_s, .unit = "s", .doc = "Computation of " of "."), \
        FR_OWN(struct own, part.allreduce_s, .unit = "s",                                 \
               .doc = "Its allreduces, without what is hidden."),                         \
        FR_OWN(struct own, part.allreduce_hidden_s, .unit = "s",                          \
               .doc = "Part of its allreduces that overlaps with computation."),          \
        FR_OWN(struct own, part.halo_s, .unit = "s",                                      \
               .doc = "Its halo exchanges, and the messages of multigrid."),              \
        FR_OWN(struct own, part.time_s, .unit = "s", .doc = "Time of " of ".")

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s", .doc = "Time of the solve."),
    FR_OUTPUT(computation_s, .unit = "s", .doc = "Time of all phases that compute."),
    FR_OUTPUT(communication_s, .unit = "s",
              .doc = "Allreduces and halo exchanges, including hidden time."),
    FR_OUTPUT(hidden_s, .unit = "s",
              .doc = "Communication that overlaps with computation or other messages."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the job."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes of the job."),
    PART(initial, "the start, which does not grow with the iterations"),
    PART(iterating, "everything after the start"),
    FR_OWN(struct own, iteration_s, .unit = "s", .doc = "Time of an average iteration."),
    FR_OWN(struct own, phases.matvec_s, .unit = "s",
           .doc = "One matrix-vector product without its halo exchange."),
    FR_OWN(struct own, phases.preconditioner_s, .unit = "s",
           .doc = "One application of the preconditioner, without messages."),
    FR_OWN(struct own, phases.vector_s, .unit = "s", .doc = "Vector work of an average iteration."),
    FR_OWN(struct own, matvecs, .unit = "1", .doc = "Matrix-vector products of the solve."),
    FR_OWN(struct own, preconditioner_applications, .unit = "1",
           .doc = "Applications of the preconditioner in the solve."),
    FR_OWN(struct own, allreduces, .unit = "1", .doc = "Allreduces of the solve."),
    FR_OWN(struct own, halo.on_node_messages, .unit = "1",
           .doc = "Messages of the slowest process that stay on its node."),
    FR_OWN(struct own, halo.off_node_messages, .unit = "1",
           .doc = "Its messages that leave the node."),
    FR_OWN(struct own, halo.on_node_bytes, .unit = "bytes",
           .doc = "Bytes of its messages on the node."),
    FR_OWN(struct own, halo.off_node_bytes, .unit = "bytes",
           .doc = "Bytes of its messages off the node."),
    FR_OWN(struct own, halo.hops, .unit = "1",
           .doc = "Network links that a message crosses beyond its router."),
    FR_OWN(struct own, halo.postal_s, .unit = "s", .doc = "Latency and transfer of the messages."),
    FR_OWN(struct own, halo.penalty_s, .unit = "s",
           .doc = "What a shared network adds, including what is hidden."),
    FR_OWN(struct own, halo.hidden_s, .unit = "s",
           .doc = "Part of the exchange that overlaps with its rest or with the product."),
    FR_OWN(struct own, halo.time_s, .unit = "s", .doc = "Time of one halo exchange."),
    FR_OWN(struct own, working_set_bytes, .unit = "bytes",
           .doc = "Bytes that a process touches in an iteration."),
    FR_OUTPUT(memory_bytes_per_process, .unit = "bytes",
              .doc = "Matrix, preconditioner, vectors and buffers of a process."),
    FR_OUTPUT(memory_limit_bytes_per_process, .unit = "bytes", .doc = "Memory of a process."),
    FR_OWN(struct own, load_balance_factor, .unit = "1",
           .doc = "Most work of a process over the mean."),
    FR_OWN(struct own, link_s, .unit = "s",
           .doc = "Time in which the busiest link carries one halo exchange; null if not "
                  "computed."),
    FR_OWN(struct own, link_bytes, .unit = "bytes", .doc = "Bytes on that link."),
    FR_OWN(struct own, link_protocol_s, .unit = "s",
           .doc = "The same, with each message weighed by the rate of its protocol."),
    KRYLOV_MULTIGRID_OUTPUTS(struct own),
    FR_OWN_TEXT("basis", .unit = "1",
                .doc = "Where the computation comes from: measured, transferred or estimated."),
    KRYLOV_GRID_OUTPUTS,
    FR_OWN_VECTOR(VECTOR_LOCAL_GRID, "local_grid", .unit = "1",
                  .doc = "Points of a process by dimension; null for a matrix."),
    FR_OUTPUTS_END,
};

static unsigned needs(const void *values)
{
    (void)values; /* resolve checks the memory: kernels by size need none */
    return FR_CAL_NODE | FR_CAL_NETWORK;
}

/* ---- the prediction ------------------------------------------------------------------------- */

static struct krylov_link_load load_of(const struct krylov_solve *v,
                                       const struct krylov_link_load *burst,
                                       struct fr_evaluation *run)
{
    const struct krylov_stencil stencil = krylov_solve_stencil(v);
    const enum fr_placement placement = (enum fr_placement)v->placement;

    if (!v->link_sharing)
        return krylov_no_load;
    if (v->facts)
        return krylov_partition_load(&v->grid.common, v->facts->message, v->facts->message_count,
                                     placement, run);
    return krylov_corrected_load(&v->grid, &stencil, placement, burst, run);
}

static struct krylov_time halo_of(const struct krylov_solve *v, const struct krylov_link_load *load,
                                  double window_s, struct fr_evaluation *run)
{
    const struct krylov_stencil stencil = krylov_solve_stencil(v);
    const struct krylov_overlap overlap = {
        .is_blocking = !v->matvec_overlap,
        .seconds = window_s,
        .progress = v->progress,
        .load = load,
    };

    if (v->facts)
        return krylov_partition_halo(&v->grid.common, v->facts->message, v->facts->message_count,
                                     run, &overlap);
    return krylov_halo_exchange(&v->grid, &stencil, run, &overlap).chosen;
}

static struct part part_of(const struct krylov_part *part)
{
    return (struct part){ krylov_part_computation_s(part), part->allreduce_s,
                          part->allreduce_hidden_s, part->halo_s + part->cycle_s,
                          krylov_part_s(part) };
}

static void put_totals(const struct krylov_solve *v, const struct krylov_totals *totals,
                       const struct krylov_estimate *each, struct own *own)
{
    const double iterations = krylov_iterations(krylov_solve_solver(v), v->iterations);

    own->initial = part_of(&totals->start);
    own->iterating = part_of(&totals->steps);
    own->iteration_s = krylov_part_s(&totals->steps) / iterations;
    own->phases = (struct krylov_computation){ each->matvec_s, each->preconditioner_s,
                                               totals->steps.vector_s / iterations };
    own->matvecs = totals->start.matvecs + totals->steps.matvecs;
    own->preconditioner_applications =
        totals->start.preconditioners + totals->steps.preconditioners;
    own->allreduces = totals->start.allreduces + totals->steps.allreduces;
}

static void put_memory(const struct krylov_solve *v, const struct krylov_problem *problem,
                       const struct fr_calibration *cal, struct fr_prediction *out)
{
    out->memory_bytes_per_process = problem->bytes.memory;
    out->memory_limit_bytes_per_process =
        cal->node.memory_bytes / (double)v->grid.common.processes_per_node;
    out->used |= FR_USE(NODE_MEMORY);
}

static void warn_diagonal(const struct krylov_solve *v, struct fr_prediction *out)
{
    double rows = 0;

    if (!v->facts || v->facts->zero_diagonals <= 0 || v->preconditioner == KRYLOV_PC_NONE)
        return;
    for (int64_t p = 0; p < v->facts->processes; p++)
        rows += (double)v->facts->rows[p];
    fr_warn(out, FR_WARN_ZERO_DIAGONAL, krylov_preconditioners[v->preconditioner],
            (double)v->facts->zero_diagonals, 0, rows);
}

static void finish(const struct krylov_solve *v, const struct krylov_link_load *load,
                   struct fr_evaluation *run)
{
    if (v->facts)
        krylov_finish(&v->grid.common, run);
    else
        krylov_finish_grid(&v->grid, run);
    run->out->vector[VECTOR_LOCAL_GRID] = v->grid.layout.local_grid;
    if (isnan(load->link_s))
        krylov_warn_stalls(&v->grid.common, run);
}

static struct krylov_prices prices_of(const struct krylov_solve *v,
                                      const struct krylov_problem *problem,
                                      const struct krylov_link_load *load,
                                      const struct krylov_cycle *cycle, struct fr_evaluation *run)
{
    struct krylov_estimate each = krylov_solve_estimate(v, run, &problem->bytes);
    const struct krylov_least least = krylov_least(&v->grid.common, run);
    struct krylov_time halo;

    if (krylov_solve_has_levels(v))
        each.preconditioner_s = cycle->sum.computation_s;
    each.is_bound = each.is_bound || cycle->is_bound;
    run->out->text = krylov_solve_correct(v, run, &each);
    halo = halo_of(v, load, each.matvec_s * problem->own_share, run);
    return (struct krylov_prices){
        .each = each,
        .halo = halo,
        .halo_bound_s = krylov_halo_bound_s(&least, &halo, load, run->cal),
        .least = least,
        .cycle_s = cycle->sum.communication_s - cycle->sum.hidden_s,
        .cycle_hidden_s = cycle->sum.hidden_s,
        .cycle_bound_s = cycle->bound_s,
        .progress = v->progress,
    };
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct krylov_solve *v = values;
    struct fr_prediction *out = run->out;
    struct own *own = FR_OWN_OF(struct own, out);
    struct krylov_link_load burst, load;
    struct krylov_problem problem;
    struct krylov_levels levels;
    struct krylov_cycle cycle;
    struct krylov_prices prices;
    struct krylov_totals totals;

    if (krylov_solve_problem(v, run, &problem) != FR_OK)
        return;
    warn_diagonal(v, out);
    burst = krylov_solve_burst(v, run);
    load = load_of(v, &burst, run);
    cycle = krylov_solve_cycle(v, problem.bytes.working_set, &burst, run, &levels);
    prices = prices_of(v, &problem, &load, &cycle, run);
    totals = krylov_totals(&v->grid.common, krylov_solve_solver(v), v->iterations, v->restart,
                           &prices, run);
    put_totals(v, &totals, &prices.each, own);
    own->halo = prices.halo;
    own->link_s = load.link_s;
    own->link_bytes = load.link_bytes;
    own->link_protocol_s = load.link_protocol_s;
    own->working_set_bytes = problem.bytes.working_set;
    own->load_balance_factor = problem.load_balance_factor;
    own->multigrid = krylov_multigrid(&levels, &cycle);
    krylov_put_totals(&totals, 0, out);
    put_memory(v, &problem, run->cal, out);
    fr_kernel_choice(run, krylov_processes_of(&v->grid.common));
    if (krylov_solve_has_levels(v))
        out->error_fraction = 0;
    finish(v, &load, run);
}

static void memory(const void *values, struct fr_evaluation *run)
{
    const struct krylov_solve *v = values;
    struct krylov_problem problem;

    if (krylov_solve_problem(v, run, &problem) == FR_OK)
        put_memory(v, &problem, run->cal, run->out);
}

static void set_partitions(void *values, const struct fr_partition_source *source)
{
    ((struct krylov_solve *)values)->source = source;
}

const struct fr_model fr_model_solve = {
    .name = "solve",
    .family = "krylov",
    .summary = "An iterative solver on a grid of given size or on a matrix: fourteen Krylov "
               "methods, memory, and the links of the network.",
    .source = "Ghysels, Vanroose, Parallel Computing 40 (2014); Cools, Vanroose, Parallel "
              "Computing 65 (2017); Bienz, Gropp, Olson, JPDC 130 (2019); counts of PETSc 3.18",
    .assumes = FR_TEXTS("Each phase takes as long as for the process that is busiest with it.",
                        "Computation moves bytes at the bandwidth that was measured for as many "
                        "busy cores and as large a working set.",
                        "A process at the boundary of the domain has as many entries as one "
                        "inside; the largest box counts for all.",
                        "Left preconditioning (fgmres: right), one classical Gram-Schmidt pass, "
                        "zero initial guess; counts of PETSc's solvers.",
                        "All processes exchange their halos at the same time; every process that "
                        "sends off its node waits for the busiest link."),
    .blind_spots = FR_TEXTS(
        "The number of iterations that a solver needs: pipelined variants and larger process "
        "counts may need more.",
        "Without a saved run no wait for the slowest process is charged but for what the "
        "calibration saw of calls at once.",
        "Links of the network under an allreduce, and other jobs on them.",
        "Set-up of preconditioners, and levels of algebraic multigrid on an uploaded matrix."),
    .error_fraction = 0.7,
    .groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_MEMORY | FR_CAL_KERNELS,
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(PROTOCOLS),
               .either = { { FR_USE(MATVEC_SIZES), FR_USE(MEMORY_BANDWIDTH),
                             FR_USE(CORE_BANDWIDTH) } },
               .helpful = FR_USE(NODE_BANDWIDTH) | FR_USE(INJECTION) | FR_USE(STALL_TIME) |
                          FR_USE(TOPOLOGY) | FR_USE(EXCHANGE) | FR_USE(FOLD) | FR_USE(BURST) |
                          FR_USE(INDEX_BYTES) | FR_USE(SPARSE_MATVEC) | FR_USE(SPARSE_SOLVE) |
                          FR_USE(SPARSE_ILU) | FR_USE(VECTOR) | FR_USE(VECTOR_FUSED) |
                          FR_USE(NODE_MEMORY) | FR_USE(VARIABILITY) },
    .needs = needs,
    .cost = FR_LONG,
    .values_size = sizeof(struct krylov_solve),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .grows_with = FR_TEXTS("iterations"),
    .explain = krylov_solve_explain,
    .list_name = "levels",
    .list_columns = krylov_level_columns,
    .set_run = krylov_solve_set_run,
    .nearest_run = krylov_solve_nearest_run,
    .set_partitions = set_partitions,
    .check_given = krylov_solve_check_given,
    .resolve = krylov_solve_resolve,
    .predict = predict,
    .memory = memory,
    .node_counts = krylov_grid_node_counts,
    .set_nodes = krylov_set_nodes,
};
