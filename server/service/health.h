/* Whether the daemon can answer, for /readyz and for /metrics. */
#ifndef FR_HEALTH_H
#define FR_HEALTH_H

#include "server/http/server.h"

/* What keeps the daemon from answering, as a sentence; NULL: nothing.  `store` is a connection of
 * the calling thread. */
const char *fr_health_trouble(struct fr_server *server, struct fr_store *store);
/* Keeps the state of the store and the space on its disk for /metrics. */
void fr_health_record(struct fr_server *server, struct fr_store *store);

#endif
