#include "tests/unit/support/solver_counts.h"

#include <stdio.h>
#include <string.h>

static void add_counts(void *context, double times, const struct krylov_counts *counts)
{
    struct solver_counts *sum = context;

    sum->matvecs += times * counts->matvecs;
    sum->preconditioners += times * counts->preconditioners;
    sum->words += times * counts->vector_words;
    for (size_t i = 0; i < counts->allreduces; i++) {
        char key[24];
        double before;

        snprintf(key, sizeof key, "%s%g", counts->allreduce[i].is_blocking ? "" : "i",
                 counts->allreduce[i].bytes);
        before = json_number_value(json_object_get(sum->reductions, key));
        json_object_set_new(sum->reductions, key, json_real(before + times));
    }
}

const struct krylov_solver *solver_named(const char *name)
{
    int solver = 0;

    while (strcmp(krylov_solver_names[solver], name))
        solver++;
    return &krylov_solvers[solver];
}

struct solver_counts solver_counts(const struct krylov_solver *solver, int64_t iterations,
                                   int64_t restart)
{
    struct solver_counts sum = { .reductions = json_object() };

    krylov_schedule(solver, iterations, restart,
                    (struct krylov_schedule_visitor){ add_counts, &sum });
    return sum;
}
