/* What lives from the first line of a request to its end, and is used again for the next one.  Then
 * call_arrival.c takes head and body, call_work.c runs the handler, and send.c gives the answer.
 */
#include "server/http/call.h"

#include "server/http/listener.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

void fr_call_count(struct fr_call *call, _Atomic unsigned *counter)
{
    if (call->counted_in)
        atomic_fetch_sub(call->counted_in, 1);
    if (counter)
        atomic_fetch_add(counter, 1);
    call->counted_in = counter;
}

static struct gnutls_session_int *session_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *found =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);

    return found ? found->tls_session : NULL;
}

struct fr_call *fr_call_new(struct fr_listener *listener, struct MHD_Connection *connection)
{
    struct fr_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->listener = listener;
    call->connection = connection;
    call->rq.server = listener->server;
    call->socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    call->address = fr_address_of(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
    call->rq.arena =
        fr_arena_new((size_t)atomic_load(&listener->server->config.request_memory_bytes));
    if (listener->tls)
        call->tls_pair = fr_tls_give(listener->tls, session_of(connection));
    if (!call->rq.arena || !call->tls_pair != !listener->tls) {
        fr_arena_free(call->rq.arena);
        fr_tls_drop(call->tls_pair);
        free(call);
        return NULL;
    }
    fr_arena_limit_steps(call->rq.arena,
                         (double)atomic_load(&listener->server->config.request_steps));
    call->mark = fr_arena_mark(call->rq.arena);
    fr_client_init(&call->client, listener->server->clock);
    fr_call_count(call, &listener->fresh);
    return call;
}

void fr_call_free(struct fr_call *call)
{
    if (!call || fr_client_abandon(&call->client, true))
        return;
    fr_call_end(call);
    fr_tls_drop(call->tls_pair);
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

    call->begun_ns = fr_clock_ns(rq->server->clock);
    fr_deadline_for_headers(call);
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
    rq->token = 0;
    rq->limited_s = 0;
    rq->is_partial = false;
    write_id(atomic_fetch_add_explicit(&call->listener->next_id, 1, memory_order_relaxed), rq->id);
    call->gather = (struct fr_gather){ 0 };
    call->answer.bytes = NULL;
    call->answer.shared = NULL;
    call->answer.link = NULL;
    call->discarded_bytes = call->answer_bytes = 0;
    call->cors_origin = NULL;
    call->is_preflight = false;
    call->needed = FR_OPEN;
    fr_reply_init(&call->reply);
}

void fr_call_end(struct fr_call *call)
{
    fr_deadline_for_next(call);
    if (call->stage == FR_CALL_STREAMING) {
        fr_call_tell(call);
        call->stage = FR_CALL_NEW;
    }
    if (fr_client_abandon(&call->client, false))
        return;
    fr_call_count(call, NULL);
    fr_body_charge_end(call);
    fr_gather_free(&call->gather);
    fr_budget_give_back(&call->listener->answers, call->answer_bytes);
    call->answer_bytes = 0;
    fr_reply_free(&call->reply);
    fr_answer_free(&call->answer);
    fr_arena_release(call->rq.arena, call->mark);
    fr_arena_renew(call->rq.arena);
}
