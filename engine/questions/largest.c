/* The largest value of a parameter at which a goal can be met. */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"

#include <string.h>

enum { STEPS = 12, FAILURES = 2 };

struct climb {
    struct fr_search *search;
    const void *values;
    struct fr_faults *lowest; /* the reasons at the lowest possible value that fails */
};

static enum fr_trial holds(void *context, size_t index)
{
    struct climb *climb = context;
    struct fr_ranking ranking;
    const enum fr_trial trial = fr_search_try(climb->search, climb->values, index, 1, &ranking);

    if (trial == FR_FAILS && !climb->lowest->count)
        *climb->lowest = *climb->search->faults;
    return trial;
}

/* A larger problem takes longer, so that nothing holds far above one that fails.  An efficiency is
 * reached by larger problems more easily. */
static bool is_growing(const struct fr_search *search)
{
    const struct fr_param *param = search->scale->param;
    bool is_size = param->kind == FR_KIND_INT && param->flags & FR_REQUIRED;

    for (const char *const *name = search->model->grows_with; name && *name; name++)
        is_size = is_size || strcmp(*name, param->name) == 0;
    return is_size && !(search->goal->min_efficiency_fraction > 0) &&
           !(search->goal->min_scaling_fraction > 0);
}

static size_t step_of(const struct fr_scale *scale, size_t step)
{
    if (scale->count <= STEPS)
        return step < scale->count ? step : scale->count;
    return step == 0       ? 0
           : step < STEPS  ? fr_scale_between(scale, 0, scale->count - 1, step, STEPS)
           : step == STEPS ? scale->count - 1
                           : scale->count;
}

/* Climbs the scale.  *low becomes the highest value that holds, or the count if none does, *high
 * the first failure after it, or the count. */
static enum fr_trial climb_up(struct climb *climb, const struct fr_judge *judge, size_t *low,
                              size_t *high)
{
    const struct fr_scale *scale = climb->search->scale;
    const size_t patience = is_growing(climb->search) ? FAILURES : STEPS + 2;
    enum fr_trial trial = FR_IMPOSSIBLE;
    size_t failures = 0;

    *low = *high = scale->count;
    for (size_t step = 0; step_of(scale, step) < scale->count && failures < patience; step++) {
        const size_t end = step_of(scale, step + 1);
        const size_t at =
            fr_search_possible(climb->search, judge, step_of(scale, step), end, &trial);

        if (at == end)
            continue;
        if (trial == FR_ENDED)
            return trial;
        failures = trial == FR_FAILS ? failures + 1 : 0;
        if (trial == FR_HOLDS) {
            *low = at;
            *high = scale->count;
        } else if (*high == scale->count) {
            *high = at;
        }
    }
    return FR_HOLDS;
}

/* Finds the next possible value, and why it does not hold. */
static enum fr_trial find_next(struct climb *climb, const struct fr_judge *judge,
                               struct fr_faults *why, struct fr_largest *out)
{
    enum fr_trial trial = FR_FAILS;

    out->next = fr_search_possible(climb->search, judge, out->index + 1,
                                   climb->search->scale->count, &trial);
    *why = *climb->search->faults;
    out->why = why;
    return trial;
}

/* Nothing holds: the reasons at the lowest value that could have. */
static int refuse(const struct climb *climb, enum fr_trial trial, struct fr_faults *faults)
{
    const bool is_judged = trial != FR_ENDED && climb->lowest->count;
    const char *name = climb->search->scale->param->name;

    *faults = is_judged ? *climb->lowest : *climb->search->faults;
    if (is_judged)
        fr_fault(faults, FR_INFEASIBLE, name,
                 "no value of %s holds; the other faults are those of "
                 "the lowest possible one",
                 name);
    return faults->fault[0].code;
}

int fr_search_largest(struct fr_search *search, const void *values, size_t keep,
                      struct fr_largest *out, struct fr_faults *faults)
{
    struct climb climb = { search, values, fr_arena_zeroed(search->arena, 1, sizeof *faults) };
    struct fr_faults *why = fr_arena_zeroed(search->arena, 1, sizeof *why);
    const struct fr_judge judge = { holds, &climb };
    struct fr_largest found = { 0 };
    enum fr_trial trial;
    size_t low, high;

    if (!climb.lowest || !why)
        return fr_fault(faults, FR_NOMEM, search->scale->param->name, "the search is too long");
    trial = climb_up(&climb, &judge, &low, &high);
    if (trial == FR_ENDED || low == search->scale->count)
        return refuse(&climb, trial, faults);
    found.index = fr_search_last(search, &judge, low, high, &trial);
    if (trial != FR_ENDED)
        trial = find_next(&climb, &judge, why, &found);
    if (trial != FR_ENDED)
        trial = fr_search_try(search, values, found.index, keep, &found.ranking);
    if (trial == FR_ENDED)
        return refuse(&climb, trial, faults);
    *out = found;
    return FR_OK;
}
