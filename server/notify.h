/* Telling the service manager how things stand. */
#ifndef FR_NOTIFY_H
#define FR_NOTIFY_H

/* Sends a state such as "READY=1" to $NOTIFY_SOCKET; does nothing where there is none. */
void fr_notify(const char *state);

#endif
