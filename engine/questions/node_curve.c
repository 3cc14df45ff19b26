/* The fastest configuration for each number of nodes.
 *
 * Coarse to fine: a few counts far apart, then those beside the best so far, then the others.  When
 * the work of the question is used up, what is left is untried. */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REMEDY_BYTES = 48, COARSE = 4 };

static int explain_memory(const struct fr_model *model, const void *values,
                          const struct fr_calibration *cal, const struct fr_goal *goal,
                          struct fr_arena *arena, const struct fr_ranking *all,
                          struct fr_faults *faults)
{
    char least[FR_BYTES_TEXT], limit[FR_BYTES_TEXT], remedy[REMEDY_BYTES];
    char excess[FR_ROUNDED_TEXT];
    int64_t enough = 0;

    if (!goal->nodes && !fr_model_is_sized(model, values))
        enough = fr_fewest_nodes(model, values, goal->only, cal, goal->max_nodes,
                                 goal->machine_nodes, arena);
    if (enough)
        snprintf(remedy, sizeof remedy, "ask with max_nodes=%" PRId64, enough);
    else
        snprintf(remedy, sizeof remedy, "ask %s",
                 fr_model_grows(model, values) ? "for a smaller problem" : "with more nodes");
    fr_number_rounded(100 * (all->least_memory_bytes / all->memory_limit_bytes - 1), FR_NEAREST,
                      excess);
    fr_number_bytes(all->least_memory_bytes, FR_NO_LESS, least);
    fr_number_bytes(all->memory_limit_bytes, FR_NO_MORE, limit);
    return fr_fault(faults, FR_INFEASIBLE, "memory",
                    "nothing fits: a process needs at least %s, %s %% more than the %s that it "
                    "has; %s, or with memory=ignore",
                    least, excess, limit, remedy);
}

/* The curve so far. */
struct curve {
    const struct fr_goal *goal;
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    struct fr_ranking *of; /* by count, each with its best row; without rows: not visited */
    size_t count, visited;
    size_t first; /* all before it are visited */
    double begun_steps;
};

/* The middle of the largest gap between visited counts from `low` on below `high`; `high` if there
 * is none. */
static size_t middle(const struct curve *curve, size_t low, size_t high)
{
    size_t best = high, widest = 0;

    for (size_t i = low; i < high; i++) {
        const size_t begin = i;

        while (i < high && !curve->of[i].row)
            i++;
        if (i - begin > widest) {
            widest = i - begin;
            best = begin + widest / 2;
        }
    }
    return best;
}

/* In the gaps between the best so far and the next counts with a row on both sides; the count if
 * there are none. */
static size_t beside_best(const struct curve *curve)
{
    size_t best = fr_recommend_best(curve->of, curve->count, curve->cal, curve->goal);
    size_t low = best, high = best + 1, at;

    if (best == curve->count)
        return best;
    while (low > 0 && !curve->of[low - 1].count)
        low--;
    while (high < curve->count && !curve->of[high].count)
        high++;
    at = middle(curve, low, high);
    return at < high ? at : curve->count;
}

/* The work of the counts that are left, if it is as much as that of a count so far. */
static double expected_steps(const struct curve *curve, size_t counts)
{
    const double spent = fr_arena_spent(curve->arena) - curve->begun_steps;

    return curve->visited ? spent / (double)curve->visited * (double)counts : INFINITY;
}

/* The count to visit next: the most nodes, the fewest, others far apart, then beside the best.  The
 * order does not matter where there is work enough for all. */
static size_t next_of(struct curve *curve)
{
    const size_t last = curve->count - 1, left = curve->count - curve->visited;
    const double plenty = 4;
    size_t at = curve->count;

    while (curve->first < curve->count && curve->of[curve->first].row)
        curve->first++;
    if (!curve->of[last].row)
        return last;
    if (curve->first == 0 || plenty * expected_steps(curve, left) < fr_arena_left(curve->arena))
        return curve->first;
    if (curve->visited >= COARSE)
        at = beside_best(curve);
    return at < curve->count ? at : middle(curve, 0, curve->count);
}

/* Ranks the configurations of one count with half of the work that is left, or with more if the
 * others can be expected to leave it. */
