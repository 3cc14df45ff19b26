/* cg: conjugate gradients on a structured grid.  The five variants differ in the number of their
 * allreduces and in the computation that hides the penalties of these.
 *
 * T = T_start + steps T_step (docs/models/krylov.md#time-of-a-solve).  Each part has products,
 * preconditioner applications, vector work, allreduces with their wait for the slowest process, and
 * a halo exchange for every product, which overlaps with the entries that need no neighbour.
 */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/model.h"

#include <math.h>

struct cg {
    struct krylov_grid_values grid;
    int64_t iterations;
    double wait_fraction; /* NaN: from the saved run, else unknown */
    int solver, matvec_overlap;
};

static const struct fr_param params[] = {
    FR_CHOICE_OF(
        struct cg, solver, .choices = krylov_cg_names, .choice_aliases = krylov_solver_aliases,
        .unit = "", .fallback = SOLVER_PCG, .flags = FR_DEFAULT | FR_TUNABLE,
        .doc = "Conjugate gradients of Hestenes and Stiefel, with two allreduces an iteration; "
               "with one; with two non-blocking ones; pipelined; pipelined over two "
               "iterations."),
    KRYLOV_PARAMS(ROUNDS_REAL),
    KRYLOV_GRID_PARAMS(0, FR_REQUIRED),
    KRYLOV_PROCESS_PARAM,
    FR_INT(struct cg, iterations, .unit = "1", .min = 1, .max = 1e9,
           .flags = FR_REQUIRED | FR_ITERATIONS, .doc = "Iterations until convergence."),
    FR_REAL(struct cg, wait_fraction, .unit = "1", .min = 0, .max = 1e6,
            .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_METHOD,
            .doc = "How much longer the slowest process computes between two blocking allreduces "
                   "than a typical one, as a share of that computation. If left open, a saved run "
                   "gives it."),
    FR_BOOL(struct cg, matvec_overlap, .unit = "", .fallback = 1, .flags = FR_DEFAULT,
            .doc = "Whether the halo exchange overlaps with the product of entries that need no "
                   "neighbour."),
    FR_PARAMS_END,
};

struct part {
    double computation_s, allreduce_s, halo_s, synchronization_s, allreduce_penalty_s,
        allreduce_hidden_s, time_s;
};
struct own {
    struct part initial, step;
    double steps, iterations_per_step, iteration_s, synchronization_each_s;
    struct krylov_computation phases;
    struct krylov_time halo;
};

#define PART(part, of)                                                                    \
    FR_OWN(struct own, part.computation_s, .unit = "s", .doc = "Computation of " of "."), \
        FR_OWN(struct own, part.allreduce_s, .unit = "s",                                 \
               .doc = "Its allreduces without the wait for the slowest process."),        \
        FR_OWN(struct own, part.halo_s, .unit = "s", .doc = "Its halo exchanges."),       \
        FR_OWN(struct own, part.synchronization_s, .unit = "s",                           \
               .doc = "Wait of its allreduces for the slowest process."),                 \
        FR_OWN(struct own, part.allreduce_penalty_s, .unit = "s",                         \
               .doc = "Penalties of its allreduces, including hidden ones."),             \
        FR_OWN(struct own, part.allreduce_hidden_s, .unit = "s",                          \
               .doc = "Part of these penalties that overlaps with computation."),         \
        FR_OWN(struct own, part.time_s, .unit = "s", .doc = "Time of " of ".")

