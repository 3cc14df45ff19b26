/* Reads what a recommendation searches for, and asks the engine. */
#include "engine/questions/recommend.h"
#include "server/http/server.h"
#include "server/questions/documents.h"
#include "server/questions/recommend.h"

#include <string.h>

enum { MOST_NODE_COUNTS = 2048 };

static const char *list_of(const struct fr_question *question, const struct fr_param *param)
{
    for (size_t i = 0; i < question->list_count; i++)
        if (question->list[i].param == param)
            return question->list[i].text;
    return NULL;
}

/* How well a list suits as the one to search along; 0: not at all. */
static int suitability(const struct fr_list *list, bool are_tunables_chosen)
{
    const bool is_tunable = list->param->flags & FR_TUNABLE;

    if (!fr_param_has_range(list->param) || (is_tunable && are_tunables_chosen))
        return 0;
    return 1 + (is_tunable ? 0 : 2) + (strstr(list->text, "..") ? 4 : 0);
}

/* The size of the problem: a required integer, if possible one that the time is known to grow with.
 */
static const struct fr_param *usual_size(const struct fr_model *model)
{
    const struct fr_param *first = NULL;

    for (const char *const *name = model->grows_with; name && *name && !first; name++)
        first = fr_param_find(model->params, *name);
    if (first && first->kind == FR_KIND_INT && first->flags & FR_REQUIRED)
        return first;
    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->kind == FR_KIND_INT && param->flags & FR_REQUIRED)
            return param;
    return NULL;
}

static const struct fr_param *named(const struct fr_model *model, const char *name,
                                    struct fr_faults *faults)
{
    const struct fr_param *param = fr_param_find(model->params, name);

    if (!param || !fr_param_has_range(param)) {
        fr_fault(faults, FR_CHOICE, "along",
                 "'%.40s' is not a number or vector of %s; see /api/v1/models/%s", name,
                 model->name, model->name);
        return NULL;
    }
    return param;
}

const struct fr_param *fr_search_along(const struct fr_question *question,
                                       const struct fr_search_asked *asked,
                                       struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    const bool is_pair_only = asked->is_crossover && question->list_count == 1;
    /* Without a size, the size is what is searched for, and lists of tunables restrict them. */
    const struct fr_param *size = asked->is_crossover ? NULL : usual_size(model);
    const bool is_size_open = size && fr_param_is_open(size, question->values);
    const struct fr_param *best = NULL;
    int most = 0;

    if (asked->along)
        return named(model, asked->along, faults);
    for (size_t i = 0; i < question->list_count; i++) {
        const int suits = suitability(&question->list[i], is_size_open);

        best = suits > most ? question->list[i].param : suits == most ? NULL : best;
        most = suits > most ? suits : most;
    }
    if (!asked->is_crossover && !most)
        best = size;
    else if (asked->nodes && fr_is_list(asked->nodes) && (is_pair_only || !most))
        best = fr_param_find(model->params, "nodes");
    if (!best)
        fr_fault(faults, FR_MISSING, "along",
                 "required: the parameter of %s to search along, with its range: n=1024..65536",
                 model->name);
    return best;
}

/* The node counts that suit the model. */
static void scale_of_counts(struct fr_request *rq, const struct fr_question *question,
                            const struct fr_param *along, int64_t max_nodes, struct fr_scale *scale,
                            struct fr_faults *faults)
{
    int64_t *count = fr_arena_zeroed(rq->arena, MOST_NODE_COUNTS, sizeof *count);
    double *value = fr_arena_zeroed(rq->arena, MOST_NODE_COUNTS, sizeof *value);
    size_t counts = 0;

    if (!count || !value) {
        fr_fault(faults, FR_NOMEM, "nodes", "too many counts to try");
        return;
    }
    if (question->target_count)
        counts = question->model->node_counts(question->values, question->target[0].cal, max_nodes,
                                              count, MOST_NODE_COUNTS);
    for (size_t i = 0; i < counts; i++)
        value[i] = (double)count[i];
    *scale = (struct fr_scale){ .param = along,
                                .count = counts,
                                .list = { .param = along, .value = value, .count = counts } };
}

/* Finds the values to search among. */
static void choose_scale(struct fr_request *rq, const struct fr_question *question,
                         const struct fr_search_asked *asked, const struct fr_param *along,
                         struct fr_scale *scale, struct fr_faults *faults)
{
    const bool are_nodes = strcmp(along->name, "nodes") == 0;
    const char *text = are_nodes ? asked->nodes : list_of(question, along);

    if (text)
        fr_scale_parse(along, text, rq->arena, scale, faults);
    else if (are_nodes && question->model->node_counts)
        scale_of_counts(rq, question, along, asked->goal.max_nodes, scale, faults);
    else if (!asked->is_crossover && along->kind == FR_KIND_INT &&
             fr_param_is_open(along, question->values))
        *scale = fr_scale_whole(along);
    else
        fr_fault(faults, FR_MISSING, along->name,
                 "required: a range to search, lo..hi, lo..hi..step or lo..hi..*factor");
}

/* The list of the values to compare: the first one that is not tunable, or else the first one; NULL
 * if there is none. */
