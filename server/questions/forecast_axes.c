/* Chooses the row axis, the column axis and the tunable that varies within each cell. */
#include "server/questions/sweep.h"

#include <string.h>

/* The axis of the numbers from 0: choices, or the two of a bool. */
static struct fr_axis axis_of_numbers(struct fr_arena *arena, const struct fr_param *param,
                                      size_t count)
{
    double *value = fr_arena_zeroed(arena, count, sizeof *value);

    for (size_t i = 0; value && i < count; i++)
        value[i] = (double)i;
    return (struct fr_axis){ .param = param, .value = value, .count = value ? count : 0 };
}

/* Adds an axis to those of the query; NULL with a fault if there is no room. */
static const struct fr_axis *add_axis(struct fr_question *question, struct fr_axis axis,
                                      struct fr_faults *faults)
{
    if (question->axis_count < FR_MAX_AXES && axis.count) {
        question->axis[question->axis_count] = axis;
        return &question->axis[question->axis_count++];
    }
    fr_fault(faults, FR_TOO_MANY_POINTS, axis.param->name, "too many lists");
    return NULL;
}

static const struct fr_axis *find_axis(const struct fr_question *question, const char *name)
{
    return fr_axes_find(question->axis, question->axis_count, name);
}

/* Returns the axis of a named parameter: its list or its single value. */
static const struct fr_axis *named_axis(struct fr_request *rq, struct fr_question *question,
                                        const char *option, const char *name,
                                        struct fr_faults *faults)
{
    const struct fr_param *param = fr_param_find(question->model->params, name);
    const struct fr_axis *axis = find_axis(question, name);

    if (axis)
        return axis;
    if (param && !fr_param_is_open(param, question->values))
        return add_axis(question, fr_axis_of_one(param, question->values, rq->arena), faults);
    /* An invalid value has already been reported. */
    if (!param || !(question->given & fr_param_bit(question->model->params, param)))
        fr_fault(faults, FR_CHOICE, option, "'%.40s' is not one of the given parameters", name);
    return NULL;
}

/* Returns the default for `by`: the variant, or else the first tunable with named choices. */
static const struct fr_param *usual_tunable(const struct fr_model *model)
{
    const struct fr_param *first = NULL;

    for (const struct fr_param *param = model->params; param->name; param++) {
        if (!(param->flags & FR_TUNABLE) ||
            (param->kind != FR_KIND_CHOICE && param->kind != FR_KIND_BOOL))
            continue;
        if (strcmp(param->name, "variant") == 0)
            return param;
        if (!first)
            first = param;
    }
    return first;
}

static const struct fr_axis *choose_by(struct fr_request *rq, struct fr_question *question,
                                       const char *name, struct fr_faults *faults)
{
    const struct fr_param *param =
        name ? fr_param_find(question->model->params, name) : usual_tunable(question->model);
    const struct fr_axis *axis;
    size_t count = 0;

    if (!param && !name) {
        fr_fault(faults, FR_MISSING, "by",
                 "required: the tunable of %s to compare, with a list of its values",
                 question->model->name);
        return NULL;
    }
    if (!param || !(param->flags & FR_TUNABLE)) {
        fr_fault(faults, FR_CHOICE, "by", "'%.40s' is not a tunable of %s; see /api/v1/models/%s",
                 name, question->model->name, question->model->name);
        return NULL;
    }
    axis = find_axis(question, param->name);
    if (axis || !fr_param_is_open(param, question->values))
        return axis ? axis : named_axis(rq, question, "by", param->name, faults);
    if (param->kind == FR_KIND_BOOL)
        count = 2;
    while (param->choices && param->choices[count])
        count++;
    if (!count) {
        fr_fault(faults, FR_MISSING, param->name, "required: a list of values to compare");
        return NULL;
    }
    return add_axis(question, axis_of_numbers(rq->arena, param, count), faults);
}

/* The axis of several outputs, which is none of the sweep. */
static const struct fr_axis *of_outputs(struct fr_request *rq, struct fr_forecast *forecast,
                                        const char *by, struct fr_faults *faults)
{
    struct fr_axis *axis = fr_arena_zeroed(rq->arena, 1, sizeof *axis);

    if (by)
        fr_fault(faults, FR_RELATION, "by", "a cell has several outputs; omit by, or give one y");
    if (!axis)
        return NULL;
    forecast->which = (struct fr_param){
        .name = "output", .kind = FR_KIND_CHOICE, .unit = "", .choices = forecast->y.name
    };
    *axis = axis_of_numbers(rq->arena, &forecast->which, forecast->y.count);
    return axis->count ? axis : NULL;
}

static void refuse_double(const struct fr_forecast *forecast, struct fr_faults *faults)
{
    const struct fr_axis *rows = forecast->rows, *columns = forecast->columns, *by = forecast->by;

    if (columns && columns == rows)
        fr_fault(faults, FR_RELATION, "columns",
                 "%s already labels the rows; name another parameter", rows->param->name);
    if (by && (by == rows || by == columns))
        fr_fault(
            faults, FR_RELATION, by == rows ? "rows" : "columns",
            "%s already varies within the cells; name another tunable as by=", by->param->name);
}

/* Makes a list of a tunable that is no axis what each cell chooses from.  The last axis takes its
 * place. */
static void choose_from(struct fr_question *question, size_t index, struct fr_forecast *forecast)
{
    struct fr_axis *axis = &question->axis[index], *last;
    const struct fr_axis **const used[] = { &forecast->rows, &forecast->columns, &forecast->by };

    fr_param_open(axis->param, question->values);
    forecast->list[forecast->list_count] = *axis;
    fr_axis_sort(&forecast->list[forecast->list_count++]);
    last = &question->axis[--question->axis_count];
    *axis = *last;
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (*used[i] == last)
            *used[i] = axis;
}

void fr_forecast_choose_axes(struct fr_request *rq, struct fr_question *question,
                             const struct fr_forecast_names *names, struct fr_forecast *forecast,
                             struct fr_faults *faults)
{
    size_t combinations;

    forecast->by = forecast->y.count > 1 ? of_outputs(rq, forecast, names->by, faults)
                                         : choose_by(rq, question, names->by, faults);
    if (names->rows)
        forecast->rows = named_axis(rq, question, "rows", names->rows, faults);
    if (names->columns)
        forecast->columns = named_axis(rq, question, "columns", names->columns, faults);
    refuse_double(forecast, faults);
    for (size_t i = 0; i < question->axis_count && !faults->count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        if (axis == forecast->by || axis == forecast->rows || axis == forecast->columns)
            continue;
        if (!forecast->rows)
            forecast->rows = axis;
        else if (!forecast->columns)
            forecast->columns = axis;
        else if (axis->param->flags & FR_TUNABLE)
            choose_from(question, i--, forecast);
        else
            fr_fault(
                faults, FR_RELATION, axis->param->name,
                "a table takes one list for rows, one for columns and one tunable; give one value");
    }
    fr_axes_count(forecast->list, forecast->list_count, 1, &combinations, faults);
    if (!faults->count && (!forecast->rows || !forecast->columns))
        fr_fault(faults, FR_MISSING, forecast->rows ? "columns" : "rows",
                 "required: a parameter with a list of values, such as processes=256,1024,4096");
}
