/* Writes a prediction in each response format.  The table `parts` at the end lists its parts and
 * the formats that include each. */
#include "server/questions/documents.h"

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

/* Writes a parameter.  For one that the model chooses, the value comes from the output of the same
 * name. */
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

static int by_code_and_what(const void *left, const void *right)
{
    const struct fr_warning *a = left, *b = right;
    const int order = strcmp(fr_warning_name(a->code), fr_warning_name(b->code));

    return order ? order : strcmp(a->what ? a->what : "", b->what ? b->what : "");
}

/* An unknown share counts as the whole time. */
static double share_of(const struct fr_warning *warning)
{
    return isnan(warning->share_fraction) ? 1 : warning->share_fraction;
}

static int by_share(const void *left, const void *right)
{
    const double a = share_of(left), b = share_of(right);

    return a == b ? by_code_and_what(left, right) : a < b ? 1 : -1;
}

static size_t sorted_warnings(const struct fr_prediction *prediction, struct fr_warning *out,
                              int (*order)(const void *left, const void *right))
{
    memcpy(out, prediction->warning, prediction->warning_count * sizeof *out);
    qsort(out, prediction->warning_count, sizeof *out, order);
    return prediction->warning_count;
}

void fr_row_warnings(struct fr_rows *rows, const struct fr_prediction *prediction)
{
    char text[FR_MAX_WARNINGS][80];
    const char *texts[FR_MAX_WARNINGS];
    struct fr_warning warning[FR_MAX_WARNINGS];
    const size_t count = prediction ? sorted_warnings(prediction, warning, by_share) : 0;

    for (size_t i = 0; i < count; i++) {
        snprintf(text[i], sizeof text[i], "%s%s%s", fr_warning_name(warning[i].code),
                 warning[i].what ? ":" : "", warning[i].what ? warning[i].what : "");
        texts[i] = text[i];
    }
    fr_row_texts(rows, "warnings", texts, count);
}

static void write_names(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_text(rows, "model", predicted->model->name);
    fr_row_text(rows, "machine", predicted->cal->machine);
    fr_row_text(rows, "calibration", predicted->loaded->id);
}

/* A client can send the JSON parameters back unchanged.  They therefore include a chosen grid, but
 * no computed number: for example, a step time and a speedup exclude each other. */
static void write_params(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const struct fr_model *model = predicted->model;

    if (rows->format != FR_JSON) {
        fr_row_params(rows, model, predicted->values, predicted->prediction);
        return;
    }
    fr_row_object(rows, "parameters");
    for (const struct fr_param *param = model->params; param->name; param++)
        if (is_answered(param))
            row_param(rows, model, param, predicted->values,
                      param->kind == FR_KIND_VECTOR ? predicted->prediction : NULL);
    fr_row_object_end(rows);
}

/* Writes outputs named 0, 1, … as a list that ends with the last value present, or null if none is.
 * Returns the last of these outputs. */
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

/* Consecutive outputs with a common prefix before the dot form one object or list. */
static void write_outputs(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const char *object = NULL;
    size_t length = 0;

    for (const struct fr_output *output = predicted->model->outputs; output->name; output++) {
        const char *dot = strchr(output->name, '.');

        if (object && (!dot || strncmp(object, output->name, length + 1) != 0)) {
            fr_row_object_end(rows);
            object = NULL;
        }
        if (dot && !object) {
            char name[FR_OUTPUT_NAME_BYTES];

            length = (size_t)(dot - output->name);
            snprintf(name, sizeof name, "%.*s", (int)length, output->name);
            if (strcmp(dot, ".0") == 0) {
                fr_json_key(rows->w, name);
                output = write_list(rows->w, output, length, predicted->prediction);
                continue;
            }
            object = output->name;
            fr_row_object(rows, name);
        }
        row_output(rows, dot ? dot + 1 : output->name, output, predicted->prediction);
    }
    if (object)
        fr_row_object_end(rows);
}

static void write_flat_outputs(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_outputs(rows, predicted->model, predicted->prediction);
}

