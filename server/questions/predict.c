/* GET /api/v1/predict/{model}?machine=NAME&PARAMETER=VALUE... */
#include "server/http/handlers.h"
#include "server/questions/documents.h"

struct options {
    int explain;
};

static const struct fr_param option_table[] = {
    FR_BOOL(
        struct options, explain, .flags = FR_DEFAULT,
        .doc =
            "Whether to list the parts of the prediction: the kernel calls of `trinv`, `sylv` and "
            "`calls` with their times, the processes of `sparse_lu`, the multigrid levels of "
            "`solve`. In JSON the list is a member of the prediction; in CSV and txt it is the "
            "answer. Other models refuse it."),
    FR_PARAMS_END,
};

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults)
{
    const bool is_explained = ((const struct options *)options)->explain;
    struct fr_predicted predicted;
    struct fr_rows rows;

    fr_explain_check(question->model, is_explained, faults);
    if (!question->target_count)
        fr_model_check_given(question->model, question->values, 0, faults);
    if (!question->target_count || fr_predict(rq, question, &predicted, faults) != FR_OK ||
        faults->count)
        return fr_reply_faults(reply, faults);
    if (rq->format == FR_DAT) {
        fr_hpl_dat_write(&reply->body, question, predicted.values, predicted.prediction);
        return 200;
    }
    if (rq->format & FR_JOBS) {
        fr_job_head_write(&reply->body, rq->format, question, predicted.values,
                          predicted.prediction, &predicted.spread, NULL);
        return 200;
    }
    predicted.is_explained = is_explained;
    fr_predicted_foresee(&predicted, &question->outlook);
    fr_rows_begin(&rows, &reply->body, rq->format);
    if (is_explained && rq->format != FR_JSON)
        fr_explain_write(&rows, &predicted); /* the table contains only the list */
    else
        fr_prediction_write(&rows, &predicted);
    fr_rows_end(&rows);
    return 200;
}

bool fr_prediction_is_long(const struct fr_request *rq)
{
    const struct fr_model *model = fr_model_find(rq->segment[0]);

    return model && model->cost == FR_LONG;
}

const struct fr_asking fr_asking_prediction = {
    .options = option_table,
    .options_size = sizeof(struct options),
    .takes_quantile = true,
    .takes_analyze = true,
    .answer = answer,
};
