/* How a request arrives: its head, which is admitted or refused; its token, if a body follows; its
 * body, which is kept or passed over.  What is complete goes on to call_work.c, and what is refused
 * to send.c.
 */
#include "server/http/call.h"

#include "server/http/listener.h"

#include <microhttpd.h>
#include <strings.h>
#include <sys/socket.h>

/* A refused body is read up to this limit, so that the client sees the refusal. */
enum { MOST_DISCARDED_BYTES = 64 * 1024 * 1024 };

static enum MHD_Result keep_last(void *value, enum MHD_ValueKind kind, const char *name,
                                 const char *text)
{
    (void)kind;
    if (text && strcasecmp(name, "X-Forwarded-For") == 0)
        *(const char **)value = text;
    return MHD_YES;
}

/* Whose share of the workers the request takes, and whose limits if it needs no token.  A proxy may
 * write a line of its own behind those of its client. */
static void find_client(struct fr_call *call)
{
    const struct fr_listener *listener = call->listener;
    const char *forwarded = NULL;

    if (fr_proxies_have(&listener->proxies, &call->address))
        MHD_get_connection_values(call->connection, MHD_HEADER_KIND, keep_last, &forwarded);
    call->client_address = fr_address_forwarded(forwarded, &call->address);
    call->client_slot = fr_address_slot(&call->client_address, listener->address_key);
    call->rq.payer = fr_limit_client_of_address(call->client_slot);
}

/* Goes on to the body: to keep it, or to pass over it if a status refuses the request. */
static int accept_body(struct fr_call *call, int status)
{
    const struct fr_upload upload = fr_upload_of(call);
    const bool is_early = upload.expects_continue || upload.declared > MOST_DISCARDED_BYTES;

    call->awaited_bytes = upload.declared;
    fr_deadline_for_bytes(call, 0);
    if (!status)
        status = fr_body_charge_declared(call);
    /* An answer before the request's end would close the connection, even to a GET. */
    call->stage = FR_CALL_GATHERING;
    if (!status)
        return MHD_YES;
    fr_call_settle(call, status, is_early);
    if (is_early)
        return fr_call_send(call);
    call->stage = FR_CALL_DISCARDING;
    return MHD_YES;
}

/* Whoever has no token fills neither memory nor disk with a body. */
static int check_token_first(struct fr_call *call)
{
    const int status = fr_call_look_up_token(call);

    return status ? accept_body(call, status) : MHD_YES;
}

static int start(struct fr_call *call, const char *method)
{
    int status;

    call->method = method;
    fr_call_count(call, &call->listener->arriving);
    find_client(call);
    status = fr_admit_framing(call);
    if (status) {
        /* Nobody knows where the next request would begin. */
        fr_call_settle(call, status, true);
        return fr_call_send(call);
    }
    status = fr_admit(call);
    if (!status && call->needed == FR_OPEN && call->rq.route->scope != FR_OPEN)
        status = fr_call_charge(call);
    if (!status && call->needed != FR_OPEN && call->rq.route->body != FR_NO_BODY)
        return check_token_first(call);
    return accept_body(call, status);
}

/* The rest of a file that was accepted may be as large as a file may be. */
static size_t most_discarded(const struct fr_call *call)
{
    return call->stage == FR_CALL_GATHERING && call->rq.route->body == FR_BODY_FILE
               ? call->gather.limit_bytes
               : MOST_DISCARDED_BYTES;
}

/* Once its client has no more bytes to spend, the rest of a body is passed over. */
static void gather(struct fr_call *call, const char *piece, size_t length)
{
    int status;

    fr_gather_take(&call->gather, piece, length);
    status = fr_body_charge_arrived(call);
    if (!status)
        return;
    fr_call_settle(call, status, false);
    fr_gather_free(&call->gather);
    call->stage = FR_CALL_DISCARDING;
}

/* The client has left before the end of its body.  MHD does not look again where the end of the
 * connection came together with bytes.  Others than those of a declared length may still wait in
 * its buffer, and those of TLS in that of GnuTLS. */
static bool has_left_early(const struct fr_call *call)
{
    char byte;

    if (!call->awaited_bytes || call->listener->tls)
        return false;
    return recv(call->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static int take_piece(struct fr_call *call, const char *piece, size_t *length)
{
    const bool is_kept = call->stage == FR_CALL_GATHERING && call->rq.route->body != FR_NO_BODY &&
                         call->gather.state == FR_GATHER_OK;

    fr_deadline_extend(call, *length);
    call->awaited_bytes -= call->awaited_bytes < *length ? call->awaited_bytes : *length;
    if (has_left_early(call))
        return MHD_NO;
    if (is_kept)
        gather(call, piece, *length);
    else
        call->discarded_bytes += *length;
    *length = 0;
    return call->discarded_bytes <= most_discarded(call) ? MHD_YES : MHD_NO;
}

static int finish_body(struct fr_call *call)
{
    int status;

    fr_deadline_none(call);
    fr_call_count(call, &call->listener->under_way);
    if (call->rq.route->body == FR_NO_BODY)
        return fr_call_run(call);
    fr_gather_end(&call->gather);
    status = fr_admit_body(call);
    if (!status)
        status = fr_body_charge_arrived(call);
    if (!status)
        return fr_call_run(call);
    fr_call_settle(call, status, false);
    return fr_call_send(call);
}

int fr_call_go_on(struct fr_call *call, const char *method, const char *piece, size_t *length)
{
    if (call->stage == FR_CALL_NEW)
        return start(call, method);
    if (call->stage == FR_CALL_CHECKED)
        return accept_body(call, call->token_status);
    if (*length)
        return take_piece(call, piece, length);
    switch (call->stage) {
    case FR_CALL_GATHERING:
        return finish_body(call);
    case FR_CALL_DISCARDING:
    case FR_CALL_ANSWERED:
        return fr_call_send(call);
    case FR_CALL_WORKING:
        return call->client.is_begun ? fr_call_begin_stream(call) : MHD_YES;
    case FR_CALL_NEW:
    case FR_CALL_CHECKING:
    case FR_CALL_CHECKED:
    case FR_CALL_STREAMING:
        break;
    }
    return MHD_YES;
}
