/* Starting and stopping the daemon. */
#ifndef FR_SERVE_H
#define FR_SERVE_H

#include "server/http/server.h"

/* Starts everything that `config` asks for; nothing is left running where it fails (logged).  End
 * with fr_server_stop. */
int fr_server_start(struct fr_server *server, const struct fr_config *config);
/* Reads the configuration file anew. */
void fr_server_reload(struct fr_server *server);
/* Takes over what another process (`forerund import`) has stored meanwhile; for every second. */
void fr_server_watch(struct fr_server *server);
/* Lets requests under way end, then stops everything in reverse. */
void fr_server_stop(struct fr_server *server);

#endif
