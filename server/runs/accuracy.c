/* GET /api/v1/machines/{machine}/accuracy: predicted against measured. */
#include "server/runs/residuals.h"

#include "server/http/handlers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MODELS, ROWS_RUNS };
static const char *const row_choices[] = { [ROWS_MODELS] = "models", [ROWS_RUNS] = "runs", NULL };

const struct fr_param fr_accuracy_params[] = {
    FR_ACCURACY_SUBJECT,
    FR_ACCURACY_WITH_RUNS,
    FR_CHOICE_OF(struct fr_accuracy_options, rows, .choices = row_choices, .fallback = ROWS_MODELS,
                 .flags = FR_DEFAULT,
                 .doc = "In CSV and txt: one row for each model, or one for each run."),
    FR_PARAMS_END,
};

/* The figures of struct fr_accuracy under the names that clients see. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    { "median_error_fraction", offsetof(struct fr_accuracy, median_error_fraction) },
    { "p90_error_fraction", offsetof(struct fr_accuracy, p90_error_fraction) },
    { "worst_error_fraction", offsetof(struct fr_accuracy, worst_error_fraction) },
    { "bias_fraction", offsetof(struct fr_accuracy, bias_fraction) },
    { "within_5_percent_fraction", offsetof(struct fr_accuracy, within_5_percent_fraction) },
    { "within_10_percent_fraction", offsetof(struct fr_accuracy, within_10_percent_fraction) },
    { "within_20_percent_fraction", offsetof(struct fr_accuracy, within_20_percent_fraction) },
    { "within_30_percent_fraction", offsetof(struct fr_accuracy, within_30_percent_fraction) },
    { "median_error_percent_points", offsetof(struct fr_accuracy, median_error_percent_points) },
    { "worst_error_percent_points", offsetof(struct fr_accuracy, worst_error_percent_points) },
    { "pairs_right_fraction", offsetof(struct fr_accuracy, pairs_right_fraction) },
    { "best_right_fraction", offsetof(struct fr_accuracy, best_right_fraction) },
    { "median_regret_fraction", offsetof(struct fr_accuracy, median_regret_fraction) },
    { "worst_regret_fraction", offsetof(struct fr_accuracy, worst_regret_fraction) },
};
enum { FIGURES = sizeof figures / sizeof *figures };

static double figure(const struct fr_accuracy *accuracy, size_t i)
{
    return *(const double *)(const void *)((const char *)accuracy + figures[i].offset);
}

static void write_figures(struct fr_writer *w, const struct fr_accuracy *accuracy)
{
    fr_json_pair_integer(w, "predicted", (int64_t)accuracy->count);
    for (size_t i = 0; i < FIGURES; i++) {
        fr_json_key(w, figures[i].name);
        fr_json_number_or_null(w, figure(accuracy, i));
    }
    fr_json_pair_integer(w, "pairs", (int64_t)accuracy->pairs);
    fr_json_pair_integer(w, "problems", (int64_t)accuracy->problems);
}

/* Relative to the measurement; NaN without a prediction, or if 0 was measured. */
static double error_of(double predicted, double measured)
{
    return measured > 0 ? (predicted - measured) / measured : NAN;
}

static void row_run(struct fr_rows *rows, const struct fr_accuracy_question *question,
                    const struct fr_accuracy_report *report, const struct fr_backtested *run)
{
    const double newest = fr_accuracy_predicted(question, run);
    char url[60];

    snprintf(url, sizeof url, "/api/v1/runs/%s", run->id);
    fr_row_begin(rows);
    fr_row_text(rows, "run", run->id);
    fr_row_text(rows, "model", report->model->name);
    fr_row_text(rows, "at", run->at);
    fr_row_number(rows, "measured", run->measured);
    fr_row_number(rows, "predicted", newest);
    fr_row_number(rows, "error_fraction", error_of(newest, run->measured));
    fr_row_number(rows, "error_percent_points",
                  fr_percent_points(newest, run->measured, run->at_peak_s));
    fr_row_text(rows, "calibration_then", run->calibration);
    fr_row_number(rows, "predicted_then", run->then);
    fr_row_number(rows, "error_then_fraction", error_of(run->then, run->measured));
    fr_row_text(rows, "url", url);
    fr_row_text(rows, "left_out", fr_left_out_name(run->left_out));
    fr_row_text(rows, "reason", run->reason);
    if (rows->format == FR_JSON) {
        fr_json_key(rows->w, "parameters");
        fr_json_raw(rows->w, run->parameters, strlen(run->parameters));
    }
    fr_row_end(rows);
}

