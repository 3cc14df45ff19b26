/* GET /api/v1/forecast/{model}?machine=NAME&rows=PARAMETER&columns=PARAMETER&by=TUNABLE...: the
 * best variant in each cell, laid out like the tables of the Cray paper. */
#include "engine/questions/rank.h"
#include "server/http/server.h"
#include "server/questions/documents.h"
#include "server/questions/sweep.h"

#include "server/questions/recommend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *usual_output(const struct fr_question *question)
{
    return question->target_count && !isnan(question->target[0].cal->core_peak_flops_per_s) &&
                   fr_output_find(question->model->outputs, "percent_of_peak")
               ? "percent_of_peak"
               : "time_s";
}

const struct fr_forecast_value *fr_forecast_at(const struct fr_forecast *forecast, size_t row,
                                               size_t column, size_t by)
{
    return &forecast->value[(row * forecast->columns->count + column) * forecast->by->count + by];
}

/* The index of a combination in the product of all lists. */
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

/* Prints three significant digits, with trailing zeros. */
static void print_digits(double value, char *out, size_t size)
{
    snprintf(out, size, "%#.3g", value);
    if (out[strlen(out) - 1] == '.')
        out[strlen(out) - 1] = '\0';
}

/* A copy of the parameters of the current point; NULL if the memory of the request is used up. */
static const void *copy_values(const struct fr_sweep *sweep)
{
    const size_t size = sweep->question->model->values_size;
    void *copy = fr_arena_zeroed(sweep->rq->arena, 1, size);

    return copy ? memcpy(copy, sweep->values, size) : NULL;
}

bool fr_forecast_chooses(const struct fr_forecast *forecast, const struct fr_param *param)
{
    const struct fr_question *question = forecast->question;

    return param->flags & FR_TUNABLE && param != forecast->by->param &&
           param != forecast->rows->param && param != forecast->columns->param &&
           fr_param_is_open(param, question->values);
}

/* Puts an output of the prediction into a cell. */
static void take_output(const struct fr_forecast *forecast, size_t k, struct fr_forecast_value *out)
{
    out->value = fr_quantity_predicted(&forecast->y.quantity[k], &out->prediction);
    snprintf(out->text, sizeof out->text, "--");
    if (!isnan(out->value))
        print_digits(out->value, out->text, sizeof out->text);
}

static void predict_value(struct fr_sweep *sweep, const struct fr_forecast *forecast, size_t index,
                          struct fr_forecast_value *out)
{
    *out = (struct fr_forecast_value){ .value = NAN, .time_s = NAN, .text = "--" };
    if (fr_sweep_point(sweep, index)) {
        out->outlook = fr_sweep_outlook(sweep);
        out->prediction = *sweep->prediction;
        out->resolved = copy_values(sweep);
        out->time_s = sweep->prediction->time_s;
        out->cost = fr_rank_cost(
            sweep->prediction, fr_model_is_filled(sweep->question->model, sweep->question->values));
        out->digest = fr_prediction_digest(sweep->prediction);
        take_output(forecast, 0, out);
    } else {
        char why[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 4];

        snprintf(why, sizeof why, "%s: %s", sweep->faults->fault[0].where,
                 sweep->faults->fault[0].message);
        out->error = fr_arena_text(sweep->rq->arena, why, strlen(why));
    }
}

/* Finds values with the same prediction, such as 25d with one layer, which is 2d. */
static void find_same(struct fr_forecast_value *cell, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && cell[i].digest && !cell[i].same; k++)
            if (cell[k].digest == cell[i].digest)
                cell[i].same = &cell[k];
}

/* Whether a value prints the same three digits as the best value.  The times must also agree to
 * 1 %, because variants that need equal memory are not otherwise tied. */
static bool is_alike(const struct fr_forecast_value *value, const struct fr_forecast_value *best)
{
    return !value->same && !isnan(value->value) && value->cost <= 1.01 * best->cost &&
           strcmp(value->text, best->text) == 0;
}

static void mark_best(struct fr_forecast_value *cell, size_t count)
{
    size_t best = count, alike = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(cell[i].time_s) && (best == count || cell[i].cost < cell[best].cost))
            best = i;
    if (best == count)
        return;
    cell[best].is_best = true;
    for (size_t i = 0; i < count; i++)
        alike += is_alike(&cell[i], &cell[best]);
    for (size_t i = 0; i < count; i++)
        cell[i].is_tied = alike > 1 && is_alike(&cell[i], &cell[best]);
}