static const struct fr_list *compared_list(const struct fr_question *question,
                                           const struct fr_param *along)
{
    const struct fr_list *first = NULL;

    for (size_t i = 0; i < question->list_count; i++) {
        const struct fr_list *list = &question->list[i];

        if (list->param != along && !(list->param->flags & FR_TUNABLE))
            return list;
        if (list->param != along && !first)
            first = list;
    }
    return first;
}

/* Finds the list with the two values to compare.  Other lists restrict tunables, or are faults. */
static void choose_pair(struct fr_request *rq, struct fr_question *question,
                        const struct fr_search_asked *asked, const struct fr_param *along,
                        struct fr_axis *pair, struct fr_faults *faults)
{
    const struct fr_list *compared = asked->is_crossover ? compared_list(question, along) : NULL;
    size_t combinations;

    for (size_t i = 0; i < question->list_count; i++) {
        const struct fr_list *list = &question->list[i];

        if (list->param == along)
            continue;
        if (list != compared && list->param->flags & FR_TUNABLE)
            fr_question_restrict(rq, question, list->param, list->text, faults);
        else if (list != compared)
            fr_fault(faults, FR_RELATION, list->param->name,
                     "one value is needed: the search goes along %s", along->name);
        else if (fr_axis_parse(list->param, list->text, rq->arena, pair, faults) == FR_OK &&
                 pair->count != 2)
            fr_fault(faults, FR_RELATION, list->param->name,
                     "%zu values; two are compared, such as variant=2d,25d", pair->count);
    }
    if (asked->is_crossover && !pair->count && !faults->count)
        fr_fault(faults, FR_MISSING, "objective",
                 "a crossover compares two values of a parameter; give both, such as "
                 "variant=2d,25d");
    fr_axes_count(question->axis, question->axis_count, 1, &combinations, faults);
}

/* Values with one of the pair. */
static const void *with(struct fr_request *rq, const struct fr_question *question,
                        const struct fr_axis *pair, size_t which)
{
    const size_t size = question->model->values_size;
    void *values = fr_arena_zeroed(rq->arena, 1, size);

    if (!values)
        return NULL;
    memcpy(values, question->values, size);
    fr_axis_put(pair, which, values);
    fr_params_open_idle(question->model->params, 0, values);
    return values;
}

static int answer(struct fr_request *rq, struct fr_reply *reply, const struct fr_question *question,
                  const struct fr_search_asked *asked, struct fr_search *search,
                  const struct fr_axis *pair, struct fr_faults *faults)
{
    if (asked->is_crossover) {
        const void *values[2] = { with(rq, question, pair, 0), with(rq, question, pair, 1) };
        struct fr_crossover found;

        if (!values[0] || !values[1])
            fr_fault(faults, FR_NOMEM, "", "the search is too long");
        else if (fr_search_crossover(search, values, &found, faults) == FR_OK)
            fr_crossover_write(rq, reply, question, search, pair, &found, asked->limit);
    } else {
        struct fr_largest found;

        if (fr_search_largest(search, question->values, asked->limit, &found, faults) == FR_OK)
            fr_largest_write(rq, reply, question, search, &found);
    }
    fr_metrics_predictions(&rq->server->metrics, question->model, search->tried);
    return faults->count ? fr_reply_faults(reply, faults) : 200;
}

int fr_search_answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                     const struct fr_search_asked *asked, const struct fr_param *along,
                     struct fr_faults *faults)
{
    struct fr_scale scale = { .count = 0 };
    struct fr_axis pair = { .count = 0 };
    struct fr_goal goal = asked->goal;
    struct fr_restriction only;
    struct fr_search search = { .model = question->model,
                                .goal = &goal,
                                .scale = &scale,
                                .arena = rq->arena,
                                .faults = fr_arena_zeroed(rq->arena, 1, sizeof *faults) };
    struct fr_run_source source;

    if (along && along->unless && fr_model_is_filled(question->model, question->values))
        fr_fault(faults, FR_RELATION, along->unless,
                 "the search goes along %s, which this determines; leave it out, or choose another "
                 "objective",
                 along->name);
    if (along)
        choose_scale(rq, question, asked, along, &scale, faults);
    if (along)
        choose_pair(rq, question, asked, along, &pair, faults);
    only = fr_question_restriction(question);
    goal.only = &only;
    if (pair.count)
        fr_axis_put(&pair, 0, question->values);
    if (scale.count)
        fr_scale_put(&scale, 0, question->values);
    if (along && !scale.count && !faults->count)
        fr_fault(faults, FR_INFEASIBLE, "max_nodes", "%lld nodes leave nothing to try",
                 (long long)asked->goal.max_nodes);
    if (!search.faults)
        fr_fault(faults, FR_NOMEM, "", "the search is too long");
    fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES | FR_OPEN_SIZE,
                         faults);
    if (!question->target_count || faults->count)
        return fr_reply_faults(reply, faults);
    search.cal = question->target[0].cal;
    search.source = fr_matching_runs_of_rows(&question->target[0].matching);
    if (search.source) { /* a run does not change the value that is searched for */
        source = *search.source;
        source.given |= fr_param_bit(question->model->params, along);
        search.source = &source;
    }
    return answer(rq, reply, question, asked, &search, &pair, faults);
}
