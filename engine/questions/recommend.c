/* Recommendation: ranks each node count, then chooses the best count for the objective.
 *
 * At a fixed count the fastest configuration is also the cheapest and the most efficient, so one
 * row per count is enough for every objective.
 */
#include "engine/questions/recommend.h"
#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"
#include "engine/prediction/prediction.h"
#include "engine/questions/rank.h"
#include "engine/runs/saved_run.h"

#include <math.h>
#include <string.h>

enum { MAX_COUNTS = 2048 };

double fr_core_hours(const struct fr_prediction *prediction, const struct fr_calibration *cal)
{
    return prediction->nodes * (double)cal->node.cores_per_node * prediction->time_s / 3600;
}

/* The quantity that the objective minimizes. */
static double cost(enum fr_objective objective, const struct fr_prediction *prediction,
                   const struct fr_calibration *cal)
{
    switch (objective) {
    case FR_LEAST_TIME:
        return prediction->time_s;
    case FR_FEWEST_NODES:
        return prediction->nodes;
    case FR_FEWEST_CORE_HOURS:
        return fr_core_hours(prediction, cal);
    case FR_BEST_EFFICIENCY:
        break;
    }
    return -prediction->percent_of_peak;
}

static bool is_better(const struct fr_ranked *a, const struct fr_ranked *b,
                      enum fr_objective objective, const struct fr_calibration *cal)
{
    const double cost_a = cost(objective, &a->prediction, cal);
    const double cost_b = cost(objective, &b->prediction, cal);

    return cost_a != cost_b ? cost_a < cost_b : a->prediction.time_s < b->prediction.time_s;
}

static bool is_in_time(const struct fr_goal *goal, const struct fr_prediction *p)
{
    return isnan(goal->deadline_s) || p->time_s <= goal->deadline_s;
}

static bool is_efficient(const struct fr_goal *goal, const struct fr_prediction *p)
{
    return isnan(goal->min_efficiency_fraction) ||
           p->percent_of_peak >= 100 * goal->min_efficiency_fraction;
}

static bool wants_efficiency(const struct fr_goal *goal)
{
    return goal->objective == FR_BEST_EFFICIENCY || !isnan(goal->min_efficiency_fraction);
}

static int refuse_efficiency(const struct fr_model *model, const struct fr_goal *goal,
                             struct fr_faults *faults)
{
    if (!fr_output_find(model->outputs, "percent_of_peak")) {
        if (goal->objective == FR_BEST_EFFICIENCY)
            fr_fault(faults, FR_RELATION, "objective",
                     "%s has no percent_of_peak, so nothing is efficient; ask for time, nodes "
                     "or core_hours",
                     model->name);
        if (!isnan(goal->min_efficiency_fraction))
            fr_fault(faults, FR_RELATION, "min_efficiency_fraction",
                     "%s has no percent_of_peak, so nothing is efficient; leave it out",
                     model->name);
        return FR_RELATION;
    }
    return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                    "an efficiency needs a peak, and there is none for %s", model->name);
}

/* The row with the least measure among those that pass a test; NULL if none does. */
static const struct fr_ranked *extreme(const struct fr_ranking *all, const struct fr_goal *goal,
                                       bool must_be_in_time, bool must_be_efficient,
                                       enum fr_objective objective,
                                       const struct fr_calibration *cal)
{
    const struct fr_ranked *best = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct fr_ranked *row = &all->row[i];

        if ((must_be_in_time && !is_in_time(goal, &row->prediction)) ||
            (must_be_efficient && !is_efficient(goal, &row->prediction)))
            continue;
        if (!best || is_better(row, best, objective, cal))
            best = row;
    }
    return best;
}

/* Names each failing constraint and its margin. */
static int explain(const struct fr_ranking *all, const struct fr_goal *goal,
                   const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_prediction *fastest =
        &extreme(all, goal, false, false, FR_LEAST_TIME, cal)->prediction;
    const struct fr_prediction *best =
        &extreme(all, goal, false, false, FR_BEST_EFFICIENCY, cal)->prediction;
    const bool is_late = !is_in_time(goal, fastest), is_wasteful = !is_efficient(goal, best);

    if (is_late)
        fr_fault(faults, FR_INFEASIBLE, "deadline_s",
                 "the fastest, on %.0f nodes, takes %.6g s: %.6g s (%.3g %%) more than %.6g s",
                 fastest->nodes, fastest->time_s, fastest->time_s - goal->deadline_s,
                 100 * (fastest->time_s / goal->deadline_s - 1), goal->deadline_s);
    if (is_wasteful)
        fr_fault(faults, FR_INFEASIBLE, "min_efficiency_fraction",
                 "the most efficient, on %.0f nodes, reaches %.4g: %.4g less than %.4g",
                 best->nodes, best->percent_of_peak / 100,
                 goal->min_efficiency_fraction - best->percent_of_peak / 100,
                 goal->min_efficiency_fraction);
    if (is_late || is_wasteful)
        return FR_INFEASIBLE;
    /* Each constraint can be met, but not both: report the closest configuration for each. */
    fastest = &extreme(all, goal, false, true, FR_LEAST_TIME, cal)->prediction;
    best = &extreme(all, goal, true, false, FR_BEST_EFFICIENCY, cal)->prediction;
    fr_fault(faults, FR_INFEASIBLE, "deadline_s",
             "every configuration that is efficient enough takes at least %.6g s: %.6g s more than "
             "the deadline",
             fastest->time_s, fastest->time_s - goal->deadline_s);
    return fr_fault(
        faults, FR_INFEASIBLE, "min_efficiency_fraction",
        "every configuration that meets the deadline reaches at most %.4g: %.4g less than required",
        best->percent_of_peak / 100, goal->min_efficiency_fraction - best->percent_of_peak / 100);
}

