/* The fewest nodes on which something fits into memory.
 *
 * Each count is tried in turn: a process needs less on more nodes, but not on each, as a count may
 * have grids of many layers alone, which hold copies.
 */
#include "engine/questions/rank.h"

#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"

#include <string.h>

/* The work of a configuration, in steps of the arena: of one whose memory alone is found, and of a
 * prediction; and of a whole search, a part of what a question may take. */
static const double memory_steps = 25, predicted_steps = 500, most_steps = FR_MAX_STEPS / 10;

struct search {
    const struct fr_model *model;
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    void *values;   /* the current combination */
    void *resolved; /* scratch */
    struct fr_prediction *prediction;
    double begun_steps;     /* of the arena, before the search */
    bool is_found, is_over; /* is_over: the work of the search or the question is used up */
};

/* Whether the current combination, which the model accepts, fits. */
static bool fits(struct search *search)
{
    struct fr_prediction *out = search->prediction;
    struct fr_faults faults = { .count = 0 };
    struct fr_evaluation run = {
        .cal = search->cal, .arena = search->arena, .out = out, .faults = &faults
    };

    if (fr_model_resolve(search->model, search->resolved, search->cal, &faults) != FR_OK)
        return false;
    if (search->model->memory) {
        fr_prediction_clear(out);
        search->model->memory(search->resolved, &run);
    } else if (fr_model_predict(search->model, search->resolved, search->cal, search->arena, out,
                                &faults) != FR_OK) {
        return false;
    }
    return !faults.count && !(out->memory_bytes_per_process > out->memory_limit_bytes_per_process);
}

static bool visit(void *context)
{
    struct search *search = context;
    const struct fr_arena_mark mark = fr_arena_mark(search->arena);
    const double steps = search->model->memory ? memory_steps : predicted_steps;

    memcpy(search->resolved, search->values, search->model->values_size);
    search->is_found = fits(search);
    fr_arena_release(search->arena, mark);
    search->is_over = !fr_arena_spend(search->arena, steps) ||
                      fr_arena_spent(search->arena) - search->begun_steps > most_steps;
    return !search->is_found && !search->is_over;
}

int64_t fr_fewest_nodes(const struct fr_model *model, const void *values,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        int64_t above, int64_t most, struct fr_arena *arena)
{
    int64_t *nodes = fr_arena_zeroed(arena, FR_MOST_NODE_COUNTS, sizeof *nodes);
    struct search search = { .model = model,
                             .cal = cal,
                             .arena = arena,
                             .values = fr_arena_zeroed(arena, 1, model->values_size),
                             .resolved = fr_arena_zeroed(arena, 1, model->values_size),
                             .prediction = fr_arena_zeroed(arena, 1, sizeof *search.prediction),
                             .begun_steps = fr_arena_spent(arena) };
    const struct fr_combinations combinations = { .model = model,
                                                  .cal = cal,
                                                  .only = only,
                                                  .values = search.values,
                                                  .visit = visit,
                                                  .context = &search };
    size_t count;

    if (!nodes || !search.values || !search.resolved || !search.prediction)
        return 0;
    if (!model->node_counts || fr_model_grows(model, values) ||
        (model->cost == FR_LONG && !model->memory))
        return 0;
    memcpy(search.values, values, model->values_size);
    model->set_nodes(search.values, 1); /* the counts are those of a question of open size */
    count = model->node_counts(search.values, cal, most, nodes, FR_MOST_NODE_COUNTS);
    for (size_t i = 0; i < count && !search.is_over; i++) {
        if (nodes[i] <= above)
            continue;
        memcpy(search.values, values, model->values_size);
        model->set_nodes(search.values, nodes[i]);
        fr_combinations_each(&combinations);
        if (search.is_found)
            return nodes[i];
    }
    return 0;
}
