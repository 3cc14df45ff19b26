/* The daemon seen from outside: its health, its upkeep, and the log of changes. */
#ifndef FR_SERVICE_SERVICE_H
#define FR_SERVICE_SERVICE_H

#include "server/core/config.h"
#include "server/http/server.h"
#include "server/json/writer.h"
#include "server/store/store.h"

#include <time.h>

/* One row of the audit log, for the API and for `forerund audit`. */

void fr_audit_write(struct fr_rows *rows, const struct fr_audit_entry *entry);

/* Looks for what keeps a daemon from working, or soon will. */

enum fr_finding { FR_FINDING_OK, FR_FINDING_WARNING, FR_FINDING_FAULT };

/* Writes a line for each check, `ok|warning|fault NAME: what was found; the remedy`, and returns
 * the gravest.  Changes nothing in the database.  `now` is the time of the clock that is judged. */
enum fr_finding fr_doctor(struct fr_config *config, time_t now, struct fr_log *log,
                          struct fr_writer *out);

/* Whether the daemon can answer, for /readyz and for /metrics. */

/* What keeps the daemon from answering, as a sentence; NULL: nothing.  `store` is a connection of
 * the calling thread. */
const char *fr_health_trouble(struct fr_server *server, struct fr_store *store);
/* Keeps the state of the store and the space on its disk for /metrics. */
void fr_health_record(struct fr_server *server, struct fr_store *store);

/* What the daemon does by itself, on a thread with a connection of its own, at its start and then
 * once a minute: it tells the store when tokens were last used, and deletes what the settings do
 * not keep, a few rows at a time. */

/* Rows of one transaction: others that write wait some milliseconds. */
enum { FR_UPKEEP_ROWS = 100 };

/* What the settings keep. */
struct fr_retention fr_upkeep_rules(struct fr_config *config);

/* NULL on failure, logged. */
struct fr_upkeep *fr_upkeep_start(struct fr_server *server);
/* Stores the uses of tokens and ends the thread; NULL is allowed. */
void fr_upkeep_stop(struct fr_upkeep *upkeep);

/* A thread that notices what other connections have written (other daemons, `forerund import`), so
 * that the caches follow, and records once in a second whether the store answers.  A store that
 * hangs holds it up, and nothing else. */

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
