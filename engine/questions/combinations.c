/* Combinations of tunables: lists, whose values come first, and candidates that depend on them. */
#include "engine/core/param.h"
#include "engine/questions/rank.h"

#include <assert.h>

enum { MAX_CANDIDATES = 256 };

/* Lists that vary together, and the number of their combinations. */
struct lists {
    struct fr_axis list[FR_MAX_AXES];
    size_t count, points;
};

/* A walk through all combinations.  The inner lists vary fastest: a lower bound holds for all their
 * values, so that it is computed once for them. */
struct walk {
    const struct fr_combinations *of;
    struct lists outer, inner;
};

static void take(struct lists *lists, const struct fr_axis *list)
{
    assert(lists->count < FR_MAX_AXES);
    lists->list[lists->count++] = *list;
    lists->points *= list->count;
}

static bool visit_inner(const struct walk *walk)
{
    for (size_t i = 0; i < walk->inner.points; i++) {
        fr_axes_point(walk->inner.list, walk->inner.count, i, walk->of->values);
        if (!walk->of->visit(walk->of->context))
            return false;
    }
    return true;
}

static size_t candidates_of(const struct fr_combinations *of, const struct fr_param *param,
                            int64_t *candidate)
{
    size_t count = 0;

    if (param->candidates)
        return param->candidates(of->values, of->cal, candidate, MAX_CANDIDATES);
    while (param->kind == FR_KIND_BOOL ? count < 2 : param->choices[count] != NULL) {
        candidate[count] = (int64_t)count;
        count++;
    }
    return count;
}

/* Tries every value of the first open tunable from `param` on, recursing into the later ones. */
static bool visit_open(const struct walk *walk, const struct fr_param *param)
{
    void *values = walk->of->values;
    int64_t candidate[MAX_CANDIDATES];
    bool goes_on = true;
    size_t count;

    while (param->name && (!(param->flags & FR_TUNABLE) || !fr_param_is_open(param, values)))
        param++;
    if (!param->name)
        return visit_inner(walk);
    count = candidates_of(walk->of, param, candidate);
    for (size_t i = 0; i < count && goes_on; i++) {
        fr_param_set(param, values, (double)candidate[i]);
        goes_on = visit_open(walk, param + 1);
    }
    fr_param_open(param, values);
    return goes_on;
}

void fr_combinations_each(const struct fr_combinations *combinations)
{
    const struct fr_model *model = combinations->model;
    const struct fr_restriction *only = combinations->only;
    struct walk walk;

    walk.of = combinations;
    walk.outer.count = walk.inner.count = 0;
    walk.outer.points = walk.inner.points = 1;
    for (size_t i = 0; only && i < only->count; i++)
        if (!fr_param_is_idle(model->params, only->list[i].param, combinations->values))
            take(model->bound_s && only->list[i].param->offset >= model->bound_bytes ? &walk.inner
                                                                                     : &walk.outer,
                 &only->list[i]);
    fr_axes_point(walk.inner.list, walk.inner.count, 0, combinations->values);
    for (size_t i = 0; i < walk.outer.points; i++) {
        fr_axes_point(walk.outer.list, walk.outer.count, i, combinations->values);
        if (!visit_open(&walk, model->params))
            return;
    }
}
