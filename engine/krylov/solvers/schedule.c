/* What a solve performs in total (docs/models/krylov_problem.md#solvers). */
#include "engine/krylov/solvers/solvers.h"

#include <math.h>

static void visit(const struct krylov_schedule_visitor *visitor, double times,
                  const struct krylov_counts *counts)
{
    if (times > 0)
        visitor->visit(visitor->context, times, counts);
}

/* Iteration k of a cycle. */
static struct krylov_counts column(const struct krylov_solver *solver, double k)
{
    struct krylov_counts counts = solver->step;

    counts.vector_words += k * solver->words_per_column;
    counts.allreduce[0].bytes += k * solver->bytes_per_column;
    return counts;
}

/* Full cycles of m iterations, then one of 1 to m. */
static void visit_cycles(const struct krylov_solver *solver, int64_t iterations, int64_t m,
                         const struct krylov_schedule_visitor *visitor)
{
    const int64_t cycles = (iterations - 1) / m, last = iterations - cycles * m;
    const double full = (double)cycles;
    const struct krylov_counts solution = { .vector_words = (double)m + 5 };
    const struct krylov_counts last_solution = { .vector_words = (double)last + 5 };
    const struct krylov_counts not_begun = { .matvecs = -1, .preconditioners = -1 };

    for (int64_t k = 1; k <= m && k <= iterations; k++) {
        const struct krylov_counts counts = column(solver, (double)k);

        visit(visitor, full + (k <= last), &counts);
    }
    visit(visitor, full, &solver->restart);
    visit(visitor, full, &solution);
    visit(visitor, 1, &last_solution);
    visit(visitor, solver->is_ahead && last == m ? 1 : 0, &not_begun);
}

void krylov_schedule(const struct krylov_solver *solver, int64_t iterations, int64_t restart,
                     struct krylov_schedule_visitor visitor)
{
    visit(&visitor, 1, &solver->start);
    if (solver->bytes_per_column > 0)
        visit_cycles(solver, iterations, restart, &visitor);
    else
        visit(&visitor, krylov_iterations(solver, iterations) / solver->iterations, &solver->step);
}

double krylov_iterations(const struct krylov_solver *solver, int64_t iterations)
{
    return solver->iterations * ceil((double)iterations / solver->iterations);
}

double krylov_vectors(const struct krylov_solver *solver, int64_t restart)
{
    return solver->vectors + solver->vectors_per_column * (double)restart;
}
