#include "server/http/send.h"
#include "server/http/deadline.h"
#include "server/http/server.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What is read of lines at a time. */
enum { PIECE_BYTES = 16 * 1024 };

uint64_t fr_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void drop_shared(void *shared)
{
    fr_shared_bytes_drop(shared);
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
            answer->length, answer->shared->bytes, drop_shared, answer->shared);
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
    const uint64_t latency_ns = fr_now_ns() - call->begun_ns;
    struct fr_server *server = call->rq.server;
    const int status = call->answer.status;
    char status_text[16], microseconds[24];
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
    fr_log(&server->log, level_of(status), "request", "id", call->rq.id, "method", call->method,
           "path", call->rq.path, "status", status_text, "latency_us", microseconds,
           call->rq.token_name[0] ? "token" : NULL, call->rq.token_name, NULL);
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
