#include "server/http/call.h"
#include "server/http/listener.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>

/* What is read of lines at a time. */
enum { PIECE_BYTES = 16 * 1024 };
/* Shorter answers always find room: there are at most as many as connections. */
enum { SHORT_ANSWER_BYTES = 64 * 1024, BUSY_ANSWERS_RETRY_S = 10 };

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

/* Takes room for an answer until the request ends; false if others leave none.  One alone is sent
 * whatever its length, which the work of a request bounds. */
static bool has_room(struct fr_call *call, size_t length)
{
    if (length <= SHORT_ANSWER_BYTES)
        return true;
    if (!fr_budget_take(&call->listener->answers, length, true))
        return false;
    call->answer_bytes = length;
    return true;
}

static int refuse_answer(struct fr_call *call)
{
    call->reply.retry_after_s = BUSY_ANSWERS_RETRY_S;
    return fr_reply_problem(&call->reply, 503,
                            "Answers that wait for their readers take all the room there is; try "
                            "again, or ask for fewer rows.");
}

void fr_call_settle(struct fr_call *call, int status, bool is_closing)
{
    make_answer(call, &call->reply, status, is_closing, false);
    /* Those of a cache are shared. */
    if (call->answer.bytes && !has_room(call, call->answer.length)) {
        fr_answer_free(&call->answer);
        make_answer(call, &call->reply, refuse_answer(call), is_closing, false);
    }
    call->stage = FR_CALL_ANSWERED;
}

/* The response takes over the answer's bytes. */
static struct MHD_Response *response_of(struct fr_call *call)
{
    struct fr_answer *answer = &call->answer;
    struct MHD_Response *response;

    if (call->stage == FR_CALL_STREAMING)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE_BYTES, fr_client_read,
                                                 &call->client, NULL);
    if (answer->shared)
        response = MHD_create_response_from_buffer_with_free_callback_cls(
            answer->length, answer->shared->bytes, fr_cached_drop, answer->shared);
    else if (answer->bytes)
        response =
            MHD_create_response_from_buffer_with_free_callback(answer->length, answer->bytes, free);
    else
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response) {
        answer->shared = NULL;
        answer->bytes = NULL;
    }
    return response;
}

/* Quick successes are logged at debug level only; otherwise they would dominate the log.  501
 * refuses what a client sent, and 503 a load: they are no failures. */
static enum fr_log_level level_of(int status)
{
    if (status >= 500 && status != 501 && status != 503)
        return FR_LOG_ERROR;
    return status >= 400 ? FR_LOG_INFO : FR_LOG_DEBUG;
}

void fr_call_tell(struct fr_call *call)
{
    struct fr_server *server = call->rq.server;
    const uint64_t latency_ns = fr_clock_ns(server->clock) - call->begun_ns;
    const int status = call->answer.status;
    char status_text[16], microseconds[24], address[FR_ADDRESS_TEXT];
    enum fr_log_level level;

    fr_metrics_request(&server->metrics, call->rq.route, status, latency_ns);
    level = (enum fr_log_level)atomic_load_explicit(&server->log.level, memory_order_relaxed);
    if (level_of(status) > level)
        return;
    /* Anybody may cause refusals; at level debug every request has its line. */
    if (level_of(status) == FR_LOG_INFO && level == FR_LOG_INFO &&
        !fr_log_takes_refusal(&server->log))
        return;
    snprintf(status_text, sizeof status_text, "%d", status);
    snprintf(microseconds, sizeof microseconds, "%llu", (unsigned long long)latency_ns / 1000);
    fr_address_print(&call->client_address, address);
    fr_log(&server->log, level_of(status), "request", "id", call->rq.id, "method", call->method,
           "path", call->rq.path, "status", status_text, "latency_us", microseconds, "address",
           address, call->rq.token_name[0] ? "token" : NULL, call->rq.token_name, NULL);
}

int fr_call_send(struct fr_call *call)
{
    struct fr_answer *answer = &call->answer;
    struct MHD_Response *response = response_of(call);
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < answer->header_count; i++)
        MHD_add_response_header(response, answer->header[i].name, answer->header[i].value);
    if (call->stage != FR_CALL_STREAMING) {
        fr_deadline_for_bytes(call, answer->length);
        fr_call_tell(call);
    }
    result = MHD_queue_response(call->connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

int fr_call_begin_stream(struct fr_call *call)
{
    struct fr_reply head;

    fr_reply_init(&head);
    make_answer(call, &head, 200, false, true);
    call->stage = FR_CALL_STREAMING;
    return fr_call_send(call);
}

void fr_call_end_stream(struct fr_call *call, int status)
{
    if (!has_room(call, call->reply.body.length))
        status = refuse_answer(call);
    fr_reply_complete_lines(&call->reply, status, true);
    fr_deadline_for_bytes(call, call->reply.body.length);
    if (fr_client_complete(&call->client, call->reply.body.text, call->reply.body.length))
        fr_call_free(call);
}