/* Puts the other outputs of a cell beside the first. */
static void spread_outputs(const struct fr_forecast *forecast, struct fr_forecast_value *cell)
{
    for (size_t k = 1; k < forecast->y.count; k++) {
        cell[k] = cell[0];
        if (!isnan(cell[k].time_s))
            take_output(forecast, k, &cell[k]);
    }
}

/* Returns the number of values that exist. */
static size_t predict_all(struct fr_sweep *sweep, struct fr_forecast *forecast)
{
    const size_t each = forecast->by->count;
    struct fr_forecast_value *at = forecast->value;
    size_t shown = 0;

    for (size_t row = 0; row < forecast->rows->count; row++) {
        for (size_t column = 0; column < forecast->columns->count; column++) {
            const size_t predicted = forecast->y.count > 1 ? 1 : each;

            for (size_t by = 0; by < predicted; by++)
                predict_value(sweep, forecast, point_of(forecast, row, column, by), &at[by]);
            spread_outputs(forecast, at);
            for (size_t by = 0; by < each; by++)
                shown += !isnan(at[by].value);
            if (predicted == each) {
                find_same(at, each);
                mark_best(at, each);
            }
            at += each;
        }
    }
    return shown;
}

/* Writes one value of an axis under the name of its parameter. */
static void row_place(struct fr_rows *rows, const struct fr_axis *axis, size_t place, void *scratch)
{
    fr_axis_put(axis, place, scratch);
    fr_row_param(rows, axis->param, scratch);
}

/* JSON always has what was chosen. */
static void row_tunables(struct fr_rows *rows, const struct fr_forecast *forecast,
                         const void *resolved)
{
    if (rows->format != FR_JSON && !forecast->shows_tunables)
        return;
    fr_row_object(rows, "tunables");
    for (const struct fr_param *param = forecast->question->model->params; param->name; param++) {
        if (!fr_forecast_chooses(forecast, param))
            continue;
        if (resolved)
            fr_row_param(rows, param, resolved);
        else
            fr_row_text(rows, param->name, NULL);
    }
    fr_row_object_end(rows);
}

/* The name of the value that is the same by construction. */
static void row_same(struct fr_rows *rows, const struct fr_forecast *forecast,
                     const struct fr_forecast_value *value, size_t by)
{
    char name[80];

    if (value->same)
        fr_axis_print(forecast->by, by - (size_t)(value - value->same), name, sizeof name);
    fr_row_text(rows, "same_as", value->same ? name : NULL);
}

static void write_rows(struct fr_request *rq, struct fr_rows *rows,
                       const struct fr_forecast *forecast)
{
    void *scratch = fr_arena_zeroed(rq->arena, 1, forecast->question->model->values_size);

    for (size_t row = 0; scratch && row < forecast->rows->count; row++) {
        for (size_t column = 0; column < forecast->columns->count; column++) {
            for (size_t by = 0; by < forecast->by->count; by++) {
                const struct fr_forecast_value *value = fr_forecast_at(forecast, row, column, by);
                const bool is_legal = !isnan(value->time_s);

                fr_row_begin(rows);
                row_place(rows, forecast->rows, row, scratch);
                row_place(rows, forecast->columns, column, scratch);
                row_place(rows, forecast->by, by, scratch);
                fr_row_number(rows, "value", value->value);
                fr_row_number(rows, "time_s", value->time_s);
                fr_row_bool(rows, "best", value->is_best);
                fr_row_bool(rows, "tie", value->is_tied);
                row_same(rows, forecast, value, by);
                row_tunables(rows, forecast, value->resolved);
                fr_row_measured(rows, forecast->question, &forecast->question->target[0],
                                value->resolved);
                fr_row_text(rows, "error", value->error);
                fr_row_outlook(rows, &forecast->question->outlook,
                               is_legal ? &value->outlook : NULL);
                fr_row_warnings(rows, is_legal ? &value->prediction : NULL);
                fr_row_end(rows);
            }
        }
    }
}

static void write_changes(struct fr_writer *w, const struct fr_question *question)
{
    if (!question->change_count)
        return;
    fr_json_pair_object(w, "what_if");
    for (size_t i = 0; i < question->change_count; i++)
        fr_json_pair(w, question->change[i].path, question->change[i].value);
    fr_json_object_end(w);
}