static int explain_memory(const struct fr_ranking *all, struct fr_faults *faults)
{
    return fr_fault(
        faults, FR_INFEASIBLE, "memory",
        "nothing fits: a process needs at least %.6g bytes and has %.6g, %.3g times too "
        "much; allow more nodes, or ask with memory=ignore",
        all->least_memory_bytes, all->memory_limit_bytes,
        all->least_memory_bytes / all->memory_limit_bytes);
}

/* Adds the best configuration of one node count.  *beyond becomes the least count above the allowed
 * maximum. */
static void add_best(struct fr_ranking *all, const struct fr_ranking *one,
                     const struct fr_goal *goal, double *beyond)
{
    if (one->count && goal->max_nodes && one->row[0].prediction.nodes > (double)goal->max_nodes) {
        *beyond = fmin(*beyond, one->row[0].prediction.nodes);
        return;
    }
    all->legal += one->legal;
    if (one->left_out_memory &&
        (!all->left_out_memory || one->least_memory_bytes < all->least_memory_bytes)) {
        all->least_memory_bytes = one->least_memory_bytes;
        all->memory_limit_bytes = one->memory_limit_bytes;
    }
    all->left_out_memory += one->left_out_memory;
    if (!all->left_out_missing && !all->left_out_long)
        memcpy(all->reason, one->reason, sizeof all->reason);
    all->left_out_missing += one->left_out_missing;
    all->left_out_long += one->left_out_long;
    if (one->count)
        all->row[all->count++] = one->row[0];
}

/* Moves the rows that meet the constraints to the front, best first, and drops the others. */
static void select_rows(struct fr_ranking *all, const struct fr_goal *goal, size_t keep,
                        const struct fr_calibration *cal)
{
    size_t kept = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct fr_ranked row = all->row[i];
        size_t at = kept;

        if (!is_in_time(goal, &row.prediction) || !is_efficient(goal, &row.prediction))
            continue;
        for (; at > 0 && is_better(&row, &all->row[at - 1], goal->objective, cal); at--)
            all->row[at] = all->row[at - 1];
        all->row[at] = row;
        kept++;
    }
    all->count = kept < keep ? kept : keep;
}

int fr_recommend(const struct fr_model *model, const void *values,
                 const struct fr_run_source *source, const struct fr_calibration *cal,
                 const struct fr_goal *goal, size_t keep, struct fr_arena *arena,
                 struct fr_ranking *out, struct fr_faults *faults)
{
    const bool is_fixed = !model->node_counts || fr_model_is_sized(model, values);
    int64_t *own = fr_arena_zeroed(arena, MAX_COUNTS, sizeof *own);
    const int64_t *nodes = goal->nodes;
    size_t count = goal->nodes_count;
    void *trial = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_faults *why = fr_arena_zeroed(arena, 1, sizeof *why);
    struct fr_ranking all = { 0 };
    double beyond = INFINITY;

    if (!own || !trial || !why)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
    if (is_fixed) {
        nodes = own;
        count = 1;
    } else if (!nodes) {
        nodes = own;
        count = model->node_counts(values, cal, goal->max_nodes, own, MAX_COUNTS);
    }
    all.row = fr_arena_zeroed(arena, count, sizeof *all.row);
    if (!all.row)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
    for (size_t i = 0; i < count; i++) {
        struct fr_ranking one;
        int code;

        memcpy(trial, values, model->values_size);
        if (!is_fixed)
            model->set_nodes(trial, nodes[i]);
        why->count = 0;
        code = fr_rank(model, trial, source, cal, goal->memory, 1, arena, &one, why);
        if (code == FR_OK)
            add_best(&all, &one, goal, &beyond);
        if (code == FR_NOMEM) {
            *faults = *why;
            return code;
        }
    }
    if (!all.legal && isfinite(beyond))
        return fr_fault(faults, FR_INFEASIBLE, "max_nodes",
                        "it takes %.0f nodes: %.0f more than %lld", beyond,
                        beyond - (double)goal->max_nodes, (long long)goal->max_nodes);
    if (!all.legal && why->count) {
        *faults = *why; /* of the last count; the faults of the others are alike */
        return FR_RELATION;
    }
    if (!all.legal)
        return fr_fault(faults, FR_INFEASIBLE, "max_nodes", "%lld nodes leave nothing to try",
                        (long long)goal->max_nodes);
    if (!all.count)
        return explain_memory(&all, faults);
    if (wants_efficiency(goal) && isnan(all.row[0].prediction.percent_of_peak))
        return refuse_efficiency(model, goal, faults);
    all.fastest = *extreme(&all, goal, false, false, FR_LEAST_TIME, cal);
    *out = all;
    select_rows(out, goal, keep, cal);
    return out->count ? FR_OK : explain(&all, goal, cal, faults);
}
