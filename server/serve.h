/* Starting and stopping the daemon. */
#ifndef FR_SERVE_H
#define FR_SERVE_H

#include "server/http/server.h"

/* Starts the components that `config` requires.  On failure, logs the reason and leaves nothing
 * running.  Stop with fr_server_stop. */
int fr_server_start(struct fr_server *server, const struct fr_config *config);
/* Rereads the configuration file. */
void fr_server_reload(struct fr_server *server);
/* Once in a second ends late connections.  Called every FR_SERVER_TICK_MS; does not use the store.
 */
enum { FR_SERVER_TICK_MS = 100 };
void fr_server_tick(struct fr_server *server);
/* Lets current requests finish, then stops all components in reverse order. */
void fr_server_stop(struct fr_server *server);

#endif
