/* One gnuplot program: started, limited, waited for. */
#include "chart/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPU_S = 10 };
static const rlim_t memory_limit_bytes = 1 << 30;

struct timespec fr_process_deadline(unsigned milliseconds)
{
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_sec += milliseconds / 1000;
    when.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (when.tv_nsec >= 1000000000) {
        when.tv_nsec -= 1000000000;
        when.tv_sec++;
    }
    return when;
}

static int left_ms(const struct timespec *deadline)
{
    struct timespec now;
    long long left;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (deadline->tv_sec - now.tv_sec) * 1000LL + (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (int)left : 0;
}

int fr_process_start(int input, int output, int complaint, pid_t *pid)
{
    char *const arguments[] = { (char[]){ "gnuplot" }, (char[]){ "-d" }, (char[]){ "-" }, NULL };
    /* C.UTF-8 writes numbers as C does; in C itself gnuplot complains about its degree sign. */
    char *const environment[] = { (char[]){ "LC_ALL=C.UTF-8" }, (char[]){ "PATH=/usr/bin:/bin" },
                                  NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaint, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

void fr_process_limit(pid_t pid, size_t file_bytes)
{
    const struct rlimit cpu = { CPU_S, CPU_S };
    const struct rlimit memory = { memory_limit_bytes, memory_limit_bytes };
    const struct rlimit file = { file_bytes, file_bytes };
    const struct rlimit core = { 0, 0 };

    prlimit(pid, RLIMIT_CPU, &cpu, NULL);
    prlimit(pid, RLIMIT_AS, &memory, NULL);
    prlimit(pid, RLIMIT_FSIZE, &file, NULL);
    prlimit(pid, RLIMIT_CORE, &core, NULL);
}

bool fr_process_wait(pid_t pid, unsigned deadline_ms, int *status)
{
    const struct timespec deadline = fr_process_deadline(deadline_ms);
    struct pollfd end = { .fd = pidfd_open(pid, 0), .events = POLLIN };
    /* Where the kernel is too old for pidfd_open, the limit on processor time must do. */
    int ready = end.fd < 0 ? 1 : -1;

    while (ready < 0) {
        ready = poll(&end, 1, left_ms(&deadline));
        if (ready < 0 && errno != EINTR)
            ready = 0;
    }
    if (ready == 0)
        kill(pid, SIGKILL);
    if (end.fd >= 0)
        close(end.fd);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return ready > 0;
}
