/* Begins and ends the measurements of a plan. */
#include "calibrations/calibrate/core/bench.h"

static double left_s(const struct fr_context *context)
{
    return context->options->time_limit_s - (MPI_Wtime() - context->started_s);
}

bool fr_plan_begin(struct fr_context *context, const char *what)
{
    struct fr_plan *plan = &context->plan;
    const int index = fr_plan_find(plan, what);
    int fits;

    if (index < 0)
        return true;
    fits = fr_plan_fits(plan, index, left_s(context));
    MPI_Bcast(&fits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!fits) {
        plan->item[index].is_over = true;
        plan->has_cuts = true;
        fr_bench_missing(context, what, "no time for it within --time-limit");
    }
    plan->began_s = MPI_Wtime();
    return fits;
}

void fr_plan_end(struct fr_context *context, const char *what)
{
    struct fr_plan *plan = &context->plan;
    const int index = fr_plan_find(plan, what);

    if (index < 0)
        return;
    plan->item[index].is_over = true;
    plan->expected_s += plan->item[index].expected_s;
    plan->spent_s += MPI_Wtime() - plan->began_s;
}