#define HALO(f, ...) FR_OWN(struct own, halo.f, __VA_ARGS__)

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s", .doc = "Time of the solve."),
    FR_OUTPUT(computation_s, .unit = "s", .doc = "Time of all phases that compute."),
    FR_OUTPUT(communication_s, .unit = "s",
              .doc = "Allreduces, halo exchanges and waiting, including hidden time."),
    FR_OUTPUT(hidden_s, .unit = "s", .doc = "Communication that overlaps with computation."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the job."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes of the job."),
    PART(initial, "the start, which does not grow with the iterations"),
    PART(step, "a step of one or two iterations"),
    FR_OWN(struct own, steps, .unit = "1", .doc = "Steps of the solve."),
    FR_OWN(struct own, iterations_per_step, .unit = "1",
           .doc = "Iterations in a step: 2 in pipe2cg, else 1."),
    FR_OWN(struct own, iteration_s, .unit = "s", .doc = "Time of an iteration."),
    FR_OWN(struct own, phases.matvec_s, .unit = "s",
           .doc = "One matrix-vector product without its halo exchange."),
    FR_OWN(struct own, phases.preconditioner_s, .unit = "s",
           .doc = "One application of the preconditioner."),
    FR_OWN(struct own, phases.vector_s, .unit = "s", .doc = "Vector work of one iteration."),
    FR_OWN(struct own, synchronization_each_s, .unit = "s",
           .doc = "Wait of one allreduce for the slowest process."),
    KRYLOV_EXCHANGE(HALO),
    HALO(hidden_s, .unit = "s",
         .doc = "Penalties that overlap with the rest of the exchange or with the product."),
    HALO(time_s, .unit = "s", .doc = "Time of one halo exchange."),
    KRYLOV_GRID_OUTPUTS,
    FR_OUTPUTS_END,
};

/* Rows couple with all 26 neighbours, so faces, edges and corners are exchanged. */
static struct krylov_stencil stencil_of(const struct cg *v)
{
    return (struct krylov_stencil){
        .dimensions = 3,
        .is_full = true,
        .message_bytes = NAN,
        .values_per_point = 1,
        .local_grid = v->grid.local_grid,
    };
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct cg *v = values;
    struct krylov_stencil stencil = stencil_of(v);
    const struct krylov_rules rules = {
        .has_allreduce = true,
        .grid = &v->grid,
        .stencil = &stencil,
    };
    const size_t before = faults->count;

    if (v->grid.local_grid.count != 3) {
        fr_fault(faults, FR_RELATION, "local_grid",
                 "%zu extents; it must have three, like 16x16x16", v->grid.local_grid.count);
        stencil.local_grid = (struct fr_vector){ 3, { 1, 1, 1 } }; /* to check the rest */
    }
    krylov_resolve(&v->grid.common, cal, &rules, faults);
    krylov_check_computation(&v->grid, &krylov_solvers[v->solver], v->wait_fraction, cal, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}

static unsigned needs(const void *values)
{
    (void)values; /* resolve checks the memory: without a saved run it is needed */
    return FR_CAL_NODE | FR_CAL_NETWORK;
}

static struct krylov_prices prices_of(const struct cg *v, const struct krylov_solver *solver,
                                      const struct krylov_computation *each,
                                      struct fr_evaluation *run)
{
    const struct krylov_stencil stencil = stencil_of(v);
    const struct krylov_link_load load = krylov_known_load(&v->grid, &stencil, run);
    const struct krylov_least least = krylov_least(&v->grid.common, run);
    const struct krylov_overlap overlap = {
        .load = &load,
        .is_blocking = !v->matvec_overlap,
        .seconds = each->matvec_s * krylov_inside_entries(&v->grid.local_grid) /
                   krylov_entries(&v->grid.local_grid),
    };
    const struct krylov_time halo = krylov_halo_exchange(&v->grid, &stencil, run, &overlap).chosen;

    return (struct krylov_prices){
        .each = { .matvec_s = each->matvec_s,
                  .preconditioner_s = each->preconditioner_s,
                  .word_s = each->vector_s * solver->iterations / solver->step.vector_words },
        .halo = halo,
        .halo_bound_s = krylov_halo_bound_s(&least, &halo, &load, run->cal),
        .least = least,
    };
}

/* The start, or one of so many steps, whose allreduces each wait for the slowest process. */
static struct part part_of(const struct krylov_part *part, double steps, double synchronization_s)
{
    const double waits_s = part->allreduces * synchronization_s;

