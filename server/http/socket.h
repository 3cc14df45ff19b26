/* The listening socket: one of its own, or one that systemd passes and keeps open over restarts. */
#ifndef FR_SOCKET_H
#define FR_SOCKET_H

#include "server/core/log.h"

#include <stdbool.h>
#include <stddef.h>

struct fr_socket {
    int fd; /* listens, does not block, is closed in child programs */
    bool is_passed;
};

/* Takes the socket of LISTEN_FDS and LISTEN_PID (sd_listen_fds(3)), or listens on `listen_on`
 * (`ADDR:PORT`, `[ADDR]:PORT`).  False with the reason in the log. */
bool fr_socket_open(const char *listen_on, struct fr_log *log, struct fr_socket *out);
/* "http://127.0.0.1:8080" for the scheme `http`; false if the socket has no such address. */
bool fr_socket_url(int fd, const char *scheme, char *url, size_t size);

#endif