static void write_answer(struct fr_request *rq, struct fr_writer *w,
                         const struct fr_forecast *forecast)
{
    const struct fr_target *target = &forecast->question->target[0];
    struct fr_rows rows;

    if (rq->format == FR_TEX) {
        fr_forecast_write_tex(w, forecast);
        return;
    }
    if (rq->format == FR_JSON) {
        fr_json_object(w);
        fr_json_pair(w, "model", forecast->question->model->name);
        fr_json_pair(w, "machine", target->cal->machine);
        fr_json_pair(w, "calibration", target->loaded->id);
        fr_json_pair(w, "rows", forecast->rows->param->name);
        fr_json_pair(w, "columns", forecast->columns->param->name);
        fr_json_pair(w, "by", forecast->by->param->name);
        fr_json_pair(w, "output", forecast->y.count > 1 ? NULL : forecast->y.name[0]);
        fr_json_pair(w, "unit",
                     forecast->y.count > 1 ? NULL : fr_quantity_unit(&forecast->y.quantity[0]));
        fr_json_pair_array(w, "cells");
    }
    fr_rows_begin(&rows, w, rq->format);
    write_rows(rq, &rows, forecast);
    fr_rows_end(&rows);
    if (rq->format == FR_JSON) {
        fr_json_array_end(w);
        fr_basis_write(w, forecast->question);
        write_changes(w, forecast->question);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
}

static bool is_too_large(const struct fr_forecast *forecast, struct fr_faults *faults)
{
    const struct fr_axis *rows = forecast->rows, *columns = forecast->columns, *by = forecast->by;
    const size_t numbers = rows && columns && by ? rows->count * columns->count * by->count : 0;

    if (numbers > FR_MAX_FORECAST)
        fr_fault(faults, FR_TOO_MANY_POINTS,
                 rows->count >= columns->count ? rows->param->name : columns->param->name,
                 "%zu values; a table has at most %d", numbers, FR_MAX_FORECAST);
    return numbers > FR_MAX_FORECAST;
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults)
{
    const struct fr_forecast_names *names = options;
    struct fr_forecast forecast = { .question = question, .shows_tunables = names->tunables };
    struct fr_sweep sweep;
    size_t shown;

    if (question->target_count > 1)
        fr_fault(faults, FR_RELATION, "machine", "a table covers one machine; give one");
    fr_quantities_read(question->model, names->y ? names->y : usual_output(question), "y",
                       rq->arena, &forecast.y, faults);
    fr_forecast_choose_axes(rq, question, names, &forecast, faults);
    if (is_too_large(&forecast, faults)) {
        fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES, faults);
        return fr_reply_faults(reply, faults);
    }
    if (fr_sweep_begin(&sweep, rq, question, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    forecast.value = fr_arena_zeroed(
        rq->arena, forecast.rows->count * forecast.columns->count * forecast.by->count,
        sizeof *forecast.value);
    if (!forecast.value) {
        fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
        return fr_reply_faults(reply, faults);
    }
    sweep.only = (struct fr_restriction){ forecast.list, forecast.list_count };
    sweep.memory = (enum fr_memory)names->memory;
    shown = predict_all(&sweep, &forecast);
    if (!sweep.legal)
        return fr_reply_faults(reply, sweep.faults);
    if (!shown) {
        fr_fault(faults, FR_CHOICE, "y", "'%.40s' has no value in any of the cells; ask for time_s",
                 forecast.y.name[0]);
        return fr_reply_faults(reply, faults);
    }
    fr_metrics_predictions(&rq->server->metrics, question->model, sweep.legal);
    write_answer(rq, &reply->body, &forecast);
    return 200;
}

static const struct fr_param option_table[] = {
    FR_BORROWED(struct fr_forecast_names, rows,
                .doc = "The parameter of the rows; default the first list."),
    FR_BORROWED(struct fr_forecast_names, columns,
                .doc = "The parameter of the columns; default the second list."),
    FR_BORROWED(struct fr_forecast_names, by,
                .doc = "The tunable within a cell; default `variant`, or else the first one with "
                       "choices."),
    FR_BORROWED(struct fr_forecast_names, y,
                .doc = "The output; default percent_of_peak if it is known, otherwise time_s. Of "
                       "several, separated by commas, each cell has all instead of a number for "
                       "each value of `by`."),
    FR_BOOL(struct fr_forecast_names, tunables, .flags = FR_DEFAULT,
            .doc =
                "Whether CSV, txt and LaTeX show the tunables that were chosen in each cell; JSON "
                "always has them."),
    FR_MEMORY_OPTION(struct fr_forecast_names),
    FR_PARAMS_END,
};

const struct fr_asking fr_asking_forecast = {
    .options = option_table,
    .options_size = sizeof(struct fr_forecast_names),
    .takes_lists = true,
    .takes_quantile = true,
    .leaves_tunables_open = true,
    .answer = answer,
};
