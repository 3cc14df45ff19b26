
#include "server/http/client.h"
#include "server/http/server.h"
#include "server/questions/documents.h"

static const uint64_t interval_ns = 100000000;
/* Of more configurations the number is not told: counting them would take long. */
enum { MOST_COUNTED = 1000000 };

static bool count_one(void *context)
{
    size_t *count = context;

    return ++*count <= MOST_COUNTED;
}

/* How many configurations are done with, and how many there are. */
static void write_counts(struct fr_writer *w, struct fr_progress *progress)
{
    if (!progress->combinations.model)
        return;
    if (!progress->count) {
        progress->combinations.visit = count_one;
        progress->combinations.context = &progress->count;
        fr_combinations_each(&progress->combinations);
    }
    if (progress->count > MOST_COUNTED)
        return;
    fr_json_pair_integer(w, "tried", (int64_t)progress->ranking->tried);
    fr_json_pair_integer(w, "configurations", (int64_t)progress->count);
}

static void write_best(struct fr_writer *w, const struct fr_question *question,
                       const struct fr_ranked *best)
{
    struct fr_rows rows;

    fr_json_key(w, "best");
    fr_rows_begin(&rows, w, FR_JSON);
    fr_row_begin(&rows);
    fr_row_params(&rows, question->model, best->values, &best->prediction);
    fr_row_outputs(&rows, question->model, &best->prediction);
    fr_row_end(&rows);
    fr_rows_end(&rows);
}

/* Called between predictions, where the ranking is consistent. */
static void tell(struct fr_progress *progress)
{
    const struct fr_ranking *ranking = progress->ranking;
    struct fr_writer *w = &progress->reply->body;

    fr_json_object(w);
    fr_json_pair_object(w, "progress");
    fr_json_pair_number(w, "considered", (double)ranking->legal);
    write_counts(w, progress);
    if (ranking->count)
        write_best(w, progress->question, &ranking->row[0]);
    fr_json_object_end(w);
    fr_json_object_end(w);
    fr_reply_end_line(progress->reply);
    fr_reply_send_lines(progress->rq, progress->reply);
}

/* An answer that is being written, which may predict as well, is not broken into. */
static bool may_tell(const struct fr_progress *progress)
{
    const struct fr_client *client = progress->rq->client;
    const struct fr_reply *reply = progress->reply;

    return progress->ranking && client && client->takes_lines &&
           reply->body.length == reply->lines_bytes;
}

static bool goes_on(void *context)
{
    struct fr_progress *progress = context;
    struct fr_client *client = progress->rq->client;
    const uint64_t now_ns = fr_clock_ns(progress->rq->server->clock);

    if (fr_client_has_left(client))
        return false;
    if (may_tell(progress) && now_ns - progress->told_ns >= interval_ns &&
        !fr_client_is_behind(client)) {
        progress->told_ns = now_ns;
        tell(progress);
    }
    return true;
}

void fr_progress_begin(struct fr_progress *progress, struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question, const struct fr_ranking *ranking)
{
    *progress = (struct fr_progress){
        .rq = rq,
        .reply = reply,
        .question = question,
        .ranking = ranking,
        .told_ns = fr_clock_ns(rq->server->clock),
    };
    fr_arena_watch(rq->arena, goes_on, progress);
}

void fr_progress_end(struct fr_progress *progress)
{
    fr_client_watch(progress->rq->client, progress->rq->arena);
}