/* In JSON a model without a bound says so. */
static void write_missing_bound(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    if (fr_output_find(predicted->model->outputs, "bound_s"))
        return;
    fr_row_text(rows, "bound_s", NULL);
    fr_row_text(rows, "bound_by", NULL);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct fr_phase *)left)->name, ((const struct fr_phase *)right)->name);
}

static size_t sorted_phases(const struct fr_predicted *predicted, struct fr_phase *out)
{
    const size_t count = predicted->prediction->phase_count;

    memcpy(out, predicted->prediction->phase, count * sizeof *out);
    if (!predicted->model->has_ordered_phases)
        qsort(out, count, sizeof *out, by_name);
    return count;
}

static void write_breakdown(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const bool is_json = rows->format == FR_JSON;
    struct fr_phase phase[FR_MAX_PHASES];
    const size_t count = sorted_phases(predicted, phase);

    if (is_json) {
        fr_json_pair_array(rows->w, "breakdown");
    }
    for (size_t i = 0; i < count; i++) {
        char name[80];

        snprintf(name, sizeof name, "breakdown_%s", phase[i].name);
        fr_row_object(rows, is_json ? NULL : name);
        if (is_json) {
            fr_row_text(rows, "phase", phase[i].name);
            fr_row_text(rows, "kind",
                        phase[i].kind == FR_COMPUTATION ? "computation" : "communication");
        }
        fr_row_number(rows, "time_s", phase[i].time_s);
        fr_row_number(rows, "hidden_s", phase[i].hidden_s);
        fr_row_object_end(rows);
    }
    if (is_json)
        fr_json_array_end(rows->w);
}

/* Writes the spread of the predictions with several saved runs, if there are any. */
static void write_spread(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const struct fr_box_statistics *box = &predicted->spread.box;

    if (!predicted->spread.runs)
        return;
    fr_row_object(rows, "runs");
    fr_row_integer(rows, "count", (int64_t)predicted->spread.runs);
    fr_row_number(rows, "minimum_s", box->minimum);
    fr_row_number(rows, "lower_whisker_s", box->lower_whisker);
    fr_row_number(rows, "first_quartile_s", box->first_quartile);
    fr_row_number(rows, "median_s", box->median);
    fr_row_number(rows, "third_quartile_s", box->third_quartile);
    fr_row_number(rows, "upper_whisker_s", box->upper_whisker);
    fr_row_number(rows, "maximum_s", box->maximum);
    fr_row_integer(rows, "outliers", (int64_t)box->outliers);
    fr_row_object_end(rows);
}

static void write_outlook(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_outlook(rows, &predicted->asked, &predicted->outlook);
}

/* The names of version 1, besides those of all rows. */
static void write_flat_interval(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const struct fr_outlook *outlook = &predicted->outlook;
    const struct fr_interval *interval = outlook->has_interval ? &outlook->interval : NULL;

    fr_row_object(rows, "interval");
    fr_row_number(rows, "low_s", interval ? interval->low_s : NAN);
    fr_row_number(rows, "high_s", interval ? interval->high_s : NAN);
    fr_row_number(rows, "coverage_fraction", interval ? interval->coverage_fraction : NAN);
    fr_row_text(rows, "basis", interval ? fr_interval_basis_name(interval->basis) : NULL);
    fr_row_object_end(rows);
}

static void write_calibration_spread(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    struct fr_calibrated_range range = { NAN, NAN, NAN };

    if (!fr_predicted_calibrated_range(predicted, &range) && rows->format == FR_JSON) {
        fr_row_text(rows, "calibration_spread", NULL);
        return;
    }
    fr_row_object(rows, "calibration_spread");
    fr_row_number(rows, "low_s", range.low_s);
    fr_row_number(rows, "high_s", range.high_s);
    fr_row_number(rows, "spread_fraction", range.spread_fraction);
    fr_row_object_end(rows);
}

