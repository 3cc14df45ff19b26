/* How a request is worked on, once it is complete: the handler runs on the event loop, or on a
 * worker of the pool, which first looks up the token and charges its limits.  The answer goes to
 * send.c.
 */
#include "server/http/call.h"

#include "server/http/listener.h"
#include "server/json/value.h"
#include "server/store/store.h"

#include <microhttpd.h>
#include <string.h>

enum { LONG_RETRY_S = 5 };
_Static_assert((int)FR_ADDRESS_SLOTS == (int)FR_POOL_CLIENTS, "a slot is a client of the pool");

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

int fr_call_charge(struct fr_call *call)
{
    const struct fr_route *route = call->rq.route;

    return fr_request_charge(&call->rq,
                             fr_route_writes(route)                ? FR_LIMIT_WRITES
                             : route->is_long || call->job.is_long ? FR_LIMIT_LONG
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
    limited = fr_call_charge(call);
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
    if (!fr_route_writes(rq->route))
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
        (status >= 400 || !fr_route_writes(call->rq.route)))
        status = fr_reply_problem(&call->reply, 503, "The daemon stops.");
    if (!call->client.is_begun) {
        fr_call_settle(call, status, false);
        fr_client_resume(&call->client);
        return;
    }
    fr_call_end_stream(call, status);
}

static int refuse_job(struct fr_call *call, enum fr_submitted submitted)
{
    call->reply.retry_after_s = call->job.is_long ? LONG_RETRY_S : 1;
    if (submitted == FR_POOL_SHARE)
        fr_metrics_limited(&call->rq.server->metrics, FR_LIMITS);
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

static void look_up_token(struct fr_job *job, struct fr_store *store)
{
    struct fr_call *call = call_of(job);

    call->rq.store = store;
    call->token_status = check_token(call);
    call->rq.store = NULL;
    call->needed = FR_OPEN;
    call->stage = FR_CALL_CHECKED;
    fr_client_resume(&call->client);
}

int fr_call_look_up_token(struct fr_call *call)
{
    enum fr_submitted submitted;

    call->job.is_long = call->job.is_urgent = false;
    call->stage = FR_CALL_CHECKING;
    submitted = submit(call, call->rq.server->pool, look_up_token);
    return submitted == FR_POOL_TAKEN ? 0 : refuse_job(call, submitted);
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
        fr_call_settle(call, status, false);
        return fr_call_send(call);
    }
    call->stage = FR_CALL_WORKING;
    submitted = submit(call, pool, run_on_worker);
    if (submitted == FR_POOL_TAKEN)
        return MHD_YES;
    fr_call_settle(call, refuse_job(call, submitted), false);
    return fr_call_send(call);
}

int fr_call_run(struct fr_call *call)
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
    fr_call_settle(call, status, false);
    return fr_call_send(call);
}
