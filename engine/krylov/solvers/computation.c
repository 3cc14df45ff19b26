/* Computation of cg: from a saved run, or from the bytes that it moves
 * (docs/models/krylov.md#computation), and the wait for the slowest process. */
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"

#include <math.h>

/* ln(4/3) / ln 2: an exponential excess (docs/models/krylov.md#decision-waits-without-a-run). */
#define QUARTILE_OF_MEDIAN 0.41503749927884381

/* Statistics of the computation of the run; NULL if there is no run or it has none. */
static const struct fr_run_statistics *measured(const struct krylov_grid_values *v)
{
    const struct fr_saved_run *run = v->common.run;

    if (!run || isnan(run->computation.of[FR_RUN_ITERATION].median_s))
        return NULL;
    return run->computation.of;
}

/* Rows of a process in the run; those of the request if the run does not state them. */
static double run_rows(const struct krylov_grid_values *v)
{
    const struct krylov_grid_values *then = v->common.run->values;
    const struct fr_vector *grid = then->local_grid.count ? &then->local_grid : &v->local_grid;

    return fr_vector_product(grid);
}

static double scale(const struct krylov_grid_values *v)
{
    return fr_vector_product(&v->local_grid) / run_rows(v);
}

static bool is_waiting(const struct krylov_grid_values *v)
{
    const bool is_alone = v->common.nodes == 1 && v->common.processes_per_node == 1;

    return !is_alone && krylov_has(&v->common, SYNCHRONIZATION);
}

static struct krylov_kernels kernels_of(const struct krylov_solver *solver,
                                        const struct fr_calibration *cal)
{
    return krylov_kernels(cal, KRYLOV_PC_ICC, solver->is_fused);
}

int krylov_check_computation(const struct krylov_grid_values *v, const struct krylov_solver *solver,
                             double wait_fraction, const struct fr_calibration *cal,
                             struct fr_faults *faults)
{
    const struct fr_run_statistics *of = measured(v);
    const struct krylov_kernels kernels = kernels_of(solver, cal);

    if (!of && !krylov_can_estimate(cal, &kernels))
        return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                        "memory.node_bandwidth_bytes_per_s, which estimates the computation, is "
                        "missing; it is not needed with a saved run that has its computation");
    if (of && is_waiting(v) && isnan(wait_fraction) && solver->segment[0] == FR_RUN_PAIR &&
        isnan(of[FR_RUN_PAIR].median_s))
        return fr_fault(faults, FR_RELATION, "run",
                        "pipe2cg needs the computation of at least two iterations, and the run has "
                        "one; give wait_fraction, leave synchronization out of penalties, or use "
                        "another run");
    return FR_OK;
}

double krylov_entries(const struct fr_vector *local_grid)
{
    return 27 * fr_vector_product(local_grid);
}

double krylov_inside_entries(const struct fr_vector *local_grid)
{
    double entries = 1;

    for (size_t i = 0; i < local_grid->count; i++)
        entries *= 3 * (double)local_grid->at[i] - 2;
    return entries;
}

/* Sets `is_bound` if a phase is a share of the memory bandwidth. */
static struct krylov_computation estimate(const struct krylov_grid_values *v,
                                          const struct krylov_solver *solver,
                                          struct fr_evaluation *run, bool *is_bound)
{
    const struct krylov_holding holding = {
        .rows = fr_vector_product(&v->local_grid),
        .entries = krylov_entries(&v->local_grid),
        .diagonal = krylov_inside_entries(&v->local_grid),
    };
    const struct krylov_kernels kernels = kernels_of(solver, run->cal);
    const struct krylov_bytes bytes =
        krylov_bytes(&holding, KRYLOV_PC_ICC, solver->vectors, krylov_index_bytes(run));

    const struct krylov_estimate each = krylov_estimate(&v->common, run, &kernels, &bytes);

