#include "server/core/process.h"
#include "server/core/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Limits the calling process, so that a program has its own limits from its first instruction on.
 */
static void limit(const struct fr_program *program)
{
    /* SIGXCPU at the first limit, SIGKILL at the second. */
    const struct rlimit cpu = { program->cpu_s, program->cpu_s + 1 };
    const struct rlimit memory = { program->memory_bytes, program->memory_bytes };
    const struct rlimit file = { program->file_bytes, program->file_bytes };
    const struct rlimit core = { 0, 0 };

    setrlimit(RLIMIT_CPU, &cpu);
    if (!HAS_SHADOW)
        setrlimit(RLIMIT_AS, &memory);
    if (!WRITES_AT_START)
        setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
    if (program->niceness)
        setpriority(PRIO_PROCESS, 0, program->niceness);
}

static void take_file(int from, int to)
{
    /* dup2 of a descriptor to itself would leave it to be closed. */
    if (from == to)
        fcntl(to, F_SETFD, 0);
    else
        dup2(from, to);
}

/* Everything from this descriptor on is closed by exec. */
static void close_from(int first)
{
    const long most = sysconf(_SC_OPEN_MAX);

    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = first; fd < most; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* The child between vfork and exec: it has the memory of the daemon, so it calls the kernel and
 * changes nothing.  Writes an errno to `report` if it fails. */
static _Noreturn void become(const struct fr_program *program, const char *path,
                             const struct fr_sandbox *sandbox, int report)
{
    sigset_t none;
    int error;

    limit(program); /* first: the sandbox refuses the call */
    error = WRITES_AT_START ? 0 : fr_sandbox_enter(sandbox);
    setpgid(0, 0);
    take_file(program->input, STDIN_FILENO);
    take_file(program->output, STDOUT_FILENO);
    take_file(program->error, STDERR_FILENO);
    if (program->extra)
        take_file(program->extra, STDERR_FILENO + 1);
    close_from(STDERR_FILENO + (program->extra ? 2 : 1));
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!error) {
        execve(path, program->arguments, program->environment);
        error = errno;
    }
    if (write(report, &error, sizeof error) != sizeof error)
        _exit(126);
    _exit(127);
}

/* The end of a pipe, above the descriptors that a child gets. */
static int lift(int fd)
{
    const int lifted = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 2);

    close(fd);
    return lifted;
}

/* The file of a program: a name without a slash is looked up in PATH. */
static int find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    int error = ENOENT;

    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return 0;
    }
    for (size_t length; folders && *folders; folders += length + (folders[length] == ':')) {
        length = strcspn(folders, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", length ? (int)length : 1, length ? folders : ".", name);
        if (access(path, X_OK) == 0)
            return 0;
        if (errno == EACCES)
            error = EACCES;
    }
    return error;
}

/* Starts the program in its sandbox; 0 or an errno. */
static int start_confined(const struct fr_program *program, const char *path,
                          const struct fr_sandbox *sandbox, pid_t *pid)
{
    sigset_t all, before;
    int ends[2], error;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    ends[1] = lift(ends[1]);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    child = vfork();
    if (child == 0)
        become(program, path, sandbox, ends[1]);
    error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child > 0 && read(ends[0], &error, sizeof error) == sizeof error)
        waitpid(child, NULL, 0);
    close(ends[0]);
    if (!error)
        *pid = child;
    return error;
}

int fr_process_start(const struct fr_program *program, pid_t *pid)
{
    struct fr_sandbox sandbox;
    char path[PATH_MAX];
    int error = find_program(program->arguments[0], path);

    if (!error)
        error = fr_sandbox_make(&sandbox, path, program->extra, program->folders);
    if (error)
        return error;
    error = start_confined(program, path, &sandbox, pid);
    fr_sandbox_drop(&sandbox);
    return error;
}

static void reap(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
}

bool fr_process_wait(pid_t pid, struct fr_clock *clock, unsigned deadline_ms, int *status)
{
    const uint64_t deadline_ns = fr_clock_in_ms(clock, deadline_ms);
    struct pollfd end = { .fd = pidfd_open(pid, 0), .events = POLLIN };
    siginfo_t ended;
    int ready = -1;

    /* Without pidfd_open (old kernels) only the limit on processor time ends the process. */
    while (end.fd < 0 && ready < 0)
        ready = waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) == 0 || errno != EINTR ? 1 : -1;
    while (ready < 0) {
        ready = fr_clock_poll(clock, &end, 1, deadline_ns);
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