static void write_runs(struct fr_writer *w, const struct fr_accuracy_question *question,
                       const struct fr_accuracy_report *report, const size_t *places, size_t count)
{
    struct fr_rows rows;

    fr_json_array(w);
    fr_rows_begin(&rows, w, FR_JSON);
    for (size_t i = 0; i < count; i++)
        row_run(&rows, question, report, &report->run[places ? places[i] : i]);
    fr_rows_end(&rows);
    fr_json_array_end(w);
}

static void write_coverage(struct fr_writer *w, const struct fr_accuracy_report *report)
{
    fr_json_key(w, "interval");
    if (isnan(report->covered_fraction)) {
        fr_json_null(w);
        return;
    }
    fr_json_object(w);
    fr_json_pair_number(w, "coverage_fraction", FR_COVERAGE);
    fr_json_pair_number(w, "covered_fraction", report->covered_fraction);
    fr_json_pair_integer(w, "tested_runs", (int64_t)report->covered_of);
    fr_json_object_end(w);
}

/* `others` and `their_ratio`: names of what the runs are compared with. */
static void write_change(struct fr_writer *w, const struct fr_drift *drift, const char *others,
                         const char *their_ratio)
{
    fr_json_pair_number(w, "slowdown", drift->slowdown);
    fr_json_pair_integer(w, "runs", (int64_t)drift->runs);
    fr_json_pair_integer(w, "outside", (int64_t)drift->outside);
    fr_json_pair_integer(w, others, (int64_t)drift->other_runs);
    fr_json_pair_number(w, their_ratio, drift->other_ratio);
    fr_json_pair_number(w, "ratio", drift->ratio);
}

void fr_drift_write(struct fr_writer *w, const struct fr_residuals *residuals)
{
    if (!residuals || !residuals->drift_since) {
        fr_json_null(w);
        return;
    }
    fr_json_object(w);
    fr_json_pair(w, "model", residuals->model->name);
    fr_json_pair(w, "since", residuals->drift_since);
    write_change(w, &residuals->drift, "earlier_runs", "earlier_ratio");
    fr_json_object_end(w);
}

void fr_passed_drifts_write(struct fr_writer *w, const struct fr_residuals *residuals)
{
    for (size_t i = 0; residuals && i < residuals->passed_count; i++) {
        fr_json_object(w);
        fr_json_pair(w, "model", residuals->model->name);
        fr_json_pair(w, "since", residuals->passed[i].since);
        fr_json_pair(w, "until", residuals->passed[i].until);
        write_change(w, &residuals->passed[i].drift, "other_runs", "other_ratio");
        fr_json_object_end(w);
    }
}

static void write_model(struct fr_writer *w, const struct fr_accuracy_question *question,
                        const struct fr_accuracy_report *report)
{
    fr_json_object(w);
    fr_json_pair(w, "model", report->model->name);
    fr_json_pair_integer(w, "runs", (int64_t)report->count);
    fr_json_pair_object(w, "left_out");
    for (int reason = FR_LEFT_OUT_NOT + 1; reason < FR_LEFT_OUT_REASONS; reason++)
        fr_json_pair_integer(w, fr_left_out_name((enum fr_left_out)reason),
                             (int64_t)report->left_out[reason]);
    fr_json_object_end(w);
    write_figures(w, &report->newest);
    fr_json_pair_object(w, "then");
    write_figures(w, &report->then);
    fr_json_object_end(w);
    write_coverage(w, report);
    fr_json_key(w, "drift");
    fr_drift_write(w, report->residuals);
    fr_json_pair_array(w, "past_drift");
    fr_passed_drifts_write(w, report->residuals);
    fr_json_array_end(w);
    fr_json_key(w, "worst");
    write_runs(w, question, report, report->worst, report->worst_count);
    fr_json_object_end(w);
}

