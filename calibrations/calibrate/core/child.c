/* Runs a program with its standard output in a pipe and a time limit. */
#include "calibrations/calibrate/core/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/sample.h"

enum { OUTPUT_MAX = 64 << 20, KEPT_MAX = 16 };

/* Removes the variables by which an MPI launcher identifies its ranks: an MPI library in the child
 * would wait for the other ranks. */
static void keep_environment(char *kept[KEPT_MAX + 1])
{
    static const char *const names[] = {
        "PATH", "HOME", "USER", "TMPDIR", "LD_LIBRARY_PATH", "OPENBLAS_CORETYPE"
    };
    int count = 0;

    for (char **variable = environ; *variable; variable++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const size_t length = strlen(names[i]);

            if (strncmp(*variable, names[i], length) == 0 && (*variable)[length] == '=' &&
                count < KEPT_MAX)
                kept[count++] = *variable;
        }
    kept[count] = NULL;
}

static int start(const char *path, char *const arguments[], int out, pid_t *child)
{
    char *environment[KEPT_MAX + 1];
    posix_spawn_file_actions_t actions;
    int error;

    keep_environment(environment);
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawn(child, path, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads until end of file.  Returns NULL with a reason on failure. */
static char *gather(int in, double until_s, size_t *length, const char **why)
{
    size_t room = 1 << 16;
    char *text = (malloc)(room);

    *length = 0;
    *why = "out of memory for its output";
    while (text) {
        struct pollfd ready = { .fd = in, .events = POLLIN };
        const double left_s = until_s - fr_stopwatch_s();
        ssize_t got;

        *why = "it takes too long";
        if (left_s <= 0 || poll(&ready, 1, (int)fmin(1e3 * left_s + 1, 1e6)) < 0)
            break;
        if (!ready.revents)
            continue;
        got = read(in, text + *length, room - *length - 1);
        if (got == 0)
            return text;
        *why = "it prints too much";
        if (got < 0 || *length + (size_t)got >= OUTPUT_MAX)
            break;
        *length += (size_t)got;
        if (room - *length < 2) {
            char *grown = (realloc)(text, room *= 2);

            if (!grown)
                break;
            text = grown;
        }
    }
    (free)(text);
    return NULL;
}

char *fr_child_run(const char *path, char *const arguments[], double limit_s, size_t *length,
                   char why[FR_CHILD_WHY_BYTES])
{
    const double until_s = fr_stopwatch_s() + fmin(limit_s, 1e6);
    int pipes[2], error, status = 0;
    const char *reason = "";
    char *text = NULL;
    pid_t child;

    if (pipe2(pipes, O_CLOEXEC)) {
        snprintf(why, FR_CHILD_WHY_BYTES, "%s", strerror(errno));
        return NULL;
    }
    error = start(path, arguments, pipes[1], &child);
    close(pipes[1]);
    if (error)
        snprintf(why, FR_CHILD_WHY_BYTES, "%.100s: %s", path, strerror(error));
    else if (!(text = gather(pipes[0], until_s, length, &reason))) {
        snprintf(why, FR_CHILD_WHY_BYTES, "%.100s: %s", path, reason);
        kill(child, SIGKILL);
    }
    close(pipes[0]);
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (text && !*length) {
        snprintf(why, FR_CHILD_WHY_BYTES, "%.100s: it ends without a result, %s %d", path,
                 WIFSIGNALED(status) ? "by signal" : "with status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        (free)(text);
        return NULL;
    }
    if (text)
        text[*length] = '\0';
    return text;
}