    return (struct part){
        .computation_s = krylov_part_computation_s(part) / steps,
        .allreduce_s = part->allreduce_s / steps,
        .halo_s = part->halo_s / steps,
        .synchronization_s = waits_s / steps,
        .allreduce_penalty_s = part->allreduce_penalty_s / steps,
        .allreduce_hidden_s = part->allreduce_hidden_s / steps,
        .time_s = (krylov_part_s(part) + waits_s) / steps,
    };
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cg *v = values;
    const struct krylov_solver *solver = &krylov_solvers[v->solver];
    const struct krylov_computation each = krylov_computation(&v->grid, solver, run);
    const struct krylov_prices prices = prices_of(v, solver, &each, run);
    const double synchronization_s =
        krylov_synchronization_s(&v->grid, solver, v->wait_fraction, &each, run);
    const struct krylov_totals totals =
        krylov_totals(&v->grid.common, solver, v->iterations, 0, &prices, run);
    const double steps = krylov_iterations(solver, v->iterations) / solver->iterations;
    const struct part step = part_of(&totals.steps, steps, synchronization_s);

    *FR_OWN_OF(struct own, run->out) = (struct own){
        .initial = part_of(&totals.start, 1, synchronization_s),
        .step = step,
        .steps = steps,
        .iterations_per_step = solver->iterations,
        .iteration_s = step.time_s / solver->iterations,
        .synchronization_each_s = synchronization_s,
        .phases = each,
        .halo = prices.halo,
    };
    krylov_put_totals(&totals, synchronization_s, run->out);
    fr_kernel_choice(run, krylov_processes_of(&v->grid.common));
    krylov_finish_grid(&v->grid, run);
    krylov_warn_stalls(&v->grid.common, run);
}

const struct fr_model fr_model_cg = {
    .name = "cg",
    .family = "krylov",
    .summary = "Conjugate gradients on a structured grid: standard, with one allreduce, "
               "non-blocking and pipelined.",
    .source = "Eller, Hoefler, Gropp: Using Performance Models to Understand Scalable Krylov "
              "Solver Performance at Scale for Structured Grid Problems, ICS 2019",
    .assumes =
        FR_TEXTS("A 27-point stencil on a box of rows, the same for every process; ICC(0) within "
                 "the process.",
                 "Postal costs are never hidden: only penalties overlap with computation.",
                 "An allreduce and a halo exchange may overlap with the same computation.",
                 "Natural residual norm, zero initial guess; operation counts of PETSc's solvers.",
                 "Every allreduce waits for the slowest process as the processes of the saved run "
                 "differ, or as wait_fraction says."),
    .blind_spots =
        FR_TEXTS("Without a saved run computation is a bound from memory bandwidth: small local "
                 "grids stay in cache and may be several times faster.",
                 "Without a saved run or wait_fraction no wait for the slowest process is charged "
                 "but for what the calibration saw of calls at once.",
                 "The number of iterations that a solver needs: pipelined variants may need more.",
                 "Fewer entries of processes at the boundary of the domain.",
                 "The effect of the mapping on the stall rate."),
    .error_fraction = 0.7,
    .groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_MEMORY,
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(PROTOCOLS),
               .either = { { FR_USE(MATVEC_SIZES), FR_USE(MEMORY_BANDWIDTH),
                             FR_USE(CORE_BANDWIDTH) } },
               .helpful = FR_USE(NODE_BANDWIDTH) | FR_USE(INJECTION) | FR_USE(STALL_TIME) |
                          FR_USE(TOPOLOGY) | FR_USE(EXCHANGE) | FR_USE(FOLD) | FR_USE(BURST) |
                          FR_USE(INDEX_BYTES) | FR_USE(SPARSE_MATVEC) | FR_USE(SPARSE_SOLVE) |
                          FR_USE(VECTOR) | FR_USE(VECTOR_FUSED) | FR_USE(VARIABILITY) },
    .needs = needs,
    .cost = FR_LONG,
    .values_size = sizeof(struct cg),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .grows_with = FR_TEXTS("iterations"),
    .set_run = krylov_set_run,
    .resolve = resolve,
    .predict = predict,
    .node_counts = krylov_grid_node_counts,
    .set_nodes = krylov_set_nodes,
};
