#include "server/questions/prediction.h"
#include "server/http/server.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_answered(const struct fr_param *param)
{
    return !(param->flags & FR_INPUT_ONLY);
}

/* Whether an output only repeats a parameter of the same name. */
static bool is_repeated(const struct fr_model *model, const struct fr_output *output)
{
    const struct fr_param *param = fr_param_find(model->params, output->name);

    return param && is_answered(param);
}

static void row_output(struct fr_rows *rows, const char *name, const struct fr_output *output,
                       const struct fr_prediction *prediction)
{
    static const struct fr_vector no_vector;

    switch (output->kind) {
    case FR_OUTPUT_NUMBER:
        fr_row_number(rows, name, prediction ? fr_output_get(output, prediction) : NAN);
        break;
    case FR_OUTPUT_VECTOR:
        fr_row_vector(rows, name, prediction ? fr_output_vector(output, prediction) : &no_vector);
        break;
    case FR_OUTPUT_TEXT:
        fr_row_text(rows, name, prediction ? fr_output_text(output, prediction) : NULL);
        break;
    }
}

/* A parameter that the model has left open shows what it chose, where an output says that. */
static void row_param(struct fr_rows *rows, const struct fr_model *model,
                      const struct fr_param *param, const void *values,
                      const struct fr_prediction *prediction)
{
    const struct fr_output *output = NULL;

    if (prediction && fr_param_is_open(param, values))
        output = fr_output_find(model->outputs, param->name);
    if (output)
        row_output(rows, param->name, output, prediction);
    else
        fr_row_param(rows, param, values);
}

void fr_row_params(struct fr_rows *rows, const struct fr_model *model, const void *values,
                   const struct fr_prediction *prediction)
{
    for (const struct fr_param *param = model->params; param->name; param++)
        if (is_answered(param))
            row_param(rows, model, param, values, prediction);
}

/* So that they can be asked again: a grid that was chosen is one that may be given, a number that
 * came out (a step's time, with its speedup) is not. */
static void write_params(struct fr_writer *w, const struct fr_predicted *of)
{
    struct fr_rows rows;

    fr_json_key(w, "parameters");
    fr_rows_begin(&rows, w, FR_JSON);
    fr_row_begin(&rows);
    for (const struct fr_param *param = of->model->params; param->name; param++)
        if (is_answered(param))
            row_param(&rows, of->model, param, of->values,
                      param->kind == FR_KIND_VECTOR ? of->prediction : NULL);
    fr_row_end(&rows);
    fr_rows_end(&rows);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct fr_phase *)left)->name, ((const struct fr_phase *)right)->name);
}

static size_t sorted_phases(const struct fr_predicted *of, struct fr_phase *out)
{
    const size_t count = of->prediction->phase_count;

    memcpy(out, of->prediction->phase, count * sizeof *out);
    if (!of->model->has_ordered_phases)
        qsort(out, count, sizeof *out, by_name);
    return count;
}

