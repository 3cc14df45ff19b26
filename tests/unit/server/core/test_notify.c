/* What systemd hears of the daemon. */
#include "server/core/process.h"
#include "tests/unit/support/check.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket with an abstract name, which `said` ("@...") gets. */
static int listen_abstractly(char said[64])
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int length = snprintf(said, 64, "@forerun-notify-%ld", (long)getpid());

    memcpy(address.sun_path + 1, said + 1, (size_t)length - 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length)),
                     0);
    return fd;
}

TEST(states_arrive_one_by_one)
{
    char name[64], got[64] = "";
    const int fd = listen_abstractly(name);

    setenv("NOTIFY_SOCKET", name, 1);
    fr_notify("READY=1");
    fr_notify("WATCHDOG=1");
    assert_int_equal(recv(fd, got, sizeof got, 0), 7);
    assert_memory_equal(got, "READY=1", 7);
    assert_int_equal(recv(fd, got, sizeof got, 0), 10);
    assert_memory_equal(got, "WATCHDOG=1", 10);
    for (const char *const *bad = (const char *const[]){ "", "relative", "@", NULL }; *bad; bad++) {
        setenv("NOTIFY_SOCKET", *bad, 1);
        fr_notify("READY=1");
    }
    unsetenv("NOTIFY_SOCKET");
    fr_notify("READY=1");
    assert_int_equal(recv(fd, got, sizeof got, 0), -1);
    close(fd);
}

TEST(a_watchdog_is_for_the_process_that_it_names)
{
    char pid[24];

    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    assert_false(fr_notify_has_watchdog());
    setenv("WATCHDOG_USEC", "60000000", 1);
    assert_true(fr_notify_has_watchdog());
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("WATCHDOG_PID", pid, 1);
    assert_true(fr_notify_has_watchdog());
    setenv("WATCHDOG_PID", "1", 1);
    assert_false(fr_notify_has_watchdog());
}