static void write_extrapolation(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const struct fr_extrapolation *of = &predicted->extrapolation;
    char message[300];

    if (!of->is_present && rows->format == FR_JSON) {
        fr_row_text(rows, "extrapolation", NULL);
        return;
    }
    fr_row_object(rows, "extrapolation");
    fr_row_number(rows, "measured_processes", of->measured_processes);
    fr_row_number(rows, "processes", of->processes);
    fr_row_number(rows, "expected_error_fraction", of->expected_error_fraction);
    fr_row_number(rows, "low_s", of->low_s);
    fr_row_number(rows, "high_s", of->high_s);
    if (rows->format == FR_JSON) {
        fr_extrapolation_print(of, message, sizeof message);
        fr_row_text(rows, "message", message);
    }
    fr_row_object_end(rows);
}

static void write_explanation(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    if (!predicted->is_explained)
        return;
    fr_json_pair_array(rows->w, predicted->model->list_name);
    fr_explain_write(rows, predicted);
    fr_json_array_end(rows->w);
}

static void write_warnings(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    struct fr_warning warning[FR_MAX_WARNINGS];
    const size_t count = sorted_warnings(predicted->prediction, warning, by_code_and_what);

    fr_json_pair_array(rows->w, "warnings");
    for (size_t i = 0; i < count; i++) {
        char message[600];

        fr_warning_print(&warning[i], predicted->prediction, predicted->cal, message,
                         sizeof message);
        fr_row_begin(rows);
        fr_row_text(rows, "code", fr_warning_name(warning[i].code));
        fr_row_text(rows, "what", warning[i].what);
        fr_row_text(rows, "message", message);
        fr_row_number(rows, "share_fraction", warning[i].share_fraction);
        fr_row_number(rows, "expected_error_fraction", warning[i].expected_error_fraction);
        fr_row_end(rows);
    }
    fr_json_array_end(rows->w);
}

static void write_flat_warnings(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_warnings(rows, predicted->prediction);
}

void fr_row_changes(struct fr_rows *rows, const struct fr_change *change, size_t count)
{
    struct fr_writer line;

    if (!count || rows->format == FR_TXT)
        return;
    if (rows->format == FR_JSON) {
        fr_row_object(rows, "what_if");
        for (size_t i = 0; i < count; i++)
            fr_row_text(rows, change[i].path, change[i].value);
        fr_row_object_end(rows);
        return;
    }
    fr_writer_init(&line);
    for (size_t i = 0; i < count; i++)
        fr_writer_printf(&line, "%s%s=%s", i ? " " : "", change[i].path, change[i].value);
    fr_writer_append(&line, "", 1);
    fr_row_text(rows, "what_if", line.text);
    fr_writer_free(&line);
}

static void write_changes(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_changes(rows, predicted->change, predicted->change_count);
}

static void write_baseline(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    const struct fr_predicted *baseline = predicted->baseline;

    if (baseline && rows->format == FR_JSON) {
        fr_json_key(rows->w, "baseline");
        fr_prediction_write(rows, baseline);
    } else if (baseline) {
        fr_row_number(rows, "baseline_time_s", baseline->prediction->time_s);
    }
}

static void write_engine(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    (void)predicted;
    fr_row_text(rows, "engine", FR_ENGINE);
}

static const struct {
    unsigned formats; /* set of enum fr_format */
    void (*write)(struct fr_rows *rows, const struct fr_predicted *predicted);
} parts[] = {
    { FR_ROWS, write_names },
    { FR_ROWS, write_params },
    { FR_JSON, write_outputs },
    { FR_CSV | FR_TXT, write_flat_outputs },
    { FR_JSON, write_missing_bound },
    { FR_ROWS, write_breakdown },
    { FR_JSON, write_spread },
    { FR_ROWS, write_outlook },
    { FR_CSV | FR_TXT, write_flat_interval },
    { FR_ROWS, write_calibration_spread },
    { FR_ROWS, write_extrapolation },
    { FR_JSON, write_explanation },
    { FR_JSON, write_warnings },
    { FR_CSV | FR_TXT, write_flat_warnings },
    { FR_JSON | FR_CSV, write_changes },
    { FR_ROWS, write_baseline },
    { FR_ROWS, write_engine },
};

void fr_prediction_write(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    fr_row_begin(rows);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].formats & rows->format)
            parts[i].write(rows, predicted);
    fr_row_end(rows);
}
