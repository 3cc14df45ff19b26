/* The fastest configuration for each number of nodes. */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REMEDY_BYTES = 48 };

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
    if (one->count)
        all->row[all->count++] = one->row[0];
}

/* Says how many of the counts fit into one question, which `why` says are too many. */
static int refuse_work(const struct fr_faults *why, const struct fr_goal *goal,
                       const int64_t *nodes, size_t done, size_t count, struct fr_faults *faults)
{
    const char *where = goal->nodes ? "nodes" : "max_nodes";
    int64_t most = 0;

    for (size_t i = 0; i < done; i++)
        most = nodes[i] > most ? nodes[i] : most;
    if (!most) {
        *faults = *why; /* a single count is too much already */
        return FR_NOMEM;
    }
    if (goal->nodes)
        return fr_fault(faults, FR_NOMEM, where,
                        "%zu counts are too much work for one question, the first %zu are not; ask "
                        "for fewer counts, or give values of tunables",
                        count, done);
    return fr_fault(faults, FR_NOMEM, where,
                    "%zu counts up to %" PRId64 " nodes are too much work for one question, those "
                    "up to %" PRId64 " are not; ask with max_nodes=%" PRId64
                    ", or give values of tunables",
                    count, nodes[count - 1], most, most);
}

int fr_node_curve(const struct fr_model *model, const void *values,
                  const struct fr_run_source *source, const struct fr_calibration *cal,
                  const struct fr_goal *goal, struct fr_arena *arena, struct fr_ranking *out,
                  struct fr_faults *faults)
{
    const bool is_fixed = !model->node_counts || fr_model_is_sized(model, values);
    int64_t *own = fr_arena_zeroed(arena, FR_MOST_NODE_COUNTS, sizeof *own);
    const int64_t *nodes = goal->nodes;
    size_t count = goal->nodes_count;
    void *trial = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_faults *why = fr_arena_zeroed(arena, 1, sizeof *why);
    struct fr_ranking all = { .is_filled = fr_model_is_filled(model, values) };
    double beyond = INFINITY;

    if (!own || !trial || !why)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
    if (is_fixed) {
        nodes = own;
        count = 1;
    } else if (!nodes) {
        nodes = own;
        count = model->node_counts(values, cal, goal->max_nodes, own, FR_MOST_NODE_COUNTS);
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
        code = fr_rank(model, trial, goal->only, source, cal, goal->memory, 1, arena, &one, why);
        if (code == FR_OK)
            add_best(&all, &one, goal, &beyond);
        out->legal = all.legal;
        if (code == FR_NOMEM)
            return refuse_work(why, goal, nodes, is_fixed ? 0 : i, count, faults);
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
        return explain_memory(model, values, cal, goal, arena, &all, faults);
    *out = all;
    return FR_OK;
}
