/* The steps of a request: admission, body, handler (on the event loop or on a worker), answer.
 */
#include "server/http/call.h"
#include "server/http/server.h"
#include "server/http/work.h"

#include "server/http/admit.h"
#include "server/http/body_charge.h"
#include "server/http/deadline.h"
#include "server/http/send.h"
#include "server/http/target.h"
#include "server/http/tls.h"
#include "server/json/memory.h"
#include "server/store/store.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A refused body is read up to this limit, so that the client sees the refusal. */
enum { MOST_DISCARDED_BYTES = 64 * 1024 * 1024 };
enum { LONG_RETRY_S = 5 };
_Static_assert((int)FR_ADDRESS_SLOTS == (int)FR_POOL_CLIENTS, "a slot is a client of the pool");
/* Shorter answers always find room: there are at most as many as connections. */
enum { SHORT_ANSWER_BYTES = 64 * 1024, BUSY_ANSWERS_RETRY_S = 10 };

static void count_in(struct fr_call *call, _Atomic unsigned *counter)
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
    call->mark = fr_arena_mark(call->rq.arena);
    fr_client_init(&call->client);
    count_in(call, &listener->fresh);
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

    call->begun_ns = fr_now_ns();
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
    count_in(call, NULL);
    fr_body_charge_end(call);
    fr_gather_free(&call->gather);
    fr_budget_give_back(&call->listener->answers, call->answer_bytes);
    call->answer_bytes = 0;
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