static void write_json(struct fr_writer *w, const struct fr_accuracy_question *question)
{
    fr_json_object(w);
    fr_json_pair(w, "machine", question->machine);
    fr_json_pair(w, "calibration", question->loaded ? question->loaded->id : NULL);
    fr_json_pair(w, "output", question->output);
    fr_json_pair_array(w, "models");
    for (size_t i = 0; i < question->count; i++)
        write_model(w, question, &question->report[i]);
    fr_json_array_end(w);
    fr_json_pair_array(w, "runs");
    for (size_t i = 0; i < question->count; i++) {
        struct fr_rows rows;

        fr_rows_begin(&rows, w, FR_JSON);
        for (size_t k = 0; k < question->report[i].count; k++)
            row_run(&rows, question, &question->report[i], &question->report[i].run[k]);
        fr_rows_end(&rows);
    }
    fr_json_array_end(w);
    fr_json_object_end(w);
}

static void row_figures(struct fr_rows *rows, const char *prefix,
                        const struct fr_accuracy *accuracy)
{
    char name[60];

    snprintf(name, sizeof name, "%spredicted", prefix);
    fr_row_integer(rows, name, (int64_t)accuracy->count);
    for (size_t i = 0; i < FIGURES; i++) {
        snprintf(name, sizeof name, "%s%s", prefix, figures[i].name);
        fr_row_number(rows, name, figure(accuracy, i));
    }
}

static void row_model(struct fr_rows *rows, const struct fr_accuracy_report *report)
{
    fr_row_begin(rows);
    fr_row_text(rows, "model", report->model->name);
    fr_row_integer(rows, "runs", (int64_t)report->count);
    fr_row_integer(rows, "too_long", (int64_t)report->left_out[FR_LEFT_OUT_TOO_LONG]);
    row_figures(rows, "", &report->newest);
    row_figures(rows, "then_", &report->then);
    fr_row_number(rows, "interval_covered_fraction", report->covered_fraction);
    fr_row_integer(rows, "interval_tested_runs", (int64_t)report->covered_of);
    fr_row_text(rows, "drift_since", report->residuals ? report->residuals->drift_since : NULL);
    for (int reason = FR_LEFT_OUT_TOO_LONG + 1; reason < FR_LEFT_OUT_REASONS; reason++)
        fr_row_integer(rows, fr_left_out_name((enum fr_left_out)reason),
                       (int64_t)report->left_out[reason]);
    fr_row_end(rows);
}

static void write_rows(struct fr_request *rq, struct fr_writer *w, bool are_runs,
                       const struct fr_accuracy_question *question)
{
    struct fr_rows rows;

    fr_rows_begin(&rows, w, rq->format);
    for (size_t i = 0; i < question->count; i++) {
        const struct fr_accuracy_report *report = &question->report[i];

        if (!are_runs)
            row_model(&rows, report);
        for (size_t k = 0; are_runs && k < report->count; k++)
            row_run(&rows, question, report, &report->run[k]);
    }
    fr_rows_end(&rows);
}

int fr_get_accuracy(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_accuracy_question question;
    struct fr_accuracy_options options;
    struct fr_faults faults;
    int status = fr_accuracy_ask(rq, reply, &options, &question, &faults);

    if (status != FR_OK)
        return status;
    if (fr_accuracy_is_known(rq, reply, &question)) {
        status = 304;
    } else if (fr_accuracy_answer(rq, &question, &faults) != FR_OK) {
        status = fr_reply_faults(reply, &faults);
    } else {
        for (size_t i = 0; i < question.count; i++)
            rq->is_partial = rq->is_partial || fr_left_out_may_change(question.report[i].left_out);
        if (rq->format == FR_JSON)
            write_json(&reply->body, &question);
        else
            write_rows(rq, &reply->body, options.rows == ROWS_RUNS, &question);
        status = 200;
    }
    fr_accuracy_end(&question);
    return status;
}
