/* The steps of a request: admission, body, handler (on the event loop or on a worker), answer.
 */
#include "server/http/call.h"
#include "server/http/server.h"
#include "server/http/work.h"

#include "server/http/admit.h"
#include "server/http/send.h"
#include "server/http/target.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A refused body is read up to this limit, so that the client sees the refusal. */
enum { MOST_DISCARDED_BYTES = 64 * 1024 * 1024 };

struct fr_call *fr_call_new(struct fr_listener *listener, struct MHD_Connection *connection)
{
    struct fr_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->listener = listener;
    call->connection = connection;
    call->rq.server = listener->server;
    call->rq.arena =
        fr_arena_new((size_t)atomic_load(&listener->server->config.request_memory_bytes));
    if (!call->rq.arena) {
        free(call);
        return NULL;
    }
    call->mark = fr_arena_mark(call->rq.arena);
    fr_client_init(&call->client);
    return call;
}

void fr_call_free(struct fr_call *call)
{
    if (!call || fr_client_abandon(&call->client, true))
        return;
    fr_call_end(call);
    fr_arena_free(call->rq.arena);
    fr_client_destroy(&call->client);
    free(call);
}

static void write_id(uint64_t number, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 15; i >= 0; i--, number >>= 4)
        out[i] = digits[number & 15];
    out[16] = '\0';
}

void fr_call_begin(struct fr_call *call, const char *raw_target)
{
    struct fr_request *rq = &call->rq;
    const size_t length = raw_target ? strnlen(raw_target, FR_TARGET_BYTES + 1) : 0;

    call->begun_ns = fr_now_ns();
    call->stage = FR_CALL_NEW;
    call->raw_target =
        length <= FR_TARGET_BYTES ? fr_arena_text(rq->arena, raw_target, length) : NULL;
    rq->route = NULL;
    rq->store = NULL;
    rq->format = FR_JSON;
    rq->in_lines = false;
    rq->query_count = rq->body_length = 0;
    rq->path = rq->body = "";
    rq->file = -1;
    rq->client = NULL;
    rq->sent = FR_BODY_JSON;
    rq->wants_gzip = false;
    rq->if_none_match = NULL;
    rq->token_name[0] = '\0';
    write_id(atomic_fetch_add_explicit(&call->listener->next_id, 1, memory_order_relaxed), rq->id);
    call->gather = (struct fr_gather){ 0 };
    call->answer.bytes = NULL;
    call->answer.blob = NULL;
    call->discarded_bytes = 0;
    call->cors_origin = NULL;
    call->is_preflight = false;
    call->counted_in = NULL;
    call->needed = FR_OPEN;
    fr_reply_init(&call->reply);
}

static void count_in(struct fr_call *call, _Atomic unsigned *counter)
{
    if (call->counted_in)
        atomic_fetch_sub(call->counted_in, 1);
    if (counter)
        atomic_fetch_add(counter, 1);
    call->counted_in = counter;
}

void fr_call_end(struct fr_call *call)
{
    if (call->stage == FR_CALL_STREAMING) {
        fr_call_tell(call);
        call->stage = FR_CALL_NEW;
    }
    if (fr_client_abandon(&call->client, false))
        return;
    count_in(call, NULL);
    fr_gather_free(&call->gather);
    fr_reply_free(&call->reply);
    fr_answer_free(&call->answer);
    fr_arena_release(call->rq.arena, call->mark);
    fr_arena_renew(call->rq.arena);
}

static void make_answer(struct fr_call *call, struct fr_reply *reply, int status, bool is_closing,
                        bool is_stream)
{
    const struct fr_answer_options options = {
        .is_get = call->is_get,
        .is_stream = is_stream,
        .is_preflight = call->is_preflight,
        .is_closing = is_closing || atomic_load(&call->listener->is_draining),
        .cors_origin = call->cors_origin,
    };

    fr_answer_make(&call->rq, reply, status, &options, &call->answer);
}

static void settle(struct fr_call *call, int status, bool is_closing)
{
    make_answer(call, &call->reply, status, is_closing, false);
    call->stage = FR_CALL_ANSWERED;
}

static struct fr_call *call_of(struct fr_job *job)
{
    return (struct fr_call *)(void *)((char *)job - offsetof(struct fr_call, job));
}

static void park(struct fr_job *job)
{
    struct fr_call *call = call_of(job);

    fr_client_park(&call->client, call->connection, &call->listener->is_over,
                   call->rq.in_lines && strcmp(call->method, "GET") == 0);
}

static int work(struct fr_call *call)
{
    struct fr_request *rq = &call->rq;
    int status;

    if (!rq->store) {
        call->reply.retry_after_s = 5;
        return fr_reply_problem(&call->reply, 503, "The daemon stops.");
    }
    if (call->needed != FR_OPEN) {
        status = fr_token_check(rq, call->token, call->needed, &call->reply);
        if (status)
            return status;
    }
    status = rq->route->handle(rq, &call->reply);
    return status ? status : fr_reply_problem(&call->reply, 500, "The handler gave no answer.");
}

