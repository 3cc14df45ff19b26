/* Child programs: what they get, and what they may not do.  With an argument, this program is the
 * child that tries. */
#include "server/core/process.h"
#include "server/core/sandbox.h"
#include "tests/unit/support/check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAID_BYTES = 4096 };

static bool writes_at_start(void)
{
#ifdef __SANITIZE_THREAD__
    return true; /* the sandbox would end what the thread sanitizer does at the start */
#else
    return false;
#endif
}

/* Runs a program with an empty input and returns how it ended; `said` gets its output. */
static int run(char *const *arguments, char said[SAID_BYTES])
{
    char *const environment[] = { (char[]){ "PATH=/usr/bin:/bin" }, (char[]){ "LC_ALL=C" }, NULL };
    const int output = memfd_create("output", MFD_CLOEXEC);
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const struct fr_program program = { .arguments = arguments,
                                        .environment = environment,
                                        .input = input,
                                        .output = output,
                                        .error = output,
                                        .cpu_s = 10,
                                        .memory_bytes = (size_t)1 << 30,
                                        .file_bytes = 1 << 20 };
    int status = -1;
    ssize_t length;
    pid_t pid;

    assert_int_equal(fr_process_start(&program, &pid), 0);
    assert_true(fr_process_wait(pid, 10000, &status));
    length = pread(output, said, SAID_BYTES - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    close(output);
    close(input);
    return status;
}

static int run_shell(const char *script, const char *file, char said[SAID_BYTES])
{
    char text[512], name[256];
    char *const arguments[] = {
        (char[]){ "sh" }, (char[]){ "-c" }, text, (char[]){ "sh" }, name, NULL
    };

    snprintf(text, sizeof text, "%s", script);
    snprintf(name, sizeof name, "%s", file);
    return run(arguments, said);
}

static void a_child_reads_but_changes_no_file(void **state)
{
    char folder[] = "/tmp/forerun-test-XXXXXX", file[64], said[SAID_BYTES];
    struct stat before, after;
    int fd;
    static const char *const tries[] = {
        "echo more >>\"$1\"",     ": >\"$1\"",
        "echo new >\"$1.new\"",   "rm \"$1\"",
        "mv \"$1\" \"$1.moved\"", "chmod 0 \"$1\"",
        "touch -d @1 \"$1\"",     "mkdir \"$1.folder\"",
        "ln -s / \"$1.link\"",    "ln \"$1\" \"$1.hard\"",
        "mkfifo \"$1.pipe\"",     "truncate -s 0 \"$1\"",
    };

    (void)state;
    if (writes_at_start() || fr_sandbox_missing())
        skip();
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/file", folder);
    fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, "content\n", 8), 8);
    close(fd);
    assert_int_equal(stat(file, &before), 0);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const int status = run_shell(tries[i], file, said);

        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            fail_msg("%s did", tries[i]);
    }
    assert_int_equal(
        run_shell("cat \"$1\" && echo lost >/dev/null && sh -c 'echo child'", file, said), 0);
    assert_string_equal(said, "content\nchild\n");
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    assert_int_equal(after.st_size, 8);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is in it */
}

/* What the child finds. */
static int try_calls(void)
{
    struct io_uring_params ring = { 0 };

    for (int family = AF_UNIX; family <= AF_INET6; family++)
        if (socket(family, SOCK_STREAM, 0) >= 0 || errno != EPERM)
            printf("socket %d\n", family);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0 }) == 0)
        printf("socketpair\n");
    if (syscall(SYS_io_uring_setup, 1, &ring) >= 0)
        printf("io_uring\n");
    if (kill(getppid(), 0) == 0)
        printf("kill\n");
    printf("files");
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf(" %d", fd);
    printf("\n");
    return EXIT_SUCCESS;
}

static void a_child_opens_no_socket_and_reaches_no_other_process(void **state)
{
    char *const arguments[] = { (char[]){ "/proc/self/exe" }, (char[]){ "try" }, NULL };
    const int left_open = dup(STDERR_FILENO);
    char said[SAID_BYTES];
    int rules[2];

    (void)state;
    if (writes_at_start() || fr_sandbox_missing())
        skip();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, rules), 0);
    assert_int_equal(run(arguments, said), 0);
    /* Signals are confined from version 6 of Landlock on (Linux 6.12). */
    assert_true(strcmp(said, "files 0 1 2\n") == 0 || strcmp(said, "kill\nfiles 0 1 2\n") == 0);
    close(left_open);
    close(rules[0]);
    close(rules[1]);
}

static void the_caller_stays_free(void **state)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
}

static void a_program_that_cannot_start_says_why(void **state)
{
    static const struct {
        const char *path;
        int error;
    } cases[] = {
        { "/nowhere/program", ENOENT },
        { "no-program-of-this-name", ENOENT },
        { "/etc/passwd", EACCES },
        { "/", EACCES },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        char *const arguments[] = { name, NULL };
        char *const environment[] = { NULL };
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        const struct fr_program program = { .arguments = arguments,
                                            .environment = environment,
                                            .input = nothing,
                                            .output = nothing,
                                            .error = nothing };
        pid_t pid = -1;

        snprintf(name, sizeof name, "%s", cases[i].path);
        assert_int_equal(fr_process_start(&program, &pid), cases[i].error);
        assert_int_equal(pid, -1);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
        close(nothing);
    }
}

static void a_child_has_default_signals_and_its_own_group(void **state)
{
    sigset_t blocked;
    char said[SAID_BYTES];
    int status;

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    status = run_shell("kill -PIPE $$", "", said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    status = run_shell("kill -TERM 0", "", said); /* its group, not that of the test */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    signal(SIGPIPE, SIG_DFL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_reads_but_changes_no_file),
        cmocka_unit_test(a_child_opens_no_socket_and_reaches_no_other_process),
        cmocka_unit_test(the_caller_stays_free),
        cmocka_unit_test(a_program_that_cannot_start_says_why),
        cmocka_unit_test(a_child_has_default_signals_and_its_own_group),
    };

    (void)argv;
    return argc > 1 ? try_calls() : cmocka_run_group_tests(tests, NULL, NULL);
}
