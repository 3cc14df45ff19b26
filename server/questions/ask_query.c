/* Reads the query of a model question: parameters, lists of them, options, what-ifs.  Unknown names
 * are refused with the nearest one.
 */
#include "server/questions/ask.h"

#include "server/http/http.h"

#include <stdio.h>
#include <string.h>

static const char *const common_texts[] = { "machine", "calibration", "run", NULL };

/* Reports an unknown name and suggests the nearest name that this route accepts. */
static void refuse_name(const struct fr_model *model, const struct fr_asking *asking,
                        const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    fr_params_consider(model->params, &nearest);
    fr_params_consider(asking->options, &nearest);
    if (asking->takes_quantile)
        fr_params_consider(fr_outlook_params, &nearest);
    if (asking->takes_analyze && model->structure_key)
        fr_params_consider(fr_analyze_params, &nearest);
    for (size_t i = 0; common_texts[i]; i++)
        fr_nearest_consider(&nearest, common_texts[i]);
    fr_param_refuse(&nearest, model, NULL, faults);
}

static void read_change(struct fr_question *question, const struct fr_pair *pair,
                        struct fr_faults *faults)
{
    if (question->change_count == FR_MAX_CHANGES)
        fr_fault(faults, FR_RANGE, pair->name, "more than %d changes", FR_MAX_CHANGES);
    else
        question->change[question->change_count++] =
            (struct fr_change){ pair->name + strlen("what_if."), pair->value };
}

bool fr_is_list(const char *text)
{
    return strchr(text, ',') || strstr(text, "..");
}

static void too_many_lists(const struct fr_param *param, struct fr_faults *faults)
{
    fr_fault(faults, FR_TOO_MANY_POINTS, param->name, "more than %d lists", FR_MAX_AXES);
}

static void refuse_list(const struct fr_question *question, const struct fr_param *param,
                        const char *text, struct fr_faults *faults)
{
    char names[300] = "";
    size_t used = 0;

    for (const struct fr_param *each = question->model->params; each->name; each++)
        if (each->flags & FR_TUNABLE && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     each->name);
    fr_fault(faults, FR_RELATION, param->name,
             "'%.40s': one value is needed; only tunables may have several (of %s: %s)", text,
             question->model->name, used ? names : "none");
}

void fr_question_restrict(struct fr_request *rq, struct fr_question *question,
                          const struct fr_param *param, const char *text, struct fr_faults *faults)
{
    struct fr_axis axis;

    if (!(param->flags & FR_TUNABLE)) {
        refuse_list(question, param, text, faults);
        return;
    }
    if (fr_axis_parse(param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    fr_axis_sort(&axis);
    if (axis.count == 1)
        fr_axis_put(&axis, 0, question->values);
    else if (question->axis_count == FR_MAX_AXES)
        too_many_lists(param, faults);
    else
        question->axis[question->axis_count++] = axis;
}

struct fr_restriction fr_question_restriction(const struct fr_question *question)
{
    return (struct fr_restriction){ question->axis, question->axis_count };
}

void fr_question_read_list(struct fr_request *rq, struct fr_question *question,
                           const struct fr_param *param, const char *text, struct fr_faults *faults)
{
    struct fr_axis axis;

    if (fr_axis_parse(param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    fr_axis_put(&axis, 0, question->values);
    if (axis.count == 1)
        return;
    if (question->axis_count == FR_MAX_AXES)
        too_many_lists(param, faults);
    else
        question->axis[question->axis_count++] = axis;
}

static void read_param(struct fr_request *rq, const struct fr_asking *asking,
                       struct fr_question *question, const struct fr_param *param, const char *text,
                       struct fr_faults *faults)
{
    const bool is_list = param->kind != FR_KIND_TEXT && fr_is_list(text);

    if (asking->takes_lists && (param->kind != FR_KIND_TEXT || param->flags & FR_NAME)) {
        fr_question_read_list(rq, question, param, text, faults);
    } else if (!is_list || !asking->restricts_tunables) {
        fr_param_read(param, text, question->values, faults);
    } else if (!asking->keeps_lists || !asking->keeps_lists(rq)) {
        fr_question_restrict(rq, question, param, text, faults);
    } else if (question->list_count == FR_MAX_AXES) {
        too_many_lists(param, faults);
    } else {
        question->list[question->list_count++] = (struct fr_list){ param, text };
    }
}

static bool is_common(const char *name)
{
    for (size_t i = 0; common_texts[i]; i++)
        if (strcmp(common_texts[i], name) == 0)
            return true; /* read by find_targets and find_matching_runs */
    return false;
}

void fr_question_read_query(struct fr_request *rq, const struct fr_asking *asking,
                            struct fr_question *question, void *options, struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    const struct fr_pair *pair;

    /* The options come first, such as the list `nodes`, of which a model may have one. */
    for (size_t i = 0; (pair = fr_query_next(rq, &i, asking->options, options, faults));) {
        const struct fr_param *param = fr_param_find(model->params, pair->name);
        const struct fr_param *outlook =
            asking->takes_quantile ? fr_param_find(fr_outlook_params, pair->name) : NULL;
        const struct fr_param *analyze = asking->takes_analyze && model->structure_key
                                             ? fr_param_find(fr_analyze_params, pair->name)
                                             : NULL;

        if (is_common(pair->name))
            continue;
        if (strncmp(pair->name, "what_if.", strlen("what_if.")) == 0) {
            read_change(question, pair, faults);
        } else if (param) {
            if (fr_param_give(model->params, param, pair->name, &question->given, faults) == FR_OK)
                read_param(rq, asking, question, param, pair->value, faults);
        } else if (outlook) {
            fr_param_read(outlook, pair->value, &question->outlook, faults);
        } else if (analyze) {
            fr_param_read(analyze, pair->value, question, faults);
        } else {
            refuse_name(model, asking, pair->name, faults);
        }
    }
}
