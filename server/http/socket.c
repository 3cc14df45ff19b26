/* Opens the listening socket, or takes the one that systemd passes. */
#include "server/http/listener.h"

#include "server/core/config.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024, FIRST_PASSED = 3 /* SD_LISTEN_FDS_START */ };

static int bind_to(const struct addrinfo *address)
{
    const int on = 1;
    const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* Accepted sockets inherit it: an answer is one piece and must not wait for a second. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    close(fd);
    return -1;
}

/* A listening socket, or -1, with the reason in the log. */
static int open_own(const char *listen_on, struct fr_log *log)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
    struct addrinfo *found = NULL;
    const char *port;
    char host[128];
    int error, fd;

    if (!fr_listen_split(listen_on, host, sizeof host, &port)) {
        fr_logf(log, FR_LOG_ERROR, "listen", "%s is not ADDR:PORT", listen_on);
        return -1;
    }
    error = getaddrinfo(host, port, &hints, &found);
    if (error) {
        fr_logf(log, FR_LOG_ERROR, "listen", "%s: %s", listen_on, gai_strerror(error));
        return -1;
    }
    fd = bind_to(found);
    if (fd < 0)
        fr_logf(log, FR_LOG_ERROR, "listen", "%s: %s", listen_on, strerror(errno));
    freeaddrinfo(found);
    return fd;
}

static bool is_listening_tcp(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address, size = sizeof(int);
    int listens = 0;

    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens &&
           getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
           (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

/* How many sockets are passed to this process; the variables are removed, so that they are read
 * once. */
static long count_passed(void)
{
    const char *count = getenv("LISTEN_FDS"), *pid = getenv("LISTEN_PID");
    const long passed =
        count && pid && strtol(pid, NULL, 10) == (long)getpid() ? strtol(count, NULL, 10) : 0;

    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDNAMES");
    return passed;
}

static bool take_passed(long count, struct fr_log *log)
{
    const int on = 1;

    if (count > 1) {
        fr_logf(log, FR_LOG_ERROR, "listen",
                "%ld sockets are passed; leave one ListenStream in the socket unit", count);
        return false;
    }
    if (!is_listening_tcp(FIRST_PASSED)) {
        fr_logf(log, FR_LOG_ERROR, "listen",
                "the passed socket does not listen for TCP; the socket unit needs "
                "ListenStream=ADDR:PORT and Accept=no");
        return false;
    }
    setsockopt(FIRST_PASSED, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    /* Several event loops accept: all but one find nothing. */
    return fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(FIRST_PASSED, F_SETFL, fcntl(FIRST_PASSED, F_GETFL) | O_NONBLOCK) == 0;
}

bool fr_socket_open(const char *listen_on, struct fr_log *log, struct fr_socket *out)
{
    const long passed = count_passed();
    int fd;

    if (passed > 0 && !take_passed(passed, log))
        return false;
    fd = passed > 0 ? FIRST_PASSED : open_own(listen_on, log);
    if (fd < 0)
        return false;
    *out = (struct fr_socket){ .fd = fd, .is_passed = passed > 0 };
    return true;
}

bool fr_socket_url(int fd, const char *scheme, char *url, size_t size)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[64], port[16];

    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0 ||
        getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return false;
    snprintf(url, size, strchr(host, ':') ? "%s://[%s]:%s" : "%s://%s:%s", scheme, host, port);
    return true;
}
