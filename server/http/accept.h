/* The listening socket and the event loops behind it. */
#ifndef FR_ACCEPT_H
#define FR_ACCEPT_H

#include <stdbool.h>

struct fr_server;
struct fr_listener;

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