    *is_bound = each.is_bound;
    return (struct krylov_computation){
        each.matvec_s,
        each.preconditioner_s,
        solver->step.vector_words / solver->iterations * each.word_s,
    };
}

static struct krylov_computation times(double factor, struct krylov_computation of)
{
    return (struct krylov_computation){ factor * of.matvec_s, factor * of.preconditioner_s,
                                        factor * of.vector_s };
}

struct krylov_computation krylov_computation(const struct krylov_grid_values *v,
                                             const struct krylov_solver *solver,
                                             struct fr_evaluation *run)
{
    const struct fr_run_statistics *of = measured(v);
    const double rows = fr_vector_product(&v->local_grid);
    struct krylov_computation estimated;
    bool is_bound;

    if (!of) {
        estimated = estimate(v, solver, run, &is_bound);
        if (is_bound) {
            run->out->error_fraction = 0;
            fr_warn(run->out, FR_WARN_COMPUTATION, NULL, 1, 1, 1);
        }
        return estimated;
    }
    if (run_rows(v) != rows)
        fr_warn(run->out, FR_WARN_COMPUTATION_SCALED, NULL, rows, run_rows(v), run_rows(v));
    if (!isnan(of[FR_RUN_MATVEC].median_s))
        return times(scale(v), (struct krylov_computation){ of[FR_RUN_MATVEC].median_s,
                                                            of[FR_RUN_PRECONDITIONER].median_s,
                                                            of[FR_RUN_VECTOR].median_s });
    fr_warn(run->out, FR_WARN_COMPUTATION_SPLIT, NULL, 1, 1, 1);
    estimated = estimate(v, solver, run, &is_bound);
    return times(scale(v) * of[FR_RUN_ITERATION].median_s /
                     (estimated.matvec_s + estimated.preconditioner_s + estimated.vector_s),
                 estimated);
}

/* Excess of the slowest process: of the medians for a blocking allreduce, of the first quartiles
 * for a non-blocking one. */
static double wait_s(const struct fr_run_statistics *of, bool is_blocking)
{
    return fmax(0, is_blocking ? of->slowest_median_s - of->median_s
                               : of->slowest_first_quartile_s - of->first_quartile_s);
}

/* The same of the computation of a step, all of whose segments are followed by an allreduce. */
static double wait_by_fraction_s(const struct krylov_solver *solver, double wait_fraction,
                                 const struct krylov_computation *each)
{
    const double step_s = solver->step.matvecs * each->matvec_s +
                          solver->step.preconditioners * each->preconditioner_s +
                          solver->iterations * each->vector_s;

    return wait_fraction * step_s *
           (solver->step.allreduce[0].is_blocking ? 1 : QUARTILE_OF_MEDIAN);
}

double krylov_synchronization_s(const struct krylov_grid_values *v,
                                const struct krylov_solver *solver, double wait_fraction,
                                const struct krylov_computation *each, struct fr_evaluation *run)
{
    const bool is_blocking = solver->step.allreduce[0].is_blocking;
    const struct fr_run_statistics *of = measured(v);
    double sum_s = 0;

    if (!is_waiting(v))
        return 0;
    if (!of && isnan(wait_fraction))
        wait_fraction = fr_kernel_late(run, krylov_processes_of(&v->common));
    if (!isnan(wait_fraction))
        return wait_by_fraction_s(solver, wait_fraction, each) / (double)solver->step.allreduces;
    if (!of) {
        fr_warn(run->out, FR_WARN_SYNCHRONIZATION, NULL, 1, 1, 1);
        return 0;
    }
    if (isnan(of[solver->segment[0]].median_s)) /* only whole iterations are known: one segment */
        return scale(v) * wait_s(&of[FR_RUN_ITERATION], is_blocking) /
               (double)solver->step.allreduces;
    for (size_t i = 0; i < solver->segments; i++)
        sum_s += wait_s(&of[solver->segment[i]], is_blocking);
    return scale(v) * sum_s / (double)solver->step.allreduces;
}
