/* Writes the configurations of rankings and recommendations. */
#include "server/questions/documents.h"

#include <math.h>

void fr_question_head(struct fr_writer *w, const struct fr_question *question)
{
    fr_json_pair(w, "model", question->model->name);
    fr_json_pair(w, "machine", question->target[0].cal->machine);
    fr_json_pair(w, "calibration", question->target[0].loaded->id);
    fr_basis_write(w, question);
}

/* Whether saved runs give rows different congestion: then these are predicted as the runs were, but
 * not in one network (docs/saved_runs.md#decision-one-basis-for-all-rows). */
static void write_networks(struct fr_writer *w, const struct fr_model *model,
                           const struct fr_ranking *ranking)
{
    const struct fr_param *rate = fr_param_find(model->params, "stalls_per_byte");
    bool differ = false;

    for (size_t i = 1; rate && i < ranking->count; i++) {
        const void *first = ranking->row[0].values, *other = ranking->row[i].values;

        differ |= fr_param_is_open(rate, first) ? !fr_param_is_open(rate, other)
                                                : !fr_param_equal(rate, first, other);
    }
    if (rate)
        fr_json_pair_bool(w, "networks_differ", differ);
}

void fr_ranking_head(struct fr_writer *w, const struct fr_question *question,
                     const struct fr_ranking *ranking)
{
    fr_question_head(w, question);
    write_networks(w, question->model, ranking);
    fr_json_pair(w, "ranked_by", ranking->is_filled ? "gflops" : "time_s");
    fr_json_pair_number(w, "considered", (double)ranking->legal);
    fr_json_pair_object(w, "left_out");
    fr_json_pair_number(w, "memory_exceeded", (double)ranking->left_out_memory);
    fr_json_pair_number(w, "calibration_group_missing", (double)ranking->left_out_missing);
    fr_json_pair_number(w, "too_long", (double)ranking->left_out_long);
    fr_json_pair_number(w, "too_slow", (double)ranking->left_out_slow);
    if (ranking->untried)
        fr_json_pair_number(w, "untried", (double)ranking->untried);
    if (ranking->untried_nodes)
        fr_json_pair_number(w, "untried_nodes", (double)ranking->untried_nodes);
    if (ranking->left_out_missing || ranking->left_out_long)
        fr_json_pair(w, "reason", ranking->reason);
    else if (ranking->untried || ranking->untried_nodes)
        fr_json_pair(w, "reason", "the work of one question is used up; give values of tunables");
    if (ranking->left_out_refused) {
        fr_json_pair_number(w, "refused", (double)ranking->left_out_refused);
        fr_json_pair(w, "refusal", ranking->refusal);
    }
    fr_json_object_end(w);
}

/* Returns NaN if the best time is 0, as for communication with one process. */
static double slowdown_of(const struct fr_prediction *prediction, const struct fr_prediction *best,
                          bool is_filled)
{
    return best->time_s > 0 ? fr_rank_cost(prediction, is_filled) / fr_rank_cost(best, is_filled)
                            : NAN;
}

void fr_ranking_columns(struct fr_rows *rows, const struct fr_question *question,
                        const void *values, struct fr_ranked *row, const struct fr_prediction *best)
{
    const struct fr_calibration *cal = question->target[0].cal;
    const bool is_filled = fr_model_is_filled(question->model, question->values);
    struct fr_prediction *prediction = row ? &row->prediction : NULL;
    struct fr_outlook outlook;

    fr_row_params(rows, question->model, values, prediction);
    fr_row_outputs(rows, question->model, prediction);
    if (row)
        outlook =
            fr_row_foresee(question, &question->target[0], row->values, prediction, &row->spread);
    fr_row_outlook(rows, &question->outlook, row ? &outlook : NULL);
    fr_row_number(rows, "core_hours", prediction ? fr_core_hours(prediction, cal) : NAN);
    fr_row_number(rows, "efficiency_fraction",
                  prediction ? prediction->percent_of_peak / 100 : NAN);
    fr_row_number(rows, "slowdown", prediction ? slowdown_of(prediction, best, is_filled) : NAN);
    fr_row_bool(rows, "within_2_percent",
                prediction && fr_rank_is_near(prediction, best, is_filled));
    fr_row_measured(rows, question, &question->target[0], row ? values : NULL);
    fr_row_warnings(rows, prediction);
    fr_row_changes(rows, question->change, question->change_count);
}

/* What the head says in JSON. */
static void write_of_all(struct fr_rows *rows, const struct fr_ranking *ranking,
                         const char *objective)
{
    if (rows->format == FR_JSON)
        return;
    if (objective)
        fr_row_text(rows, "objective", objective);
    if (ranking->untried)
        fr_row_integer(rows, "untried", (int64_t)ranking->untried);
    if (ranking->untried_nodes)
        fr_row_integer(rows, "untried_nodes", (int64_t)ranking->untried_nodes);
}

static void write_rows(struct fr_rows *rows, const struct fr_question *question,
                       const struct fr_ranking *ranking, size_t from, size_t to,
                       const char *objective)
{
    for (size_t i = from; i < to; i++) {
        fr_row_begin(rows);
        fr_row_integer(rows, "rank", (int64_t)i + 1);
        fr_ranking_columns(rows, question, ranking->row[i].values, &ranking->row[i],
                           &ranking->row[0].prediction);
        write_of_all(rows, ranking, objective);
        fr_row_end(rows);
    }
}

static void write_other(struct fr_rows *rows, const struct fr_question *question,
                        struct fr_ranked *row, const struct fr_ranking *ranking)
{
    fr_row_begin(rows);
    fr_ranking_columns(rows, question, row->values, row, &ranking->row[0].prediction);
    fr_row_end(rows);
}

void fr_ranking_rows(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_ranking *ranking, const char *objective)
{
    struct fr_ranked *best = ranking->row;

    if (rows->format & FR_JOBS)
        fr_job_head_write(rows->w, rows->format, question, best->values, &best->prediction,
                          &best->spread, objective);
    else
        write_rows(rows, question, ranking, 0, ranking->count, objective);
}

void fr_ranking_write(struct fr_rows *rows, const struct fr_question *question,
                      struct fr_ranking *ranking, const char *objective)
{
    if (rows->format == FR_DAT) {
        fr_hpl_dat_write(rows->w, question, ranking->row[0].values, &ranking->row[0].prediction);
        return;
    }
    if (rows->format != FR_JSON) {
        fr_ranking_rows(rows, question, ranking, objective);
        return;
    }
    fr_json_key(rows->w, "best");
    write_rows(rows, question, ranking, 0, 1, NULL);
    fr_json_pair_array(rows->w, "runners_up");
    write_rows(rows, question, ranking, 1, ranking->count, NULL);
    fr_json_array_end(rows->w);
    fr_json_key(rows->w, "fastest");
    write_other(rows, question, &ranking->fastest, ranking);
    fr_json_key(rows->w, "knee");
    if (ranking->has_knee)
        write_other(rows, question, &ranking->knee, ranking);
    else
        fr_json_null(rows->w);
}
