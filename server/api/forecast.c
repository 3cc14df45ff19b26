/* GET /api/v1/forecast/{model}?machine=NAME&rows=PARAMETER&columns=PARAMETER&by=TUNABLE...: which
 * variant to take where, as the tables of the Cray paper show it. */
#include "api/forecast.h"

#include "api/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct names {
    const char *rows, *columns, *by, *y;
};

static struct fr_axis *find_axis(struct fr_question *question, const char *name)
{
    for (size_t i = 0; i < question->axis_count; i++)
        if (strcmp(question->axis[i].param->name, name) == 0)
            return &question->axis[i];
    return NULL;
}

/* An axis of these values, beside those of the query; NULL with a fault. */
static struct fr_axis *add_axis(struct fr_request *rq, struct fr_question *question,
                                const struct fr_param *param, size_t count,
                                struct fr_faults *faults)
{
    struct fr_axis *axis = &question->axis[question->axis_count];
    double *value = fr_arena_zeroed(rq->arena, count, sizeof *value);
    struct fr_vector *vector = fr_arena_zeroed(rq->arena, count, sizeof *vector);

    if (question->axis_count == FR_MAX_AXES || !value || !vector) {
        fr_fault(faults, FR_TOO_MANY_POINTS, param->name, "too many lists");
        return NULL;
    }
    *axis = (struct fr_axis){ param, value, vector, count };
    question->axis_count++;
    return axis;
}

/* The axis of a parameter that was named: its list, or its one value. */
static struct fr_axis *named_axis(struct fr_request *rq, struct fr_question *question,
                                  const char *option, const char *name, struct fr_faults *faults)
{
    const struct fr_param *param = fr_param_find(question->model->params, name);
    struct fr_axis *axis = find_axis(question, name);

    if (axis)
        return axis;
    if (!param || fr_param_is_open(param, question->values)) {
        fr_fault(faults, FR_CHOICE, option, "'%.40s' is not among the parameters that were given",
                 name);
        return NULL;
    }
    axis = add_axis(rq, question, param, 1, faults);
    if (axis && param->kind == FR_KIND_VECTOR)
        axis->vector[0] = *fr_param_vector(param, question->values);
    else if (axis)
        axis->value[0] = fr_param_get(param, question->values);
    return axis;
}

/* What a table is by where the query does not say: the variant, or the first tunable that names
 * its choices. */
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
    struct fr_axis *axis;
    size_t count = 0;

    if (!param || !(param->flags & FR_TUNABLE)) {
        fr_fault(faults, FR_CHOICE, "by", "'%.40s' is not a tunable of %s", name ? name : "",
                 question->model->name);
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
    axis = add_axis(rq, question, param, count, faults);
    for (size_t i = 0; axis && i < count; i++)
        axis->value[i] = (double)i;
    return axis;
}

/* Which list runs down, which across, and what stands in the cells. */
static void choose_axes(struct fr_request *rq, struct fr_question *question,
                        const struct names *names, struct fr_forecast *forecast,
                        struct fr_faults *faults)
{
    forecast->by = choose_by(rq, question, names->by, faults);
    if (names->rows)
        forecast->rows = named_axis(rq, question, "rows", names->rows, faults);
    if (names->columns)
        forecast->columns = named_axis(rq, question, "columns", names->columns, faults);
    for (size_t i = 0; i < question->axis_count && !faults->count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        if (axis == forecast->by || axis == forecast->rows || axis == forecast->columns)
            continue;
        if (!forecast->rows)
            forecast->rows = axis;
        else if (!forecast->columns)
            forecast->columns = axis;
        else
            fr_fault(faults, FR_RELATION, axis->param->name,
                     "a table has one list down, one across and one tunable; give one value here");
    }
    if (!faults->count && (!forecast->rows || !forecast->columns))
        fr_fault(faults, FR_MISSING, forecast->rows ? "columns" : "rows",
                 "required: a parameter with a list of values, such as processes=256,1024,4096");
    if (!faults->count && (forecast->rows == forecast->columns || forecast->rows == forecast->by ||
                           forecast->columns == forecast->by))
        fr_fault(faults, FR_RELATION, "rows", "rows, columns and by must be three parameters");
}

