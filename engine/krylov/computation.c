/* Computation of cg: from a saved run, or from the bytes that it moves
 * (docs/models/krylov.md#computation), and the wait for the slowest process. */
#include "engine/krylov/computation.h"

#include <math.h>

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

int krylov_check_computation(const struct krylov_grid_values *v, const struct krylov_solver *solver,
                             const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_run_statistics *of = measured(v);

    if (!of && isnan(cal->memory.node_bandwidth_bytes_per_s))
        return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                        "memory.node_bandwidth_bytes_per_s, which estimates the computation, is "
                        "missing; it is not needed with a saved run that has its computation");
    if (of && is_waiting(v) && solver->segment[0] == FR_RUN_PAIR && isnan(of[FR_RUN_PAIR].median_s))
        return fr_fault(faults, FR_RELATION, "run",
                        "pipe2cg needs the computation of at least two iterations, and the run has "
                        "one; leave synchronization out of penalties, or use another run");
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

/* Fraction of the memory bandwidth that a kernel reaches; 1 if it is not calibrated. */
static double fraction(const struct fr_stream_kernel *kernel, uint64_t use,
                       struct fr_evaluation *run)
{
    if (isnan(kernel->bandwidth_fraction))
        return 1;
    run->out->used |= use;
    return kernel->bandwidth_fraction;
}

static double index_bytes(struct fr_evaluation *run)
{
    if (isnan(run->cal->memory.index_bytes))
        return 4;
    run->out->used |= FR_USE(INDEX_BYTES);
    return run->cal->memory.index_bytes;
}

/* Bytes that each phase moves, divided by the fraction of the bandwidth that it reaches.  The
 * preconditioner is ICC(0), forward and backward. */
static struct krylov_computation traffic(const struct krylov_grid_values *v,
                                         const struct krylov_solver *solver,
                                         struct fr_evaluation *run)
{
    const double rows = fr_vector_product(&v->local_grid), i = index_bytes(run);
    const double triangle = (krylov_inside_entries(&v->local_grid) + rows) / 2;
    const double words = solver->step.vector_words / solver->iterations;
    const double f_mv =
        fraction(&run->cal->kernels.stream[FR_SPARSE_MATVEC], FR_USE(SPARSE_MATVEC), run);
    const double f_pc =
        fraction(&run->cal->kernels.stream[FR_SPARSE_TRIANGULAR_SOLVE], FR_USE(SPARSE_SOLVE), run);
    const double f_vec = fraction(&run->cal->kernels.stream[FR_VECTOR_KERNEL], FR_USE(VECTOR), run);

    return (struct krylov_computation){
        .matvec_s = (krylov_entries(&v->local_grid) * (8 + i) + rows * (i + 16)) / f_mv,
        .preconditioner_s = (2 * (triangle * (8 + i) + rows * i) + 32 * rows) / f_pc,
        .vector_s = 8 * words * rows / f_vec,
    };
}

static struct krylov_computation times(double factor, struct krylov_computation of)
{
    return (struct krylov_computation){ factor * of.matvec_s, factor * of.preconditioner_s,
                                        factor * of.vector_s };
}

/* Bandwidth of one process, bytes/s, while all processes of its node compute. */
static double rate(const struct krylov_grid_values *v, struct fr_evaluation *run)
{
    const double share =
        run->cal->memory.node_bandwidth_bytes_per_s / (double)v->common.processes_per_node;
    const double core = run->cal->memory.core_bandwidth_bytes_per_s;

    run->out->used |= FR_USE(MEMORY_BANDWIDTH);
    if (isnan(core))
        return share;
    run->out->used |= FR_USE(CORE_BANDWIDTH);
    return fmin(core, share);
}

struct krylov_computation krylov_computation(const struct krylov_grid_values *v,
                                             const struct krylov_solver *solver,
                                             struct fr_evaluation *run)
{
    const struct fr_run_statistics *of = measured(v);
    const double rows = fr_vector_product(&v->local_grid);
    struct krylov_computation moved;

    if (!of) {
        fr_warn(run->out, FR_WARN_COMPUTATION, NULL, 1, 1, 1);
        return times(1 / rate(v, run), traffic(v, solver, run));
    }
    if (run_rows(v) != rows)
        fr_warn(run->out, FR_WARN_COMPUTATION_SCALED, NULL, rows, run_rows(v), run_rows(v));
    if (!isnan(of[FR_RUN_MATVEC].median_s))
        return times(scale(v), (struct krylov_computation){ of[FR_RUN_MATVEC].median_s,
                                                            of[FR_RUN_PRECONDITIONER].median_s,
                                                            of[FR_RUN_VECTOR].median_s });
    fr_warn(run->out, FR_WARN_COMPUTATION_SPLIT, NULL, 1, 1, 1);
    moved = traffic(v, solver, run);
    return times(scale(v) * of[FR_RUN_ITERATION].median_s /
                     (moved.matvec_s + moved.preconditioner_s + moved.vector_s),
                 moved);
}

/* Excess of the slowest process: of the medians for a blocking allreduce, of the first quartiles
 * for a non-blocking one. */
static double wait_s(const struct fr_run_statistics *of, bool is_blocking)
{
    return fmax(0, is_blocking ? of->slowest_median_s - of->median_s
                               : of->slowest_first_quartile_s - of->first_quartile_s);
}

double krylov_synchronization_s(const struct krylov_grid_values *v,
                                const struct krylov_solver *solver, struct fr_evaluation *run)
{
    const bool is_blocking = solver->step.allreduce[0].is_blocking;
    const struct fr_run_statistics *of = measured(v);
    double sum_s = 0;

    if (!is_waiting(v))
        return 0;
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
