/* From sockets to connections: what listens, its certificate, and what ends a slow connection. */
#ifndef FR_LISTENER_H
#define FR_LISTENER_H

#include "engine/core/fault.h"
#include "server/core/log.h"

#include <time.h>

/* ---- socket ---------------------------------------------------------------------------- */

/* The listening socket: one of its own, or one that systemd passes and keeps open over restarts. */

struct fr_socket {
    int fd; /* listens, does not block, is closed in child programs */
    bool is_passed;
};

/* Takes the socket of LISTEN_FDS and LISTEN_PID (sd_listen_fds(3)), or listens on `listen_on`
 * (`ADDR:PORT`, `[ADDR]:PORT`).  False with the reason in the log. */
bool fr_socket_open(const char *listen_on, struct fr_log *log, struct fr_socket *out);
/* "http://127.0.0.1:8080" for the scheme `http`; false if the socket has no such address. */
bool fr_socket_url(int fd, const char *scheme, char *url, size_t size);

/* ---- tls ------------------------------------------------------------------------------- */

/* TLS: the certificate of the daemon with its key, which are exchanged while connections go on. */

struct gnutls_session_int;

/* TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, for GnuTLS. */
extern const char fr_tls_priorities[];

/* A certificate with its key.  It lives as long as it is the current one or a connection has it. */
struct fr_tls_pair;
struct fr_tls;

/* Reads the two files in PEM form: the certificate of this host with those of its issuers after it,
 * and its key.  NULL with faults under the names of the settings.  Free with fr_tls_close, after
 * all connections. */
struct fr_tls *fr_tls_open(const char *certificate, const char *key, struct fr_faults *faults);
/* Reads the files again, for new connections.  A code of enum fr_code; with a fault nothing
 * changes. */
int fr_tls_reload(struct fr_tls *tls, struct fr_faults *faults);
void fr_tls_close(struct fr_tls *tls);
/* When the current certificate ends. */
time_t fr_tls_expiry(struct fr_tls *tls);
/* What the files had at fr_tls_open, NUL-terminated, until fr_tls_close; NULL of NULL. */
const char *fr_tls_certificate_text(const struct fr_tls *tls);
const char *fr_tls_key_text(const struct fr_tls *tls);

/* Gives the current pair to a connection, before its handshake; NULL on failure.  To be dropped
 * when the connection ends. */
struct fr_tls_pair *fr_tls_give(struct fr_tls *tls, struct gnutls_session_int *session);
void fr_tls_drop(struct fr_tls_pair *pair);

/* ---- deadline -------------------------------------------------------------------------- */

/* Deadlines of connections: for the headers of a request, its body, and the reading of its answer.
 *
 * MHD ends connections that are silent.  One that drips a byte at times is not, so the main thread
 * looks every second, and shuts down those that are late. */

struct fr_call;
struct fr_listener;

/* When a connection has begun, and before it ends. */
void fr_deadline_join(struct fr_call *call);
void fr_deadline_leave(struct fr_call *call);

/* The next headers must be there in time; after an answer, the connection may also be idle. */
void fr_deadline_for_headers(struct fr_call *call);
void fr_deadline_for_next(struct fr_call *call);
/* So many bytes of a body or an answer must pass at the least rate. */
void fr_deadline_for_bytes(struct fr_call *call, size_t bytes);
/* So many more bytes of the body have come: there is time for as many again. */
void fr_deadline_extend(struct fr_call *call, size_t bytes);
/* The daemon works: nothing is due. */
void fr_deadline_none(struct fr_call *call);

/* Shuts down the connections that are late; called every second. */
void fr_deadlines_check(struct fr_listener *listener);

/* ---- accept ---------------------------------------------------------------------------- */

/* The listening socket and the event loops behind it. */

struct fr_server;

/* Listens on server->config.listen and answers requests; the pool must run already.  NULL on
 * failure, logged.  End with fr_listener_drain, fr_pool_free, fr_listener_stop, in this order: a
 * request that a worker holds must be answered before the event loops end. */
struct fr_listener *fr_listener_start(struct fr_server *server);
/* "http://127.0.0.1:8080" or "https://…", with the actual port. */
const char *fr_listener_url(const struct fr_listener *listener);
/* Reads the certificate and the key again, for new connections; faults are logged and change
 * nothing, and the answer is false. */
bool fr_listener_reload(struct fr_listener *listener);
/* Accepts no more connections and waits at most this long for the answers of current requests;
 * false if some are left. */
bool fr_listener_drain(struct fr_listener *listener, double timeout_s);
/* Closes all connections and frees the listener; accepts NULL. */
void fr_listener_stop(struct fr_listener *listener);

#endif