static void choose_output(const struct fr_question *question, const char *name,
                          struct fr_forecast *forecast, struct fr_faults *faults)
{
    const struct fr_model *model = question->model;

    forecast->output = name;
    if (!name) {
        const bool has_peak = question->subject_count &&
                              !isnan(question->subject[0].cal->core_peak_flops_per_s) &&
                              fr_output_find(model->outputs, "percent_of_peak");

        forecast->output = has_peak ? "percent_of_peak" : "time_s";
    }
    if (!fr_quantity_find(model, forecast->output, &forecast->quantity))
        fr_fault(faults, FR_CHOICE, "y", "'%.40s' is not an output of %s", forecast->output,
                 model->name);
}

const struct fr_forecast_value *fr_forecast_at(const struct fr_forecast *forecast, size_t row,
                                               size_t column, size_t by)
{
    return &forecast->value[(row * forecast->columns->count + column) * forecast->by->count + by];
}

/* Where the combination stands in the product of all lists. */
static size_t point_of(const struct fr_forecast *forecast, size_t row, size_t column, size_t by)
{
    size_t index = 0;

    for (size_t i = 0; i < forecast->question->axis_count; i++) {
        const struct fr_axis *axis = &forecast->question->axis[i];

        index = index * axis->count + (axis == forecast->rows      ? row
                                       : axis == forecast->columns ? column
                                                                   : by);
    }
    return index;
}

/* Three digits, their zeros too. */
static void print_digits(double value, char *out, size_t size)
{
    snprintf(out, size, "%#.3g", value);
    if (out[strlen(out) - 1] == '.')
        out[strlen(out) - 1] = '\0';
}

static void predict_value(struct fr_sweep *sweep, const struct fr_forecast *forecast, size_t index,
                          struct fr_forecast_value *out)
{
    *out = (struct fr_forecast_value){ .value = NAN, .time_s = NAN, .text = "--" };
    if (fr_sweep_point(sweep, index)) {
        out->time_s = sweep->prediction->time_s;
        out->value = fr_quantity_predicted(&forecast->quantity, sweep->prediction);
        if (!isnan(out->value))
            print_digits(out->value, out->text, sizeof out->text);
    } else {
        char why[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 4];

        snprintf(why, sizeof why, "%s: %s", sweep->faults->fault[0].where,
                 sweep->faults->fault[0].message);
        out->error = fr_arena_text(sweep->rq->arena, why, strlen(why));
    }
}

static void mark_best(struct fr_forecast_value *cell, size_t count)
{
    size_t best = count, alike = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(cell[i].time_s) && (best == count || cell[i].time_s < cell[best].time_s))
            best = i;
    if (best == count)
        return;
    cell[best].is_best = true;
    for (size_t i = 0; i < count; i++)
        alike += strcmp(cell[i].text, cell[best].text) == 0;
    for (size_t i = 0; i < count; i++)
        cell[i].is_tied = alike > 1 && strcmp(cell[i].text, cell[best].text) == 0;
}

static void predict_all(struct fr_sweep *sweep, struct fr_forecast *forecast)
{
    const size_t each = forecast->by->count;
    struct fr_forecast_value *at = forecast->value;

    for (size_t row = 0; row < forecast->rows->count; row++) {
        for (size_t column = 0; column < forecast->columns->count; column++) {
            for (size_t by = 0; by < each; by++)
                predict_value(sweep, forecast, point_of(forecast, row, column, by), &at[by]);
            mark_best(at, each);
            at += each;
        }
    }
}

/* An axis' value under its parameter's name. */
static void row_place(struct fr_rows *rows, const struct fr_axis *axis, size_t place, void *scratch)
{
    fr_axis_put(axis, place, scratch);
    fr_row_param(rows, axis->param, scratch);
}

