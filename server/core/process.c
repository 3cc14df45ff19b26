#include "server/core/process.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

int fr_process_left_ms(const struct timespec *deadline)
{
    struct timespec now;
    long long left;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (deadline->tv_sec - now.tv_sec) * 1000LL + (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return left > INT_MAX ? INT_MAX : left > 0 ? (int)left : 0;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SHADOW = 1 }; /* sanitizers reserve terabytes of addresses, in child programs too */
#else
enum { HAS_SHADOW = 0 };
#endif
/* The thread sanitizer writes a file in every program that it starts. */
#if defined(__SANITIZE_THREAD__)
enum { WRITES_AT_START = 1 };
#else
enum { WRITES_AT_START = 0 };
#endif

static void limit(pid_t pid, const struct fr_program *program)
{
    /* SIGXCPU at the first limit, SIGKILL at the second. */
    const struct rlimit cpu = { program->cpu_s, program->cpu_s + 1 };
    const struct rlimit memory = { program->memory_bytes, program->memory_bytes };
    const struct rlimit file = { program->file_bytes, program->file_bytes };
    const struct rlimit core = { 0, 0 };

    prlimit(pid, RLIMIT_CPU, &cpu, NULL);
    if (!HAS_SHADOW)
        prlimit(pid, RLIMIT_AS, &memory, NULL);
    if (!WRITES_AT_START)
        prlimit(pid, RLIMIT_FSIZE, &file, NULL);
    prlimit(pid, RLIMIT_CORE, &core, NULL);
    if (program->niceness)
        setpriority(PRIO_PROCESS, (id_t)pid, program->niceness);
}

int fr_process_start(const struct fr_program *program, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, program->input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, program->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, program->error, STDERR_FILENO);
    if (program->extra)
        posix_spawn_file_actions_adddup2(&actions, program->extra, STDERR_FILENO + 1);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + (program->extra ? 2 : 1));
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    error = posix_spawnp(pid, program->arguments[0], &actions, &attributes, program->arguments,
                         program->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (!error)
        limit(*pid, program);
    return error;
}

static void reap(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
}

bool fr_process_wait(pid_t pid, unsigned deadline_ms, int *status)
{
    const struct timespec deadline = fr_process_deadline(deadline_ms);
    struct pollfd end = { .fd = pidfd_open(pid, 0), .events = POLLIN };
    siginfo_t ended;
    int ready = -1;

    /* Without pidfd_open (old kernels) only the limit on processor time ends the process. */
    while (end.fd < 0 && ready < 0)
        ready = waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) == 0 || errno != EINTR ? 1 : -1;
    while (ready < 0) {
        ready = poll(&end, 1, fr_process_left_ms(&deadline));
        if (ready < 0 && errno != EINTR)
            ready = 0;
    }
    /* Also what it started.  The process is not reaped yet, so the number of the group is its own.
     */
    kill(-pid, SIGKILL);
    if (end.fd >= 0)
        close(end.fd);
    reap(pid, status);
    return ready > 0;
}

void fr_process_end(pid_t pid, int *status)
{
    kill(-pid, SIGKILL);
    reap(pid, status);
}
