/* The computation of solve by saved runs: the run that agrees, or the nearest one
 * (docs/models/krylov_problem.md#saved-runs). */
#include "engine/krylov/solve_multigrid.h"
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"

#include <math.h>
#include <string.h>

/* The question that a run answers; false if it is not legal. */
static bool question_of(const struct krylov_solve *v, const struct fr_saved_run *run,
                        const struct fr_calibration *cal, struct krylov_solve *out)
{
    struct fr_faults faults;

    faults.count = 0;
    memcpy(out, run->values, sizeof *out);
    out->source = v->source;
    out->run = run; /* its computation needs no estimate in seconds */
    return krylov_solve_resolve(out, cal, &faults) == FR_OK;
}

/* Whether a run measured what the resolved question asks. */
static bool is_same(const struct krylov_solve *a, const struct krylov_solve *b)
{
    const struct krylov_grid_values *g = &a->grid, *h = &b->grid;
    const bool reads_restart = krylov_solve_solver(a)->bytes_per_column > 0;

    return g->common.nodes == h->common.nodes &&
           g->common.processes_per_node == h->common.processes_per_node &&
           g->mapping == h->mapping && fr_vector_equal(&g->local_grid, &h->local_grid) &&
           fr_vector_equal(&a->global_grid, &b->global_grid) && a->solver == b->solver &&
           a->stencil == b->stencil && a->dof == b->dof && a->partition == b->partition &&
           a->preconditioner == b->preconditioner && (!reads_restart || a->restart == b->restart) &&
           strcmp(a->matrix.text, b->matrix.text) == 0;
}

static double busy_cores(const struct krylov_solve *v, const struct fr_calibration *cal)
{
    return fmin((double)v->grid.common.processes_per_node, (double)cal->node.cores_per_node);
}

/* How far a run is from the question, by working set, busy cores and solver; -1: it measured just
 * that; infinite: it cannot serve. */
static double distance_of(const struct krylov_solve *v, double working_set_bytes,
                          const struct fr_saved_run *saved, struct fr_evaluation *run)
{
    struct krylov_problem problem;
    struct krylov_solve then;

    if (!krylov_is_measured(saved) || !question_of(v, saved, run->cal, &then) ||
        krylov_solve_has_levels(&then) || krylov_solve_problem(&then, run, &problem) != FR_OK)
        return INFINITY;
    if (is_same(v, &then))
        return -1;
    return fabs(log2(working_set_bytes / problem.bytes.working_set)) +
           fabs(log2(busy_cores(v, run->cal) / busy_cores(&then, run->cal))) +
           (v->solver == then.solver ? 0 : 0.25);
}

size_t krylov_solve_nearest_run(const void *values, const struct fr_saved_run *const *saved,
                                size_t count, const struct fr_calibration *cal,
                                struct fr_arena *arena)
{
    struct fr_faults faults;
    struct fr_prediction scratch;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &scratch, .faults = &faults };
    struct krylov_problem problem;
    double least = INFINITY;
    size_t nearest = count;
    struct krylov_solve v;

    faults.count = 0;
    fr_prediction_clear(&scratch);
    memcpy(&v, values, sizeof v);
    v.run = count ? saved[0] : NULL;
    if (krylov_solve_resolve(&v, cal, &faults) != FR_OK ||
        krylov_solve_problem(&v, &run, &problem) != FR_OK)
        return count; /* the answer says why */
    for (size_t i = 0; i < count; i++) {
        const double distance = distance_of(&v, problem.bytes.working_set, saved[i], &run);

        if (distance > least || isinf(distance))
            continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

void krylov_solve_set_run(void *values, const struct fr_saved_run *run)
{
    ((struct krylov_solve *)values)->run = run && krylov_is_measured(run) ? run : NULL;
}

/* The factors of a run, and what it ran; false if it cannot serve. */
static bool factors_of(const struct krylov_solve *v, struct fr_evaluation *run,
                       struct krylov_solve *then, struct krylov_correction *out)
{
    struct fr_prediction scratch;
    struct fr_evaluation aside = *run;
    struct krylov_problem problem;
    struct krylov_estimate own;
    struct krylov_counts iteration;

    aside.out = &scratch;
    fr_prediction_clear(&scratch);
    if (!question_of(v, v->run, run->cal, then) || krylov_solve_has_levels(then) ||
        krylov_solve_problem(then, &aside, &problem) != FR_OK)
        return false;
    own = krylov_solve_estimate(then, &aside, &problem.bytes);
    iteration =
        krylov_average_iteration(krylov_solve_solver(then), then->iterations, then->restart);
    *out = krylov_correction(v->run, krylov_solve_solver(then), &iteration, &own);
    return true;
}

static void warn_of_estimate(const struct krylov_solve *v, const struct krylov_estimate *each,
                             struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;

    if (!each->is_bound)
        return;
    run->out->error_fraction = 0;
    fr_warn(run->out, FR_WARN_COMPUTATION, NULL, 1, 1, 1);
    if (isnan(cal->memory.core_bandwidth_bytes_per_s) &&
        v->grid.common.processes_per_node < cal->node.cores_per_node)
        fr_warn(run->out, FR_WARN_CORE_BANDWIDTH, NULL, 1, 1, 1);
}

/* Products wait for their halo and inner products for each other, and so for the last process. */
static void wait_for_last(const struct krylov_solve *v, struct krylov_estimate *each,
                          struct fr_evaluation *run)
{
    const double late = fr_kernel_late(run, krylov_processes_of(&v->grid.common));

    if (isnan(late))
        return;
    each->matvec_s *= 1 + late;
    each->preconditioner_s *= 1 + late;
    each->word_s *= 1 + late;
}

const char *krylov_solve_correct(const struct krylov_solve *v, struct fr_evaluation *run,
                                 struct krylov_estimate *each)
{
    struct krylov_correction factor;
    struct krylov_solve then;

    if (!v->run || !factors_of(v, run, &then, &factor)) {
        warn_of_estimate(v, each, run);
        wait_for_last(v, each, run);
        return "estimated";
    }
    each->matvec_s *= factor.matvec;
    if (krylov_solve_has_levels(v))
        warn_of_estimate(v, each, run); /* runs do not tell a cycle from its messages */
    else
        each->preconditioner_s *= factor.preconditioner;
    each->word_s *= factor.vector;
    if (factor.is_split)
        fr_warn(run->out, FR_WARN_COMPUTATION_SPLIT, NULL, 1, 1, 1);
    if (is_same(v, &then))
        return "measured";
    fr_warn(run->out, FR_WARN_TRANSFERRED, NULL, 1, 1, 1);
    return "transferred";
}