static void write_rows(struct fr_request *rq, struct fr_rows *rows,
                       const struct fr_forecast *forecast)
{
    void *scratch = fr_arena_zeroed(rq->arena, 1, forecast->question->model->values_size);

    for (size_t row = 0; scratch && row < forecast->rows->count; row++) {
        for (size_t column = 0; column < forecast->columns->count; column++) {
            for (size_t by = 0; by < forecast->by->count; by++) {
                const struct fr_forecast_value *value = fr_forecast_at(forecast, row, column, by);

                fr_row_begin(rows);
                row_place(rows, forecast->rows, row, scratch);
                row_place(rows, forecast->columns, column, scratch);
                row_place(rows, forecast->by, by, scratch);
                fr_row_number(rows, "value", value->value);
                fr_row_number(rows, "time_s", value->time_s);
                fr_row_bool(rows, "best", value->is_best);
                fr_row_bool(rows, "tie", value->is_tied);
                fr_row_text(rows, "error", value->error);
                fr_row_end(rows);
            }
        }
    }
}

static void write_answer(struct fr_request *rq, struct fr_writer *w,
                         const struct fr_forecast *forecast)
{
    const struct fr_subject *subject = &forecast->question->subject[0];
    struct fr_rows rows;

    if (rq->format == FR_TEX) {
        fr_forecast_write_tex(w, forecast);
        return;
    }
    if (rq->format == FR_JSON) {
        fr_json_object(w);
        fr_json_pair(w, "model", forecast->question->model->name);
        fr_json_pair(w, "machine", subject->cal->machine);
        fr_json_pair(w, "calibration", subject->loaded->id);
        fr_json_pair(w, "rows", forecast->rows->param->name);
        fr_json_pair(w, "columns", forecast->columns->param->name);
        fr_json_pair(w, "by", forecast->by->param->name);
        fr_json_pair(w, "output", forecast->output);
        fr_json_pair(w, "unit", fr_quantity_unit(&forecast->quantity));
        fr_json_key(w, "cells");
        fr_json_array(w);
    }
    fr_rows_begin(&rows, w, rq->format);
    write_rows(rq, &rows, forecast);
    fr_rows_end(&rows);
    if (rq->format == FR_JSON) {
        fr_json_array_end(w);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  const struct names *names, struct fr_faults *faults)
{
    struct fr_forecast forecast = { .question = question };
    struct fr_sweep sweep;

    if (question->subject_count > 1)
        fr_fault(faults, FR_RELATION, "machine", "a table is of one machine");
    choose_axes(rq, question, names, &forecast, faults);
    choose_output(question, names->y, &forecast, faults);
    if (fr_sweep_begin(&sweep, rq, question, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    if (sweep.points <= FR_MAX_FORECAST)
        forecast.value = fr_arena_zeroed(rq->arena, sweep.points, sizeof *forecast.value);
    if (!forecast.value) {
        fr_fault(faults, FR_TOO_MANY_POINTS, forecast.rows->param->name,
                 "%zu numbers; a table has at most %d", sweep.points, FR_MAX_FORECAST);
        return fr_reply_faults(reply, faults);
    }
    predict_all(&sweep, &forecast);
    if (!sweep.legal)
        return fr_reply_faults(reply, sweep.faults);
    fr_metrics_predictions(&rq->server->metrics, question->model, sweep.legal);
    write_answer(rq, &reply->body, &forecast);
    return 200;
}

int fr_get_forecast(struct fr_request *rq, struct fr_reply *reply)
{
    struct names names = { NULL };
    const struct fr_text_option texts[] = {
        { "rows", &names.rows }, { "columns", &names.columns },
        { "by", &names.by },     { "y", &names.y },
        { NULL, NULL },
    };
    const struct fr_asking asking = {
        .texts = texts,
        .takes_lists = true,
        .leaves_tunables_open = true,
    };
    struct fr_question question;
    struct fr_faults faults;
    int status = fr_ask(rq, reply, &asking, &question, &faults);

    if (status == FR_OK && !faults.count && fr_ask_is_known(rq, reply, &question))
        status = 304;
    else if (status == FR_OK)
        status = answer(rq, reply, &question, &names, &faults);
    fr_ask_end(&question);
    return status;
}
