/* MHD's options and its callbacks, and how a listener starts, drains and stops. */
#include "server/http/listener.h"

#include "server/http/call.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* Holds the request line and the headers; 414 and 431 beyond it come from MHD itself. */
    /* A URL of 8 KiB with its headers; MHD clears all of it for every request. */
    CONNECTION_MEMORY_BYTES = 32 * 1024,
    MOST_LOOPS = 16,
    DRAIN_STEP_NS = 5 * 1000 * 1000,
    UPLOAD_GRACE_S = 3,
    FRESH_GRACE_S = 1,
};

/* The event loops have seen by then that they must not accept. */
static const double settle_s = 0.1;

/* The count of connections that an address belongs to; NULL for a proxy. */
static _Atomic unsigned *count_of(struct fr_listener *listener, const struct fr_address *address)
{
    return fr_proxies_have(&listener->proxies, address)
               ? NULL
               : &listener->connections[fr_address_slot(address, listener->address_key)];
}

/* Each event loop counts what it accepts, so that a few more may come at the same time. */
static enum MHD_Result may_connect(void *cls, const struct sockaddr *from, socklen_t length)
{
    struct fr_listener *listener = cls;
    const struct fr_address address = fr_address_of(from);
    const int64_t most = atomic_load(&listener->server->config.connections_per_address);
    _Atomic unsigned *count = count_of(listener, &address);

    (void)length;
    if (!count || (int64_t)atomic_load(count) < most)
        return MHD_YES;
    fr_metrics_count(&listener->server->metrics, FR_METRIC_TURNED_AWAY);
    return MHD_NO;
}

/* Each connection has a call, which is freed with it. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct fr_call *call = *context;
    _Atomic unsigned *count;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = call = fr_call_new(cls, connection);
        count = call ? count_of(cls, &call->address) : NULL;
        if (count)
            atomic_fetch_add(count, 1);
        if (call)
            fr_deadline_join(call);
        return;
    }
    if (!call)
        return;
    count = count_of(cls, &call->address);
    if (count)
        atomic_fetch_sub(count, 1);
    fr_deadline_leave(call);
    fr_call_free(call);
    *context = NULL;
}

/* MHD would split the query into records of its own, which we do not use: where there are thousands
 * of parameters, they exceed the connection's memory, and 0.9.75 then never answers.  It reads the
 * query only after this call, in the buffer that `uri` points to, so the query ends here. */
static void hide_query(const char *uri)
{
    char *query = strchr((char *)(uintptr_t)uri, '?');

    if (query && query[1])
        query[1] = '\0';
}

/* Called at the request line; returns the call, the context of the request. */
static void *on_target(void *cls, const char *uri, struct MHD_Connection *connection)
{
    struct fr_call *call =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;

    (void)cls;
    if (call)
        fr_call_begin(call, uri);
    hide_query(uri);
    return call;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **context)
{
    (void)cls, (void)connection, (void)url, (void)version;
    return *context ? fr_call_go_on(*context, method, data, size) : MHD_NO;
}

static void on_end(void *cls, struct MHD_Connection *connection, void **context,
                   enum MHD_RequestTerminationCode code)
{
    (void)cls, (void)connection, (void)code;
    if (*context)
        fr_call_end(*context);
    *context = NULL;
}

/* MHD's decoded target is not used: fr_request_target_parse decodes the raw text. */
static size_t leave_escaped(void *cls, struct MHD_Connection *connection, char *text)
{
    (void)cls, (void)connection;
    return strlen(text);
}

static void on_message(void *cls, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void on_message(void *cls, const char *format, va_list arguments)
{
    struct fr_listener *listener = cls;
    char text[256];

    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    fr_logf(&listener->server->log, FR_LOG_DEBUG, "http", "%s", text);
}

static unsigned loops(int64_t connections)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned most = connections < MOST_LOOPS ? (unsigned)connections : MOST_LOOPS;

    return cores < 1 ? 1 : cores > (long)most ? most : (unsigned)cores;
}