static int visit(struct curve *curve, size_t at, const struct fr_model *model, const void *trial,
                 const struct fr_run_source *source, struct fr_faults *why)
{
    const double spent = fr_arena_spent(curve->arena), left = fr_arena_left(curve->arena);
    const size_t others = curve->count - curve->visited - 1;
    const double share = others ? fmax(left / 2, left - expected_steps(curve, others)) : left;
    const double most = fr_arena_limit_steps(curve->arena, spent + share);
    int code;

    why->count = 0;
    code = fr_rank(model, trial, curve->goal->only, source, curve->cal, curve->goal->memory, 1,
                   curve->arena, &curve->of[at], why);
    fr_arena_limit_steps(curve->arena, most);
    curve->visited++;
    if (code != FR_OK)
        curve->of[at] =
            (struct fr_ranking){ .row = curve->of[at].row, .untried_nodes = code == FR_NOMEM };
    return code;
}

/* Tells the best so far. */
static void tell(const struct fr_ranking *one, const struct fr_calibration *cal,
                 const struct fr_goal *goal, struct fr_ranking *out)
{
    const struct fr_ranking pair[] = { *out, *one };

    out->legal += one->legal;
    if (one->count && fr_recommend_best(pair, 2, cal, goal) == 1) {
        out->row = one->row;
        out->count = 1;
    }
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
    all->left_out_slow += one->left_out_slow;
    if (!all->left_out_refused)
        memcpy(all->refusal, one->refusal, sizeof all->refusal);
    all->left_out_refused += one->left_out_refused;
    all->untried += one->untried;
    all->untried_nodes += one->untried_nodes;
    if (one->count)
        all->row[all->count++] = one->row[0];
}

/* Why there is no curve; `last` has the faults of the most nodes, and those of others are alike. */
static int explain(const struct fr_model *model, const void *values, const struct curve *curve,
                   const struct fr_ranking *all, double beyond, const struct fr_faults *last,
                   struct fr_faults *faults)
{
    const struct fr_goal *goal = curve->goal;

    if (all->untried_nodes)
        return fr_refusal_too_many(model, values, faults);
    if (!all->legal && isfinite(beyond))
        return fr_fault(faults, FR_INFEASIBLE, "max_nodes",
                        "it takes %.0f nodes: %.0f more than %lld", beyond,
                        beyond - (double)goal->max_nodes, (long long)goal->max_nodes);
    if (!all->legal && last->count) {
        *faults = *last;
        return FR_RELATION;
    }
    if (!all->legal)
        return fr_fault(faults, FR_INFEASIBLE, "max_nodes", "%lld nodes leave nothing to try",
                        (long long)goal->max_nodes);
    return explain_memory(model, values, curve->cal, goal, curve->arena, all, faults);
}

int fr_node_curve(const struct fr_model *model, const void *values,
                  const struct fr_run_source *source, const struct fr_calibration *cal,
                  const struct fr_goal *goal, struct fr_arena *arena, struct fr_ranking *out,
                  struct fr_faults *faults)
{
    const bool is_fixed = !model->node_counts || fr_model_is_sized(model, values);
    int64_t *own = fr_arena_zeroed(arena, FR_MOST_NODE_COUNTS, sizeof *own);
    const int64_t *nodes = goal->nodes;
    struct curve curve = { .goal = goal,
                           .cal = cal,
                           .arena = arena,
                           .count = goal->nodes_count,
                           .begun_steps = fr_arena_spent(arena) };
    void *trial = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_faults *why = fr_arena_zeroed(arena, 2, sizeof *why), *last = why + 1;
    struct fr_ranking all = { .is_filled = fr_model_is_filled(model, values) };
    double beyond = INFINITY;

    if (!own || !trial || !why)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
    if (is_fixed) {
        nodes = own;
        curve.count = 1;
    } else if (!nodes) {
        nodes = own;
        curve.count = model->node_counts(values, cal, goal->max_nodes, own, FR_MOST_NODE_COUNTS);
    }
    all.row = fr_arena_zeroed(arena, curve.count, sizeof *all.row);
    curve.of = fr_arena_zeroed(arena, curve.count, sizeof *curve.of);
    if (!all.row || !curve.of)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
    *out = (struct fr_ranking){ .is_filled = all.is_filled };
    while (curve.visited < curve.count) {
        const size_t at = next_of(&curve);

        memcpy(trial, values, model->values_size);
        if (!is_fixed)
            model->set_nodes(trial, nodes[at]);
        if (visit(&curve, at, model, trial, source, why) == FR_NOMEM && fr_refusal_says_what(why)) {
            *faults = *why;
            return FR_NOMEM;
        }
        tell(&curve.of[at], cal, goal, out);
        if (at == curve.count - 1)
            *last = *why;
    }
    for (size_t i = 0; i < curve.count; i++)
        add_best(&all, &curve.of[i], goal, &beyond);
    if (!all.count)
        return explain(model, values, &curve, &all, beyond, last, faults);
    *out = all;
    return FR_OK;
}
