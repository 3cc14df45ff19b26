/* GET /api/v1/sensitivity/{model}: which calibrated values change the answer most. */
#include "server/questions/recommend.h"

#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/questions/documents.h"

static const struct fr_param option_table[] = { FR_SENSITIVITY_OPTIONS(FR_MOST_INFLUENCES),
                                                FR_PARAMS_END };

int fr_question_sensitivity(struct fr_request *rq, const struct fr_question *question,
                            const struct fr_sensitivity_options *options,
                            struct fr_sensitivity *out, struct fr_faults *faults)
{
    const struct fr_target *target = &question->target[0];

    if (!question->target_count)
        fr_model_check_given(question->model, question->values, 0, faults);
    if (faults->count)
        return FR_RELATION;
    if (fr_sensitivity_find(question->model, question->values,
                            fr_matching_runs_source(&target->matching), target->cal,
                            options->factor, rq->arena, out, faults) != FR_OK)
        return FR_RELATION;
    fr_metrics_predictions(&rq->server->metrics, question->model, 2 * out->tried + 1);
    if (out->count > (size_t)options->limit)
        out->count = (size_t)options->limit;
    return FR_OK;
}

static void write_row(struct fr_rows *rows, const struct fr_question *question,
                      const struct fr_influence *influence, double time_s)
{
    fr_row_begin(rows);
    fr_row_text(rows, "path", influence->path);
    fr_row_number(rows, "time_multiplied_s", influence->multiplied_s);
    fr_row_number(rows, "time_divided_s", influence->divided_s);
    fr_row_number(rows, "change_multiplied_fraction", influence->multiplied_s / time_s - 1);
    fr_row_number(rows, "change_divided_fraction", influence->divided_s / time_s - 1);
    fr_row_changes(rows, question->change, question->change_count);
    fr_row_end(rows);
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *option_values, struct fr_faults *faults)
{
    const struct fr_sensitivity_options *options = option_values;
    struct fr_writer *w = &reply->body;
    struct fr_sensitivity found;
    struct fr_rows rows;

    if (fr_question_sensitivity(rq, question, options, &found, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    if (rq->format == FR_JSON) {
        fr_json_object(w);
        fr_question_head(w, question);
        fr_json_pair_number(w, "factor", options->factor);
        fr_json_pair_number(w, "time_s", found.time_s);
        fr_json_pair_number(w, "tried", (double)found.tried);
        fr_json_pair_array(w, "rows");
    }
    fr_rows_begin(&rows, w, rq->format);
    for (size_t i = 0; i < found.count; i++)
        write_row(&rows, question, &found.row[i], found.time_s);
    fr_rows_end(&rows);
    if (rq->format == FR_JSON) {
        fr_json_array_end(w);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    return 200;
}

const struct fr_asking fr_asking_sensitivity = {
    .options = option_table,
    .options_size = sizeof(struct fr_sensitivity_options),
    .takes_analyze = true,
    .answer = answer,
};