static void run_on_worker(struct fr_job *job, struct fr_store *store)
{
    struct fr_call *call = call_of(job);
    int status;

    call->rq.store = store;
    call->rq.client = &call->client;
    status = work(call);
    if (atomic_load(&call->listener->is_over) && status >= 400)
        status = fr_reply_problem(&call->reply, 503, "The daemon stops.");
    if (!call->client.is_begun) {
        settle(call, status, false);
        fr_client_resume(&call->client);
        return;
    }
    fr_reply_complete_lines(&call->reply, status, true);
    if (fr_client_complete(&call->client, call->reply.body.text, call->reply.body.length))
        fr_call_free(call);
}

/* A worker has sent the first lines of its answer. */
static int begin_stream(struct fr_call *call)
{
    struct fr_reply head;

    fr_reply_init(&head);
    make_answer(call, &head, 200, false, true);
    call->stage = FR_CALL_STREAMING;
    return fr_call_send(call);
}

static int hand_over(struct fr_call *call)
{
    const struct fr_route *route = call->rq.route;

    call->job.is_long = route->is_long || (route->is_long_for && route->is_long_for(&call->rq));
    call->job.park = park;
    call->job.run = run_on_worker;
    call->stage = FR_CALL_WORKING;
    if (fr_pool_submit(call->rq.server->pool, &call->job))
        return MHD_YES;
    call->reply.retry_after_s = 1;
    settle(call, fr_reply_problem(&call->reply, 503, "All workers are busy and the queue is full."),
           false);
    return fr_call_send(call);
}

/* The request is complete: runs an inline handler here, any other on a worker. */
static int run(struct fr_call *call)
{
    struct fr_request *rq = &call->rq;
    int status;

    if (!rq->route->is_inline || call->needed != FR_OPEN)
        return hand_over(call);
    status = rq->route->handle(rq, &call->reply);
    if (status == FR_NEEDS_WORKER) {
        fr_reply_free(&call->reply);
        fr_reply_init(&call->reply);
        return hand_over(call);
    }
    settle(call, status, false);
    return fr_call_send(call);
}

static int finish_body(struct fr_call *call)
{
    int status;

    count_in(call, &call->listener->under_way);
    if (call->rq.route->body == FR_NO_BODY)
        return run(call);
    fr_gather_end(&call->gather);
    status = fr_admit_body(call);
    if (!status)
        return run(call);
    settle(call, status, false);
    return fr_call_send(call);
}

static int start(struct fr_call *call, const char *method)
{
    int status;

    call->method = method;
    count_in(call, &call->listener->arriving);
    status = fr_admit(call);
    if (status) {
        const struct fr_upload upload = fr_upload_of(call);
        const bool is_early = upload.expects_continue || upload.declared > MOST_DISCARDED_BYTES;

        settle(call, status, is_early);
        if (is_early)
            return fr_call_send(call);
        call->stage = FR_CALL_DISCARDING;
        return MHD_YES;
    }
    /* An answer before the request's end would close the connection, even to a GET. */
    call->stage = FR_CALL_GATHERING;
    return MHD_YES;
}

/* The rest of a file that was accepted may be as large as a file may be. */
static size_t most_discarded(const struct fr_call *call)
{
    return call->stage == FR_CALL_GATHERING && call->rq.route->body == FR_BODY_FILE
               ? call->gather.limit_bytes
               : MOST_DISCARDED_BYTES;
}

static int take_piece(struct fr_call *call, const char *piece, size_t *length)
{
    const bool is_kept = call->stage == FR_CALL_GATHERING && call->rq.route->body != FR_NO_BODY &&
                         call->gather.state == FR_GATHER_OK;

    if (is_kept)
        fr_gather_take(&call->gather, piece, *length);
    else
        call->discarded_bytes += *length;
    *length = 0;
    return call->discarded_bytes <= most_discarded(call) ? MHD_YES : MHD_NO;
}

int fr_call_go_on(struct fr_call *call, const char *method, const char *piece, size_t *length)
{
    if (call->stage == FR_CALL_NEW)
        return start(call, method);
    if (*length)
        return take_piece(call, piece, length);
    switch (call->stage) {
    case FR_CALL_GATHERING:
        return finish_body(call);
    case FR_CALL_DISCARDING:
    case FR_CALL_ANSWERED:
        return fr_call_send(call);
    case FR_CALL_WORKING:
        return call->client.is_begun ? begin_stream(call) : MHD_YES;
    case FR_CALL_NEW:
    case FR_CALL_STREAMING:
        break;
    }
    return MHD_YES;
}
