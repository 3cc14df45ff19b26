/* Factors by which the phases of a saved run differ from their estimates. */
#include "engine/krylov/solvers/solvers.h"

#include <math.h>

bool krylov_is_measured(const struct fr_saved_run *run)
{
    return !isnan(run->computation.of[FR_RUN_ITERATION].slowest_median_s);
}

static bool is_blocking(const struct krylov_solver *solver)
{
    for (size_t i = 0; i < solver->step.allreduces; i++)
        if (solver->step.allreduce[i].is_blocking)
            return true;
    return false;
}

static double slowest_s(const struct fr_run_statistics *of, bool is_blocking)
{
    return is_blocking ? of->slowest_median_s : of->slowest_first_quartile_s;
}

struct krylov_correction krylov_correction(const struct fr_saved_run *run,
                                           const struct krylov_solver *solver,
                                           const struct krylov_counts *iteration,
                                           const struct krylov_estimate *each)
{
    const struct fr_run_statistics *of = run->computation.of;
    const bool blocks = is_blocking(solver);
    const double matvec_s = iteration->matvecs * each->matvec_s;
    const double preconditioner_s = iteration->preconditioners * each->preconditioner_s;
    const double vector_s = iteration->vector_words * each->word_s;
    double all;

    if (!isnan(of[FR_RUN_MATVEC].slowest_median_s))
        return (struct krylov_correction){
            .matvec = slowest_s(&of[FR_RUN_MATVEC], blocks) / matvec_s,
            .preconditioner = slowest_s(&of[FR_RUN_PRECONDITIONER], blocks) / preconditioner_s,
            .vector = slowest_s(&of[FR_RUN_VECTOR], blocks) / vector_s,
        };
    all = slowest_s(&of[FR_RUN_ITERATION], blocks) / (matvec_s + preconditioner_s + vector_s);
    return (struct krylov_correction){ all, all, all, true };
}

struct average {
    struct krylov_counts sum;
    bool has_start;
};

/* All but the first, which is the start. */
static void add(void *context, double times, const struct krylov_counts *counts)
{
    struct average *average = context;

    if (average->has_start) {
        average->sum.matvecs += times * counts->matvecs;
        average->sum.preconditioners += times * counts->preconditioners;
        average->sum.vector_words += times * counts->vector_words;
    }
    average->has_start = true;
}

struct krylov_counts krylov_average_iteration(const struct krylov_solver *solver,
                                              int64_t iterations, int64_t restart)
{
    const double count = krylov_iterations(solver, iterations);
    struct average average = { { 0 }, false };

    krylov_schedule(solver, iterations, restart, (struct krylov_schedule_visitor){ add, &average });
    return (struct krylov_counts){
        .matvecs = average.sum.matvecs / count,
        .preconditioners = average.sum.preconditioners / count,
        .vector_words = average.sum.vector_words / count,
    };
}
