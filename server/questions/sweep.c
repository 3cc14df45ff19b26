/* GET /api/v1/sweep/{model}?machine=NAME&PARAMETER=LIST...: one row for each combination of
 * the listed values. */
#include "server/questions/sweep.h"
#include "engine/core/number.h"
#include "server/http/server.h"

#include "server/questions/documents.h"

#include <string.h>

/* The work of a prediction besides what the model counts, in steps of the arena. */
static const double predicted_steps = 500;

/* The best configuration of the current point, of all: points compare. */
static int rank_point(struct fr_sweep *sweep, struct fr_ranking *out)
{
    const struct fr_model *model = sweep->question->model;
    const struct fr_run_source *named = fr_matching_runs_of_rows(&sweep->target->matching);

    const int code = fr_rank(model, sweep->values, &sweep->only, named, sweep->target->cal,
                             sweep->memory, 1, sweep->rq->arena, out, sweep->faults);

    return code == FR_OK && out->untried ? fr_refusal_too_many(model, sweep->values, sweep->faults)
                                         : code;
}

/* Finds the best configuration of the current point that fits in memory. */
static bool tune(struct fr_sweep *sweep)
{
    const struct fr_model *model = sweep->question->model;
    struct fr_ranking ranking = { 0 };

    if (rank_point(sweep, &ranking) != FR_OK)
        return false;
    if (!ranking.count) {
        char least[FR_BYTES_TEXT];

        fr_number_bytes(ranking.least_memory_bytes, FR_NO_LESS, least);
        fr_fault(sweep->faults, FR_INFEASIBLE, "memory",
                 "no configuration fits in memory: a process needs at least %s", least);
        return false;
    }
    memcpy(sweep->values, ranking.row[0].values, model->values_size);
    *sweep->prediction = ranking.row[0].prediction;
    sweep->spread = ranking.row[0].spread;
    if (ranking.left_out_long) {
        const double judged = (double)ranking.legal;

        fr_warn(sweep->prediction, FR_WARN_NOT_RANKED, NULL, (double)ranking.left_out_long, judged,
                judged);
    }
    return true;
}

static bool predict(struct fr_sweep *sweep)
{
    const struct fr_model *model = sweep->question->model;

    if (!fr_arena_spend(sweep->rq->arena, predicted_steps)) {
        fr_fault(sweep->faults, FR_NOMEM, "", "the request has too many points");
        return false;
    }
    return fr_model_answer(model, sweep->values, fr_matching_runs_of_rows(&sweep->target->matching),
                           sweep->target->cal, sweep->rq->arena, sweep->prediction, &sweep->spread,
                           sweep->faults) == FR_OK;
}

bool fr_sweep_changed(struct fr_sweep *sweep)
{
    sweep->faults->count = 0;
    return predict(sweep);
}

/* Leaves a choice open that changes nothing at this point, unless it is an axis. */
static void open_idle(struct fr_sweep *sweep)
{
    const struct fr_question *question = sweep->question;
    const struct fr_param *params = question->model->params;
    uint64_t axes = 0;

    for (size_t i = 0; i < question->axis_count; i++)
        axes |= fr_param_bit(params, question->axis[i].param);
    fr_params_open_idle(params, axes, sweep->values);
}

bool fr_sweep_point(struct fr_sweep *sweep, size_t index)
{
    const struct fr_question *question = sweep->question;
    const size_t each = sweep->points / question->target_count;
    const struct fr_arena_mark mark = fr_arena_mark(sweep->rq->arena);
    bool is_legal;

    if (sweep->is_over)
        return false;
    sweep->target = &question->target[index / each];
    sweep->faults->count = 0;
    memcpy(sweep->values, question->values, question->model->values_size);
    fr_axes_point(question->axis, question->axis_count, index % each, sweep->values);
    if (question->leaves_tunables_open)
        open_idle(sweep);
    is_legal = question->leaves_tunables_open ? tune(sweep) : predict(sweep);
    fr_arena_release(sweep->rq->arena, mark);
    sweep->legal += is_legal;
    if (!is_legal && sweep->faults->fault[0].code == FR_NOMEM) {
        sweep->is_over = true;
        sweep->legal = 0;
    }
    return is_legal;
}

/* Has all partitions of the matrix that the points need analyzed at once. */
static void note_partitions(struct fr_sweep *sweep)
{
    fr_partitions_note(sweep->question->partitions);
    for (size_t i = 0; i < sweep->points && !sweep->is_over; i++)
        fr_sweep_point(sweep, i);
    fr_partitions_queue(sweep->question->partitions);
    sweep->is_over = false;
    sweep->legal = 0;
}