static struct MHD_Daemon *start_daemon(struct fr_listener *listener, int fd)
{
    struct fr_config *config = &listener->server->config;
    const int64_t connections = atomic_load(&config->connection_limit);
    const struct fr_tls *tls = listener->tls;
    /* Each connection gets its certificate from fr_call_new; MHD does not start without one. */
    struct MHD_OptionItem secure[] = {
        { MHD_OPTION_HTTPS_MEM_CERT, 0, (char *)(uintptr_t)fr_tls_certificate_text(tls) },
        { MHD_OPTION_HTTPS_MEM_KEY, 0, (char *)(uintptr_t)fr_tls_key_text(tls) },
        { MHD_OPTION_HTTPS_PRIORITIES, 0, (char *)(uintptr_t)fr_tls_priorities },
        { MHD_OPTION_END, 0, NULL },
    };

    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME |
            MHD_USE_ERROR_LOG | (tls ? MHD_USE_TLS : 0),
        0, may_connect, listener, on_request,
        listener, /* the logger must come first to see errors of others */
        MHD_OPTION_EXTERNAL_LOGGER, on_message, listener, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_THREAD_POOL_SIZE, loops(connections), MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)atomic_load(&config->idle_timeout_s), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY_BYTES, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
        MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target, NULL,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_ARRAY,
        tls ? secure : &secure[sizeof secure / sizeof *secure - 1], MHD_OPTION_END);
}

static bool has_proxies(struct fr_listener *listener)
{
    const char *list = listener->server->config.proxies;

    if (fr_proxies_parse(list, &listener->proxies))
        return true;
    fr_logf(&listener->server->log, FR_LOG_ERROR, "listen",
            "proxies: %s is not a list of at most %d addresses", list, FR_MAX_PROXIES);
    return false;
}

/* Tells the end of the certificate, or all faults. */
static bool tell_tls(struct fr_listener *listener, const struct fr_faults *faults)
{
    struct fr_server *server = listener->server;
    struct tm utc;
    char expires[32];
    time_t expiry;

    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        fr_log(&server->log, FR_LOG_ERROR, "tls", "setting", faults->fault[i].where, "error",
               faults->fault[i].message, NULL);
    if (faults->count)
        return false;
    expiry = fr_tls_expiry(listener->tls);
    fr_metrics_tls(&server->metrics, expiry);
    strftime(expires, sizeof expires, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&expiry, &utc));
    fr_log(&server->log, expiry > time(NULL) ? FR_LOG_INFO : FR_LOG_WARNING, "tls", "certificate",
           server->config.tls_certificate, "expires", expires, NULL);
    return true;
}

static bool open_tls(struct fr_listener *listener)
{
    const struct fr_config *config = &listener->server->config;
    struct fr_faults faults;

    faults.count = 0;
    if (!config->tls_certificate[0])
        return true;
    listener->tls = fr_tls_open(config->tls_certificate, config->tls_key, &faults);
    return tell_tls(listener, &faults);
}

bool fr_listener_reload(struct fr_listener *listener)
{
    struct fr_faults faults;

    faults.count = 0;
    if (!listener->tls)
        return true;
    fr_tls_reload(listener->tls, &faults);
    return tell_tls(listener, &faults);
}

struct fr_listener *fr_listener_start(struct fr_server *server)
{
    struct fr_listener *listener = calloc(1, sizeof *listener);
    struct fr_socket from = { .fd = -1 };

