#include "server/http/listener.h"

#include "server/http/call.h"

#include <sys/socket.h>

static const uint64_t second_ns = 1000000000;

static uint64_t after_grace_ns(struct fr_call *call)
{
    struct fr_server *server = call->rq.server;

    return fr_clock_ns(server->clock) +
           (uint64_t)atomic_load(&server->config.header_timeout_s) * second_ns;
}

static uint64_t passing_ns(struct fr_call *call, size_t bytes)
{
    return (uint64_t)((double)bytes * (double)second_ns /
                      (double)atomic_load(&call->rq.server->config.least_bytes_per_s));
}

void fr_deadline_join(struct fr_call *call)
{
    struct fr_listener *listener = call->listener;

    fr_deadline_for_headers(call);
    pthread_mutex_lock(&listener->lock);
    call->next = listener->calls;
    call->link = &listener->calls;
    if (call->next)
        call->next->link = &call->next;
    listener->calls = call;
    pthread_mutex_unlock(&listener->lock);
}

void fr_deadline_leave(struct fr_call *call)
{
    struct fr_listener *listener = call->listener;

    pthread_mutex_lock(&listener->lock);
    *call->link = call->next;
    if (call->next)
        call->next->link = call->link;
    pthread_mutex_unlock(&listener->lock);
}

void fr_deadline_for_headers(struct fr_call *call)
{
    atomic_store(&call->due_ns, after_grace_ns(call));
}

void fr_deadline_for_next(struct fr_call *call)
{
    const int64_t idle_s = atomic_load(&call->rq.server->config.idle_timeout_s);

    atomic_store(&call->due_ns, after_grace_ns(call) + (uint64_t)idle_s * second_ns);
}

void fr_deadline_for_bytes(struct fr_call *call, size_t bytes)
{
    atomic_store(&call->due_ns, after_grace_ns(call) + passing_ns(call, bytes));
}

void fr_deadline_extend(struct fr_call *call, size_t bytes)
{
    atomic_fetch_add(&call->due_ns, passing_ns(call, bytes));
}

void fr_deadline_none(struct fr_call *call)
{
    atomic_store(&call->due_ns, UINT64_MAX);
}

/* A call leaves before its socket is closed, so under the lock the socket is its own. */
void fr_deadlines_check(struct fr_listener *listener)
{
    const uint64_t now_ns = fr_clock_ns(listener->server->clock);

    pthread_mutex_lock(&listener->lock);
    for (struct fr_call *call = listener->calls; call; call = call->next) {
        if (atomic_load(&call->due_ns) >= now_ns)
            continue;
        shutdown(call->socket, SHUT_RDWR);
        fr_deadline_none(call);
        fr_metrics_count(&listener->server->metrics, FR_METRIC_LATE);
    }
    pthread_mutex_unlock(&listener->lock);
}