static void settle(struct fr_call *call, int status, bool is_closing)
{
    make_answer(call, &call->reply, status, is_closing, false);
    /* Those of a cache are shared. */
    if (call->answer.bytes && !has_room(call, call->answer.length)) {
        fr_answer_free(&call->answer);
        make_answer(call, &call->reply, refuse_answer(call), is_closing, false);
    }
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

/* What a request costs its client before it is looked at. */
static int charge_request(struct fr_call *call)
{
    const struct fr_route *route = call->rq.route;

    return fr_request_charge(&call->rq,
                             route->scope >= FR_WRITE && route->method != FR_GET ? FR_LIMIT_WRITES
                             : route->is_long || call->job.is_long               ? FR_LIMIT_LONG
                                                                   : FR_LIMIT_REQUESTS,
                             1, &call->reply);
}

/* On a worker: 0, or the status of a refusal. */
static int check_token(struct fr_call *call)
{
    int status, limited;

    if (!call->rq.store) {
        call->reply.retry_after_s = 5;
        return fr_reply_problem(&call->reply, 503, "The daemon stops.");
    }
    if (call->needed == FR_OPEN)
        return 0;
    status = fr_token_check(&call->rq, call->token, call->needed, &call->reply);
    /* One that is refused pays as well, so that tokens cannot be tried without end. */
    limited = charge_request(call);
    return limited ? limited : status;
}

/* Runs the handler in the name of the client. */
static int handle(struct fr_call *call)
{
    struct fr_request *rq = &call->rq;
    char address[FR_ADDRESS_TEXT];
    int status;

    fr_address_print(&call->client_address, address);
    fr_store_set_author(
        rq->store,
        &(struct fr_author){ .token = rq->token_name[0] ? rq->token_name : NULL,
                             .address = address,
                             .client = rq->token ? rq->token : -1 - (int64_t)call->client_slot,
                             .keep_bytes = atomic_load(&rq->server->config.kept_bytes_per_token) });
    status = rq->route->handle(rq, &call->reply);
    fr_store_set_author(rq->store, &(struct fr_author){ 0 });
    return status;
}

static int work(struct fr_call *call)
{
    struct fr_request *rq = &call->rq;
    int status = check_token(call);

    if (status)
        return status;
    fr_json_memory_begin((size_t)atomic_load(&rq->server->config.request_memory_bytes));
    if (rq->route->scope <= FR_READ)
        fr_client_watch(&call->client, rq->arena);
    status = handle(call);
    fr_json_memory_end();
    return status ? status : fr_reply_problem(&call->reply, 500, "The handler gave no answer.");
}

static void run_on_worker(struct fr_job *job, struct fr_store *store)
{
    struct fr_call *call = call_of(job);
    int status;

    call->rq.store = store;
    call->rq.client = &call->client;
    status = work(call);
    /* Work that was ended may look complete; what was written stays written. */
    if (atomic_load(&call->listener->is_over) &&
        (status >= 400 || call->rq.route->scope <= FR_READ))
        status = fr_reply_problem(&call->reply, 503, "The daemon stops.");
    if (!call->client.is_begun) {
        settle(call, status, false);
        fr_client_resume(&call->client);
        return;
    }
    if (!has_room(call, call->reply.body.length))
        status = refuse_answer(call);
    fr_reply_complete_lines(&call->reply, status, true);
    fr_deadline_for_bytes(call, call->reply.body.length);
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

/* Whose share of the workers the request takes, and whose limits if it needs no token. */
static void find_client(struct fr_call *call)
{
    const struct fr_listener *listener = call->listener;
    const bool is_proxy = fr_proxies_have(&listener->proxies, &call->address);

    call->client_address = fr_address_forwarded(
        is_proxy ? MHD_lookup_connection_value(call->connection, MHD_HEADER_KIND, "X-Forwarded-For")
                 : NULL,
        &call->address);

    call->client_slot = fr_address_slot(&call->client_address, listener->address_key);
    call->rq.payer = fr_limit_client_of_address(call->client_slot);
}

static int refuse_job(struct fr_call *call, enum fr_submitted submitted)
{
    call->reply.retry_after_s = call->job.is_long ? LONG_RETRY_S : 1;
    if (submitted == FR_POOL_SHARE)
        fr_metrics_shared(&call->rq.server->metrics);
    return submitted == FR_POOL_SHARE
               ? fr_reply_problem(&call->reply, 429,
                                  "Half of the requests that may wait are yours; send the next one "
                                  "when one of them is answered.")
               : fr_reply_problem(&call->reply, 503, "All workers are busy and the queue is full.");
}

static enum fr_submitted submit(struct fr_call *call, struct fr_pool *pool,
                                void (*run_job)(struct fr_job *job, struct fr_store *store))
{
    fr_deadline_none(call);
    call->job.client = call->client_slot;
    call->job.park = park;
    call->job.run = run_job;
    return fr_pool_submit(pool, &call->job);
}

static int hand_over(struct fr_call *call)
{
    const struct fr_route *route = call->rq.route;
    const struct fr_server *server = call->rq.server;
    struct fr_pool *pool = route->body == FR_BODY_FILE ? server->uploads : server->pool;
    enum fr_submitted submitted;
    int status = 0;

    call->job.is_long = route->is_long || (route->is_long_for && route->is_long_for(&call->rq));
    call->job.is_urgent = route->is_urgent;
    /* With a token, the worker that checks it knows who pays. */
    if (call->job.is_long && !route->is_long && call->needed == FR_OPEN)
        status = fr_request_charge(&call->rq, FR_LIMIT_LONG, 1, &call->reply);
    if (status) {
        settle(call, status, false);
        return fr_call_send(call);
    }
    call->stage = FR_CALL_WORKING;
    submitted = submit(call, pool, run_on_worker);
    if (submitted == FR_POOL_TAKEN)
        return MHD_YES;
    settle(call, refuse_job(call, submitted), false);
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

    fr_deadline_none(call);
    count_in(call, &call->listener->under_way);
    if (call->rq.route->body == FR_NO_BODY)
        return run(call);
    fr_gather_end(&call->gather);
    status = fr_admit_body(call);
    if (!status)
        status = fr_body_charge_arrived(call);
    if (!status)
        return run(call);
    settle(call, status, false);
    return fr_call_send(call);
}

/* Goes on to the body: to keep it, or to pass over it if a status refuses the request. */
static int accept_body(struct fr_call *call, int status)
{
    const struct fr_upload upload = fr_upload_of(call);
    const bool is_early = upload.expects_continue || upload.declared > MOST_DISCARDED_BYTES;

    fr_deadline_for_bytes(call, 0);
    if (!status)
        status = fr_body_charge_declared(call);
    /* An answer before the request's end would close the connection, even to a GET. */
    call->stage = FR_CALL_GATHERING;
    if (!status)
        return MHD_YES;
    settle(call, status, is_early);
    if (is_early)
        return fr_call_send(call);
    call->stage = FR_CALL_DISCARDING;
    return MHD_YES;
}

static void check_token_on_worker(struct fr_job *job, struct fr_store *store)
{
    struct fr_call *call = call_of(job);

    call->rq.store = store;
    call->token_status = check_token(call);
    call->rq.store = NULL;
    call->needed = FR_OPEN;
    call->stage = FR_CALL_CHECKED;
    fr_client_resume(&call->client);
}

/* Whoever has no token fills neither memory nor disk with a body. */
static int check_token_first(struct fr_call *call)
{
    enum fr_submitted submitted;

    call->job.is_long = call->job.is_urgent = false;
    call->stage = FR_CALL_CHECKING;
    submitted = submit(call, call->rq.server->pool, check_token_on_worker);
    return submitted == FR_POOL_TAKEN ? MHD_YES : accept_body(call, refuse_job(call, submitted));
}

static int start(struct fr_call *call, const char *method)
{
    int status;

    call->method = method;
    count_in(call, &call->listener->arriving);
    status = fr_admit_framing(call);
    if (status) {
        /* Nobody knows where the next request would begin. */
        settle(call, status, true);
        return fr_call_send(call);
    }
    find_client(call);
    status = fr_admit(call);
    if (!status && call->needed == FR_OPEN && call->rq.route->scope != FR_OPEN)
        status = charge_request(call);
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
    settle(call, status, false);
    fr_gather_free(&call->gather);
    call->stage = FR_CALL_DISCARDING;
}

static int take_piece(struct fr_call *call, const char *piece, size_t *length)
{
    const bool is_kept = call->stage == FR_CALL_GATHERING && call->rq.route->body != FR_NO_BODY &&
                         call->gather.state == FR_GATHER_OK;

    fr_deadline_extend(call, *length);
    if (is_kept)
        gather(call, piece, *length);
    else
        call->discarded_bytes += *length;
    *length = 0;
    return call->discarded_bytes <= most_discarded(call) ? MHD_YES : MHD_NO;
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
        return call->client.is_begun ? begin_stream(call) : MHD_YES;
    case FR_CALL_NEW:
    case FR_CALL_CHECKING:
    case FR_CALL_CHECKED:
    case FR_CALL_STREAMING:
        break;
    }
    return MHD_YES;
}
