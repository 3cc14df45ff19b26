/* A thread that notices what other connections have written (other daemons, `forerund import`), so
 * that the caches follow, and records once in a second whether the store answers.  A store that
 * hangs holds it up, and nothing else. */
#ifndef FR_WATCH_H
#define FR_WATCH_H

#include <stdbool.h>

struct fr_server;
struct fr_store;
struct fr_watch;

/* Takes over the store, and knows what is written from now on.  NULL on failure, logged; then the
 * store is closed. */
struct fr_watch *fr_watch_new(struct fr_server *server, struct fr_store *store);
/* Starts the thread; from now on the store is its own.  False on failure, logged. */
bool fr_watch_start(struct fr_watch *watch);
/* Whether it has waited for longer than a database may need: for a lock, or a disk that hangs. */
bool fr_watch_is_stuck(const struct fr_watch *watch);
/* Ends the thread and closes the store; NULL is allowed. */
void fr_watch_stop(struct fr_watch *watch);

#endif
