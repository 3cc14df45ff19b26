/* What the daemon does by itself once a minute, on a thread with a connection of its own: it tells
 * the store when tokens were last used. */
#ifndef FR_UPKEEP_H
#define FR_UPKEEP_H

struct fr_server;
struct fr_upkeep;

/* NULL on failure, logged. */
struct fr_upkeep *fr_upkeep_start(struct fr_server *server);
/* Does what is due, then ends the thread; NULL is allowed. */
void fr_upkeep_stop(struct fr_upkeep *upkeep);

#endif
