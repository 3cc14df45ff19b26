/* What the daemon does by itself, on a thread with a connection of its own, at its start and then
 * once a minute: it tells the store when tokens were last used, and deletes what the settings do
 * not keep, a few rows at a time. */
#ifndef FR_UPKEEP_H
#define FR_UPKEEP_H

struct fr_config;
struct fr_retention;
struct fr_server;
struct fr_upkeep;

/* Rows of one transaction: others that write wait some milliseconds. */
enum { FR_UPKEEP_ROWS = 100 };

/* What the settings keep. */
struct fr_retention fr_upkeep_rules(struct fr_config *config);

/* NULL on failure, logged. */
struct fr_upkeep *fr_upkeep_start(struct fr_server *server);
/* Stores the uses of tokens and ends the thread; NULL is allowed. */
void fr_upkeep_stop(struct fr_upkeep *upkeep);

#endif