int fr_sweep_begin(struct fr_sweep *sweep, struct fr_request *rq,
                   const struct fr_question *question, struct fr_faults *faults)
{
    const bool is_tuned = question->leaves_tunables_open;
    const size_t machines = question->target_count ? question->target_count : 1;

    *sweep = (struct fr_sweep){ .rq = rq, .question = question };
    if (!question->target_count || faults->count)
        fr_model_check_given(question->model, question->values, is_tuned ? FR_OPEN_TUNABLES : 0,
                             faults);
    fr_axes_count(question->axis, question->axis_count, machines, &sweep->points, faults);
    if (is_tuned && sweep->points > FR_MAX_TUNED_POINTS)
        fr_fault(faults, FR_TOO_MANY_POINTS, "tune", "%zu points; at most %d with tune=true",
                 sweep->points, FR_MAX_TUNED_POINTS);
    sweep->values = fr_arena_zeroed(rq->arena, 1, question->model->values_size);
    sweep->prediction = fr_arena_zeroed(rq->arena, 1, sizeof *sweep->prediction);
    sweep->faults = fr_arena_zeroed(rq->arena, 1, sizeof *sweep->faults);
    if (!sweep->values || !sweep->prediction || !sweep->faults)
        fr_fault(faults, FR_NOMEM, "", "the lists together are too long");
    if (!faults->count && fr_question_divides(rq, question))
        note_partitions(sweep);
    return faults->count ? FR_RANGE : FR_OK;
}

struct fr_outlook fr_sweep_outlook(struct fr_sweep *sweep)
{
    return fr_row_foresee(sweep->question, sweep->target, sweep->values, sweep->prediction,
                          &sweep->spread);
}

static void write_row(struct fr_sweep *sweep, struct fr_rows *rows, bool is_legal)
{
    const struct fr_prediction *prediction = is_legal ? sweep->prediction : NULL;
    const struct fr_outlook outlook =
        is_legal ? fr_sweep_outlook(sweep) : (struct fr_outlook){ .has_interval = false };
    const struct fr_fault *fault = &sweep->faults->fault[0];
    struct fr_writer why;

    fr_row_begin(rows);
    fr_row_text(rows, "machine", sweep->target->cal->machine);
    fr_row_text(rows, "calibration", sweep->target->loaded->id);
    fr_row_params(rows, sweep->question->model, sweep->values, prediction);
    fr_row_outputs(rows, sweep->question->model, prediction);
    fr_row_outlook(rows, &sweep->question->outlook, is_legal ? &outlook : NULL);
    fr_row_measured(rows, sweep->question, sweep->target, is_legal ? sweep->values : NULL);
    fr_row_warnings(rows, prediction);
    fr_row_changes(rows, sweep->question->change, sweep->question->change_count);
    if (is_legal) {
        fr_row_text(rows, "error", NULL);
        fr_row_text(rows, "error_code", NULL);
    } else {
        fr_writer_init(&why);
        fr_writer_printf(&why, "%s: %s", fault->where, fault->message);
        fr_writer_append(&why, "", 1);
        fr_row_text(rows, "error", why.text);
        fr_row_text(rows, "error_code", fr_code_name(fault->code));
        fr_writer_free(&why);
    }
    fr_row_end(rows);
}

static void write_head(struct fr_writer *w, const struct fr_sweep *sweep)
{
    fr_json_object(w);
    fr_json_pair(w, "model", sweep->question->model->name);
    fr_json_pair_number(w, "points", (double)sweep->points);
}

/* Sends a row as soon as it is known that the answer is no refusal. */
static void write_line(struct fr_sweep *sweep, struct fr_reply *reply, bool is_legal)
{
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;

    fr_rows_begin(&rows, w, FR_JSON);
    fr_json_object(w);
    fr_json_key(w, "row");
    write_row(sweep, &rows, is_legal);
    fr_json_object_end(w);
    fr_rows_end(&rows);
    fr_reply_end_line(reply);
    if (sweep->legal)
        fr_reply_send_lines(sweep->rq, reply);
}

/* Writes a row for each point, after the head; in lines the head comes last, without rows. */
static void write_points(struct fr_sweep *sweep, struct fr_reply *reply, struct fr_faults *faults)
{
    const struct fr_request *rq = sweep->rq;
    struct fr_writer *w = &reply->body;
    const bool is_json = rq->format == FR_JSON;
    struct fr_rows rows;

    if (is_json && !rq->in_lines) {
        write_head(w, sweep);
        fr_json_pair_array(w, "rows");
    }
    fr_rows_begin(&rows, w, rq->format);
    for (size_t i = 0; i < sweep->points && !sweep->is_over; i++) {
        const bool is_legal = fr_sweep_point(sweep, i);

        if (rq->in_lines)
            write_line(sweep, reply, is_legal);
        else
            write_row(sweep, &rows, is_legal);
        if (sweep->is_over || (i == 0 && !sweep->legal))
            *faults = *sweep->faults; /* reported if no point is legal */
    }
    fr_rows_end(&rows);
    if (rq->in_lines)
        write_head(w, sweep);
    else if (is_json)
        fr_json_array_end(w);
    if (is_json) {
        fr_basis_write(w, sweep->question);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults)
{
    struct fr_progress progress;
    struct fr_sweep sweep;

    (void)options;
    if (fr_sweep_begin(&sweep, rq, question, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    fr_progress_begin(&progress, rq, reply, question, NULL);
    write_points(&sweep, reply, faults);
    fr_progress_end(&progress);
    if (!sweep.legal)
        return fr_reply_faults(reply, faults);
    fr_metrics_predictions(&rq->server->metrics, question->model, sweep.legal);
    return 200;
}

struct options {
    int tune;
};
static const struct fr_param option_table[] = { FR_TUNE(struct options), FR_PARAMS_END };

const struct fr_asking fr_asking_sweep = {
    .options = option_table,
    .options_size = sizeof(struct options),
    .takes_lists = true,
    .takes_quantile = true,
    .takes_analyze = true,
    .answer = answer,
};
