/* POST /api/v1/predict: many questions in one body, each answered or refused independently. */
#include "server/http/client.h"
#include "server/http/handlers.h"
#include "server/questions/documents.h"

enum { MOST_REQUESTS = 1000 };

static void answer_one(struct fr_request *rq, struct fr_batch *batch, size_t index,
                       struct fr_writer *w)
{
    const struct fr_arena_mark mark = fr_arena_mark(rq->arena);
    struct fr_question question;
    struct fr_predicted predicted;
    struct fr_faults faults;
    struct fr_rows rows;
    bool is_explained;

    faults.count = 0;
    fr_question_begin(&question, rq->arena);
    fr_batch_bind(rq, batch, index, &question, &is_explained, &faults);
    if (!faults.count)
        fr_predict(rq, &question, &predicted, &faults);
    if (faults.count) {
        fr_problem_write(w, fr_faults_status(&faults), NULL, &faults);
    } else {
        predicted.is_explained = is_explained;
        fr_predicted_foresee(&predicted, &question.outlook);
        fr_rows_begin(&rows, w, FR_JSON);
        fr_prediction_write(&rows, &predicted);
        fr_rows_end(&rows);
    }
    fr_batch_release(batch, index, &question);
    fr_arena_release(rq->arena, mark);
}

int fr_post_predictions(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_faults faults;
    struct fr_batch *batch;

    faults.count = 0;
    batch = fr_batch_read(rq->body, rq->body_length, MOST_REQUESTS, &faults);
    if (!batch)
        return fr_reply_faults(reply, &faults);
    fr_json_object(&reply->body);
    fr_json_pair_array(&reply->body, "results");
    for (size_t i = 0; i < fr_batch_count(batch) && !fr_client_has_left(rq->client); i++)
        answer_one(rq, batch, i, &reply->body);
    fr_json_array_end(&reply->body);
    fr_json_object_end(&reply->body);
    fr_batch_free(batch);
    if (fr_client_has_left(rq->client))
        return fr_reply_problem(reply, 503, "Nobody waits for the answer any more.");
    return 200;
}
