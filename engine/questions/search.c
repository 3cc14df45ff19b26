/* Steps common to the searches. */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"

#include <string.h>

enum { SECTIONS = 5, MOST_IMPOSSIBLE = 20000 };

/* Faults that depend on the value that is tried. */
static bool is_of_the_value(enum fr_code code)
{
    return code == FR_RELATION || code == FR_RANGE || code == FR_GROUP_MISSING ||
           code == FR_TOO_LONG;
}

enum fr_trial fr_search_try(struct fr_search *search, const void *values, size_t index, size_t keep,
                            struct fr_ranking *out)
{
    const struct fr_model *model = search->model;
    void *trial = fr_arena_zeroed(search->arena, 1, model->values_size);
    enum fr_code code;

    search->tried++;
    search->faults->count = 0;
    if (!trial) {
        fr_fault(search->faults, FR_NOMEM, search->scale->param->name, "the search is too long");
        return FR_ENDED;
    }
    memcpy(trial, values, model->values_size);
    fr_scale_put(search->scale, index, trial);
    if (fr_recommend(model, trial, search->source, search->cal, search->goal, keep, search->arena,
                     out, search->faults) == FR_OK) {
        if (!out->untried && !out->untried_nodes)
            return FR_HOLDS;
        fr_refusal_too_many(model, trial, search->faults); /* the next value would have none */
        return FR_ENDED;
    }
    code = search->faults->fault[0].code;
    if (code == FR_INFEASIBLE)
        return FR_FAILS;
    if (!is_of_the_value(code))
        return FR_ENDED;
    if (++search->impossible <= MOST_IMPOSSIBLE)
        return FR_IMPOSSIBLE;
    search->faults->count = 0;
    fr_fault(search->faults, FR_TOO_LONG, search->scale->param->name,
             "%d values are impossible; list those that are possible", MOST_IMPOSSIBLE);
    return FR_ENDED;
}

size_t fr_search_possible(struct fr_search *search, const struct fr_judge *judge, size_t index,
                          size_t end, enum fr_trial *trial)
{
    for (; index < end; index++) {
        const struct fr_arena_mark mark = fr_arena_mark(search->arena);

        *trial = judge->trial(judge->context, index);
        fr_arena_release(search->arena, mark);
        if (*trial != FR_IMPOSSIBLE)
            break;
    }
    return index;
}

size_t fr_search_last(struct fr_search *search, const struct fr_judge *judge, size_t low,
                      size_t high, enum fr_trial *trial)
{
    *trial = FR_HOLDS;
    while (high - low > 1) {
        size_t until = high;

        for (size_t part = SECTIONS - 1; part > 0; part--) {
            const size_t start = fr_scale_between(search->scale, low, high, part, SECTIONS);
            const size_t at =
                start < until ? fr_search_possible(search, judge, start, until, trial) : until;

            if (at < until && *trial == FR_ENDED)
                return low;
            if (at < until && *trial == FR_HOLDS) {
                low = at;
                break;
            }
            until = start < until ? start : until;
        }
        high = until;
    }
    return low;
}