    if (!listener)
        return NULL;
    listener->server = server;
    listener->drained_socket = -1;
    listener->next_id = (uint64_t)time(NULL) << 24;
    listener->bodies.limit_bytes = (size_t)atomic_load(&server->config.bodies_limit_bytes);
    listener->spools.limit_bytes = (size_t)atomic_load(&server->config.uploads_limit_bytes);
    pthread_mutex_init(&listener->lock, NULL);
    randombytes_buf(listener->address_key, sizeof listener->address_key);
    listener->answers.limit_bytes = (size_t)atomic_load(&server->config.answers_limit_bytes);
    if (has_proxies(listener) && open_tls(listener) &&
        fr_socket_open(server->config.listen, &server->log, &from) &&
        fr_socket_url(from.fd, listener->tls ? "https" : "http", listener->url,
                      sizeof listener->url)) {
        listener->is_passed = from.is_passed;
        listener->daemon = start_daemon(listener, from.fd);
        if (listener->daemon)
            return listener;
        fr_log(&server->log, FR_LOG_ERROR, "listen", "detail", "the event loops cannot start",
               NULL);
    }
    if (from.fd >= 0)
        close(from.fd);
    fr_tls_close(listener->tls);
    pthread_mutex_destroy(&listener->lock);
    free(listener);
    return NULL;
}

const char *fr_listener_url(const struct fr_listener *listener)
{
    return listener->url;
}

/* What is waited for after so many seconds: requests, and for a shorter time what may never come.
 */
static bool has_more(struct fr_listener *listener, double waited_s, double timeout_s)
{
    /* A client that left in the middle of an upload may go unnoticed (call_arrival.c), with TLS or
     * a chunked body.  Such requests are not waited for to the end. */
    if (atomic_load(&listener->arriving) && waited_s < fmin(timeout_s, UPLOAD_GRACE_S))
        return true;
    /* Connections to a passed socket do not end with this daemon: those that its loops took are
     * answered, and the next daemon takes the others. */
    if (listener->is_passed && waited_s < fmin(timeout_s, FRESH_GRACE_S) &&
        (waited_s < settle_s || atomic_load(&listener->fresh)))
        return true;
    return atomic_load(&listener->under_way) && waited_s < timeout_s;
}

static int (*next_epoll_ctl)(int set, int operation, int file, struct epoll_event *event);

__attribute__((constructor)) static void find_next_epoll_ctl(void)
{
    *(void **)&next_epoll_ctl = dlsym(RTLD_NEXT, "epoll_ctl");
}

/* Stands before the function of the C library, also for libmicrohttpd: to remove what is not in the
 * set succeeds.  Version 0.9.75 aborts otherwise when MHD_quiesce_daemon and an event loop
 * (MHD_epoll) remove the listening socket at the same time: the second one finds nothing. */
int epoll_ctl(int set, int operation, int file, struct epoll_event *event)
{
    const int result = next_epoll_ctl(set, operation, file, event);

    return result < 0 && operation == EPOLL_CTL_DEL && errno == ENOENT ? 0 : result;
}

bool fr_listener_drain(struct fr_listener *listener, double timeout_s)
{
    const struct timespec step = { .tv_nsec = DRAIN_STEP_NS };
    double waited_s = 0;

    /* The thread of MHD may still take the socket out of its epoll set, and aborts if it is closed:
     * it is closed when that thread has ended.  Until then a socket of its own refuses connections,
     * while a passed one keeps them for the next daemon: shutdown would end it for both. */
    listener->drained_socket = MHD_quiesce_daemon(listener->daemon);
    if (listener->drained_socket >= 0 && !listener->is_passed)
        shutdown(listener->drained_socket, SHUT_RDWR);
    atomic_store(&listener->is_draining, true);
    while (has_more(listener, waited_s, timeout_s)) {
        nanosleep(&step, NULL);
        waited_s += DRAIN_STEP_NS * 1e-9;
    }
    atomic_store(&listener->is_over, true);
    return atomic_load(&listener->under_way) == 0;
}

void fr_listener_stop(struct fr_listener *listener)
{
    if (!listener)
        return;
    MHD_stop_daemon(listener->daemon);
    if (listener->drained_socket >= 0)
        close(listener->drained_socket);
    fr_tls_close(listener->tls);
    pthread_mutex_destroy(&listener->lock);
    free(listener);
}
