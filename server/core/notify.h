/* Tells systemd the state of the daemon: sd_notify(3). */
#ifndef FR_NOTIFY_H
#define FR_NOTIFY_H

#include <stdbool.h>

/* Sends a state such as "READY=1" to the socket that the environment names; without one it does
 * nothing. */
void fr_notify(const char *state);
/* Whether systemd restarts this process unless "WATCHDOG=1" arrives now and then. */
bool fr_notify_has_watchdog(void);

#endif
