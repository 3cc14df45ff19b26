/* The multigrid preconditioner of a question of solve (docs/models/multigrid.md). */
#include "engine/krylov/solve_multigrid.h"
#include "engine/krylov/halo/halo.h"

#include <math.h>

bool krylov_solve_has_levels(const struct krylov_solve *v)
{
    return v->preconditioner == KRYLOV_PC_MULTIGRID;
}

static struct krylov_smoothing smoothing_of(const struct krylov_solve *v)
{
    return (struct krylov_smoothing){
        .smoother = (enum krylov_smoother)v->smoother,
        .coarse_solver = (enum krylov_coarse_solver)v->coarse_solver,
        .pre_sweeps = (double)v->pre_sweeps,
        .post_sweeps = (double)v->post_sweeps,
    };
}

int krylov_solve_levels(const struct krylov_solve *v, struct krylov_levels *out,
                        struct fr_faults *faults)
{
    const struct krylov_stencil stencil = krylov_solve_stencil(v);
    const struct krylov_coarsening coarsening = {
        .given = v->levels.text,
        .coarsest_rows = (double)v->coarsest_rows,
        .is_direct = v->coarse_solver != COARSE_SMOOTHER,
    };

    return krylov_find_levels(&v->grid.layout, &stencil, &v->global_grid, &coarsening, out, faults);
}

int krylov_solve_add_levels(const struct krylov_solve *v, double index_bytes,
                            struct krylov_problem *problem, struct fr_faults *faults)
{
    const struct krylov_smoothing smoothing = smoothing_of(v);
    struct krylov_footprint footprint;
    struct krylov_levels levels;

    if (!krylov_solve_has_levels(v))
        return FR_OK;
    if (krylov_solve_levels(v, &levels, faults) != FR_OK)
        return FR_RELATION;
    footprint = krylov_footprint(&levels, &smoothing, index_bytes);
    problem->bytes.working_set += footprint.touched[0];
    problem->bytes.memory += footprint.kept;
    return FR_OK;
}

struct krylov_link_load krylov_solve_burst(const struct krylov_solve *v, struct fr_evaluation *run)
{
    return v->link_sharing && !v->facts ? krylov_burst_load(&v->grid, run) : krylov_no_load;
}

struct krylov_cycle krylov_solve_cycle(const struct krylov_solve *v, double working_set_bytes,
                                       const struct krylov_link_load *burst,
                                       struct fr_evaluation *run, struct krylov_levels *levels)
{
    const struct krylov_smoothing smoothing = smoothing_of(v);
    const struct krylov_kernels kernels = krylov_solve_kernels(v, run->cal);
    struct krylov_cycle_conduct conduct = {
        .grid = &v->grid,
        .is_overlapped = v->matvec_overlap,
        .progress = v->progress,
        .has_links = v->link_sharing,
        .placement = (enum fr_placement)v->placement,
        .burst = *burst,
        .kernels = &kernels,
        .working_set_bytes = working_set_bytes,
    };
    struct krylov_footprint footprint;

    levels->count = 0;
    if (!krylov_solve_has_levels(v) || krylov_solve_levels(v, levels, run->faults) != FR_OK)
        return (struct krylov_cycle){ .bound_s = 0 };
    conduct.index_bytes = krylov_index_bytes(run);
    footprint = krylov_footprint(levels, &smoothing, conduct.index_bytes);
    return krylov_cycle(&conduct, levels, &smoothing, &footprint, run);
}

struct krylov_multigrid krylov_multigrid(const struct krylov_levels *levels,
                                         const struct krylov_cycle *cycle)
{
    const struct krylov_level *finest = levels->level;
    const double all_s = cycle->sum.communication_s;
    double rows = 0, nonzeros = 0;

    if (!levels->count)
        return (struct krylov_multigrid){ NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    for (size_t l = 0; l < levels->count; l++) {
        rows += finest[l].rows;
        nonzeros += finest[l].nonzeros;
    }
    return (struct krylov_multigrid){
        .levels = (double)levels->count,
        .grid_complexity = rows / finest->rows,
        .operator_complexity = nonzeros / finest->nonzeros,
        .messages = cycle->sum.messages,
        .communication_s = all_s,
        .coarse_communication_fraction =
            all_s > 0 ? 1 - cycle->level[0].communication_s / all_s : (double)NAN,
        .cycle_s = krylov_cycle_s(&cycle->sum),
    };
}

const struct fr_column krylov_level_columns[] = {
    { "grid", FR_COLUMN_TEXT },
    { "level", FR_COLUMN_NUMBER },
    { "rows", FR_COLUMN_NUMBER },
    { "nonzeros", FR_COLUMN_NUMBER },
    { "processes", FR_COLUMN_NUMBER },
    { "messages", FR_COLUMN_NUMBER },
    { "bytes", FR_COLUMN_NUMBER },
    { "computation_s", FR_COLUMN_NUMBER },
    { "communication_s", FR_COLUMN_NUMBER },
    { "time_s", FR_COLUMN_NUMBER },
    { NULL, FR_COLUMN_NUMBER },
};

void krylov_solve_explain(const void *values, struct fr_evaluation *run,
                          const struct fr_listing *listing)
{
    const struct krylov_solve *v = values;
    const struct krylov_link_load burst = krylov_solve_burst(v, run);
    struct krylov_problem problem;
    struct krylov_levels levels;
    struct krylov_cycle cycle;

    if (krylov_solve_problem(v, run, &problem) != FR_OK)
        return;
    cycle = krylov_solve_cycle(v, problem.bytes.working_set, &burst, run, &levels);
    for (size_t l = 0; l < levels.count; l++) {
        const struct krylov_level *level = &levels.level[l];
        const struct krylov_cycle_cost *cost = &cycle.level[l];
        const double row[] = {
            (double)l,           level->rows,           level->nonzeros,
            level->processes,    cost->messages,        cost->bytes,
            cost->computation_s, cost->communication_s, krylov_cycle_s(cost),
        };
        char points[80];

        fr_vector_print(&level->grid.points, points, sizeof points);
        if (!listing->row(listing->context, level->grid.points.count ? points : NULL, row))
            return;
    }
}