static void write_breakdown(struct fr_writer *w, const struct fr_predicted *of)
{
    struct fr_phase phase[FR_MAX_PHASES];
    const size_t count = sorted_phases(of, phase);

    fr_json_key(w, "breakdown");
    fr_json_array(w);
    for (size_t i = 0; i < count; i++) {
        fr_json_object(w);
        fr_json_pair(w, "phase", phase[i].name);
        fr_json_pair(w, "kind", phase[i].kind == FR_COMPUTATION ? "computation" : "communication");
        fr_json_pair_number(w, "time_s", phase[i].time_s);
        fr_json_pair_number(w, "hidden_s", phase[i].hidden_s);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

static int by_code_and_what(const void *left, const void *right)
{
    const struct fr_warning *a = left, *b = right;
    const int order = strcmp(fr_warning_name(a->code), fr_warning_name(b->code));

    return order ? order : strcmp(a->what ? a->what : "", b->what ? b->what : "");
}

static size_t sorted_warnings(const struct fr_prediction *prediction, struct fr_warning *out)
{
    memcpy(out, prediction->warning, prediction->warning_count * sizeof *out);
    qsort(out, prediction->warning_count, sizeof *out, by_code_and_what);
    return prediction->warning_count;
}

static void write_warnings(struct fr_writer *w, const struct fr_prediction *prediction,
                           const struct fr_calibration *cal)
{
    struct fr_warning warning[FR_MAX_WARNINGS];
    const size_t count = sorted_warnings(prediction, warning);

    fr_json_key(w, "warnings");
    fr_json_array(w);
    for (size_t i = 0; i < count; i++) {
        char message[600];

        fr_warning_print(&warning[i], prediction, cal, message, sizeof message);
        fr_json_object(w);
        fr_json_pair(w, "code", fr_warning_name(warning[i].code));
        fr_json_pair(w, "what", warning[i].what);
        fr_json_pair(w, "message", message);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

static void write_output(struct fr_writer *w, const char *key, const struct fr_output *output,
                         const struct fr_prediction *prediction)
{
    fr_json_key(w, key);
    switch (output->kind) {
    case FR_OUTPUT_NUMBER:
        fr_json_number_or_null(w, fr_output_get(output, prediction));
        break;
    case FR_OUTPUT_VECTOR:
        fr_json_vector(w, fr_output_vector(output, prediction));
        break;
    case FR_OUTPUT_TEXT:
        fr_json_text(w, fr_output_text(output, prediction));
        break;
    }
}

/* Members named 0, 1, … make a list, which ends with the last that has a value; without any it is
 * null. Returns the last of them. */
static const struct fr_output *write_list(struct fr_writer *w, const struct fr_output *output,
                                          size_t length, const struct fr_prediction *prediction)
{
    const struct fr_output *last = output;
    size_t count = 0;

    for (; last->name && strncmp(last->name, output->name, length + 1) == 0; last++)
        if (!isnan(fr_output_get(last, prediction)))
            count = (size_t)(last - output) + 1;
    if (count == 0) {
        fr_json_null(w);
        return last - 1;
    }
    fr_json_array(w);
    for (size_t i = 0; i < count; i++)
        fr_json_number_or_null(w, fr_output_get(&output[i], prediction));
    fr_json_array_end(w);
    return last - 1;
}

/* Outputs that share what stands before the dot follow each other, and make one object or list. */
static void write_outputs(struct fr_writer *w, const struct fr_output *output,
                          const struct fr_prediction *prediction)
{
    const char *object = NULL;
    size_t length = 0;

    for (; output->name; output++) {
        const char *dot = strchr(output->name, '.');

        if (object && (!dot || strncmp(object, output->name, length + 1) != 0)) {
            fr_json_object_end(w);
            object = NULL;
        }
        if (dot && !object) {
            char name[FR_OUTPUT_NAME_BYTES];

            object = output->name;
            length = (size_t)(dot - object);
            snprintf(name, sizeof name, "%.*s", (int)length, object);
            fr_json_key(w, name);
            if (strcmp(dot, ".0") == 0) {
                output = write_list(w, output, length, prediction);
                object = NULL;
                continue;
            }
            fr_json_object(w);
        }
        write_output(w, dot ? dot + 1 : output->name, output, prediction);
    }
    if (object)
        fr_json_object_end(w);
}

/* Half of the calibration's own measurements lay this near to their medians: what noise alone does,
 * were it the same everywhere. */
static bool spread_interval(const struct fr_predicted *of, struct fr_interval *out,
                            const char **basis)
{
    const double spread = fr_calibration_spread(of->cal, of->prediction->used);

    if (isnan(spread) || of->change_count)
        return false;
    *out = (struct fr_interval){
        .low_s = of->prediction->time_s / (1 + spread / 2),
        .high_s = of->prediction->time_s * (1 + spread / 2),
        .coverage_fraction = 0.5,
    };
    *basis = "spread_of_calibration";
    return true;
}

/* Where the true time will lie: from the residuals of comparable runs; else, where many runs served
 * as input, between the predictions that they made; else as the calibration's measurements spread;
 * else not known. */
static bool interval_of(const struct fr_predicted *of, struct fr_interval *out, const char **basis)
{
    const bool is_aided = of->spread.runs > 0;

    if (of->history && fr_residuals_interval(of->history, of->prediction->time_s, is_aided, out)) {
        *basis = fr_interval_basis_name(out->basis);
        return true;
    }
    if (of->spread.runs < FR_LEAST_RUNS)
        return spread_interval(of, out, basis);
    *out = (struct fr_interval){
        .low_s = of->spread.low_s,
        .high_s = of->spread.high_s,
        .coverage_fraction = 0.9,
        .runs = of->spread.runs,
    };
    *basis = "predictions_with_saved_runs";
    return true;
}

static void write_interval(struct fr_writer *w, const struct fr_predicted *of)
{
    struct fr_interval interval;
    const char *basis;

    fr_json_key(w, "interval");
    if (!interval_of(of, &interval, &basis)) {
        fr_json_null(w);
        return;
    }
    fr_json_object(w);
    fr_json_pair_number(w, "low_s", interval.low_s);
    fr_json_pair_number(w, "high_s", interval.high_s);
    fr_json_pair_number(w, "coverage_fraction", interval.coverage_fraction);
    fr_json_pair_integer(w, "runs", (int64_t)interval.runs);
    fr_json_pair(w, "basis", basis);
    fr_json_object_end(w);
}

static void row_interval(struct fr_rows *rows, const struct fr_predicted *of)
{
    struct fr_interval interval = { .low_s = NAN, .high_s = NAN, .coverage_fraction = NAN };
    const char *basis = NULL;

    interval_of(of, &interval, &basis);
    fr_row_number(rows, "interval_low_s", interval.low_s);
    fr_row_number(rows, "interval_high_s", interval.high_s);
    fr_row_number(rows, "interval_coverage_fraction", interval.coverage_fraction);
    fr_row_text(rows, "interval_basis", basis);
}

/* How the predictions of several saved runs spread; left out where there are none. */
static void write_spread(struct fr_writer *w, const struct fr_spread *spread)
{
    const struct fr_box_statistics *box = &spread->box;

    if (!spread->runs)
        return;
    fr_json_key(w, "runs");
    fr_json_object(w);
    fr_json_pair_integer(w, "count", (int64_t)spread->runs);
    fr_json_pair_number(w, "minimum_s", box->minimum);
    fr_json_pair_number(w, "lower_whisker_s", box->lower_whisker);
    fr_json_pair_number(w, "first_quartile_s", box->first_quartile);
    fr_json_pair_number(w, "median_s", box->median);
    fr_json_pair_number(w, "third_quartile_s", box->third_quartile);
    fr_json_pair_number(w, "upper_whisker_s", box->upper_whisker);
    fr_json_pair_number(w, "maximum_s", box->maximum);
    fr_json_pair_integer(w, "outliers", (int64_t)box->outliers);
    fr_json_object_end(w);
}

void fr_prediction_write(struct fr_writer *w, const struct fr_predicted *of)
{
    fr_json_object(w);
    fr_json_pair(w, "model", of->model->name);
    fr_json_pair(w, "machine", of->cal->machine);
    fr_json_pair(w, "calibration", of->loaded->id);
    write_params(w, of);
    write_outputs(w, of->model->outputs, of->prediction);
    write_breakdown(w, of);
    write_spread(w, &of->spread);
    write_interval(w, of);
    if (of->is_explained)
        fr_explain_write(w, of);
    write_warnings(w, of->prediction, of->cal);
    if (of->change_count) {
        fr_json_key(w, "what_if");
        fr_json_object(w);
        for (size_t i = 0; i < of->change_count; i++)
            fr_json_pair(w, of->change[i].path, of->change[i].value);
        fr_json_object_end(w);
    }
    if (of->baseline) {
        fr_json_key(w, "baseline");
        fr_prediction_write(w, of->baseline);
    }
    fr_json_pair(w, "engine", FR_ENGINE);
    fr_json_object_end(w);
}

/* One prediction into the arena; NULL with faults. */
static const struct fr_prediction *predict_one(struct fr_request *rq, const struct fr_model *model,
                                               void *values, const struct fr_run_source *source,
                                               const struct fr_calibration *cal,
                                               struct fr_spread *spread, struct fr_faults *faults)
{
    struct fr_prediction *prediction = fr_arena_zeroed(rq->arena, 1, sizeof *prediction);

    if (!prediction) {
        fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
        return NULL;
    }
    if (fr_model_answer(model, values, source, cal, rq->arena, prediction, spread, faults) != FR_OK)
        return NULL;
    fr_metrics_predictions(&rq->server->metrics, model, 1);
    return prediction;
}

int fr_predict(struct fr_request *rq, const struct fr_model *model, const void *values,
               const struct fr_loaded *loaded, const struct fr_calibration *cal,
               const struct fr_matching_runs *matching, const struct fr_change *change,
               size_t change_count, struct fr_predicted *out, struct fr_faults *faults)
{
    void *resolved = fr_arena_zeroed(rq->arena, 2, model->values_size);
    void *unchanged = (char *)resolved + model->values_size;
    struct fr_predicted *baseline = NULL;
    struct fr_faults no_baseline;

    if (!resolved)
        return fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
    memcpy(resolved, values, model->values_size);
    memcpy(unchanged, values, model->values_size);
    *out = (struct fr_predicted){
        .model = model,
        .loaded = loaded,
        .cal = cal,
        .values = resolved,
        .history = change_count ? NULL : matching->history, /* a machine that nobody measured */
        .change = change,
        .change_count = change_count,
        .arena = rq->arena,
    };
    out->prediction = predict_one(rq, model, resolved, fr_matching_runs_source(matching), cal,
                                  &out->spread, faults);
    if (!out->prediction)
        return FR_RELATION;
    if (change_count)
        baseline = fr_arena_zeroed(rq->arena, 1, sizeof *baseline);
    if (!baseline)
        return FR_OK;
    /* What only the what-if makes possible has no baseline. */
    no_baseline.count = 0;
    *baseline = (struct fr_predicted){
        .model = model,
        .loaded = loaded,
        .cal = loaded->cal,
        .values = unchanged,
        .history = matching->history,
    };
    baseline->prediction = predict_one(rq, model, unchanged, fr_matching_runs_source(matching),
                                       loaded->cal, &baseline->spread, &no_baseline);
    if (baseline->prediction)
        out->baseline = baseline;
    return FR_OK;
}

void fr_row_outputs(struct fr_rows *rows, const struct fr_model *model,
                    const struct fr_prediction *prediction)
{
    for (const struct fr_output *output = model->outputs; output->name; output++) {
        char name[FR_OUTPUT_NAME_BYTES];

        fr_output_flat_name(output, name);
        if (!is_repeated(model, output))
            row_output(rows, name, output, prediction);
    }
}

void fr_row_warnings(struct fr_rows *rows, const struct fr_prediction *prediction)
{
    char text[FR_MAX_WARNINGS][80];
    const char *texts[FR_MAX_WARNINGS];
    struct fr_warning warning[FR_MAX_WARNINGS];
    const size_t count = prediction ? sorted_warnings(prediction, warning) : 0;

    for (size_t i = 0; i < count; i++) {
        snprintf(text[i], sizeof text[i], "%s%s%s", fr_warning_name(warning[i].code),
                 warning[i].what ? ":" : "", warning[i].what ? warning[i].what : "");
        texts[i] = text[i];
    }
    fr_row_texts(rows, "warnings", texts, count);
}

static void row_breakdown(struct fr_rows *rows, const struct fr_predicted *of)
{
    struct fr_phase phase[FR_MAX_PHASES];
    const size_t count = sorted_phases(of, phase);

    for (size_t i = 0; i < count; i++) {
        char name[80];

        snprintf(name, sizeof name, "breakdown_%s_time_s", phase[i].name);
        fr_row_number(rows, name, phase[i].time_s);
        snprintf(name, sizeof name, "breakdown_%s_hidden_s", phase[i].name);
        fr_row_number(rows, name, phase[i].hidden_s);
    }
}

void fr_prediction_row(struct fr_rows *rows, const struct fr_predicted *of)
{
    fr_row_begin(rows);
    fr_row_text(rows, "model", of->model->name);
    fr_row_text(rows, "machine", of->cal->machine);
    fr_row_text(rows, "calibration", of->loaded->id);
    fr_row_params(rows, of->model, of->values, of->prediction);
    fr_row_outputs(rows, of->model, of->prediction);
    row_breakdown(rows, of);
    row_interval(rows, of);
    fr_row_warnings(rows, of->prediction);
    if (of->baseline)
        fr_row_number(rows, "baseline_time_s", of->baseline->prediction->time_s);
    fr_row_text(rows, "engine", FR_ENGINE);
    fr_row_end(rows);
}
