/* Child programs: what they get, and what they may not do.  With an argument, this program is the
 * child that tries. */
#include "server/core/process.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAID_BYTES = 4096, DEADLINE_MS = 120000 };

#if defined(__SANITIZE_THREAD__)
enum { IS_FREE = 1, MAY_FORK = 1 }; /* the sandbox would end what the sanitizer does at the start */
#elif defined(__SANITIZE_ADDRESS__)
enum { IS_FREE = 0, MAY_FORK = 1 }; /* it looks for leaks in another process */
#else
enum { IS_FREE = 0, MAY_FORK = 0 };
#endif

/* A folder with a file in it, and a script. */
struct place {
    char folder[64], file[80], script[80];
};

static void write_file(const char *path, const char *text, mode_t mode)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static int make_place(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    assert_non_null(place);
    snprintf(place->folder, sizeof place->folder, "/tmp/forerun-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/file", place->folder);
    snprintf(place->script, sizeof place->script, "%s/script", place->folder);
    write_file(place->file, "content\n", 0600);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;

    unlink(place->script);
    assert_int_equal(unlink(place->file), 0);
    assert_int_equal(rmdir(place->folder), 0); /* nothing else is in it */
    free(place);
    return 0;
}

/* Starts a program with an empty input. */
static pid_t start(char *const *arguments, const char *folders, int extra, int output)
{
    char *const environment[] = { (char[]){ "PATH=/usr/bin:/bin" }, (char[]){ "LC_ALL=C" }, NULL };
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const struct fr_program program = { .arguments = arguments,
                                        .environment = environment,
                                        .input = input,
                                        .output = output,
                                        .error = output,
                                        .extra = extra,
                                        .folders = folders,
                                        .cpu_s = 10,
                                        .memory_bytes = (size_t)1 << 30,
                                        .file_bytes = 1 << 20 };
    pid_t pid = -1;

    assert_int_equal(fr_process_start(&program, &pid), 0);
    close(input);
    return pid;
}

/* Runs a program and returns how it ended; `said` gets its output. */
static int run(char *const *arguments, const char *folders, int extra, char said[SAID_BYTES])
{
    const int output = memfd_create("output", MFD_CLOEXEC);
    const pid_t pid = start(arguments, folders, extra, output);
    int status = -1;
    ssize_t length;

    assert_true(fr_process_wait(pid, NULL, DEADLINE_MS, &status));
    length = pread(output, said, SAID_BYTES - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    close(output);
    return status;
}

/* Runs a script, whose first argument is the file of the place. */
static int run_script(struct place *place, const char *text, const char *folders,
                      char said[SAID_BYTES])
{
    char *const arguments[] = { place->script, place->file, NULL };
    char script[1024];

    snprintf(script, sizeof script, "#!/bin/sh\n%s\n", text);
    write_file(place->script, script, 0700);
    return run(arguments, folders, 0, said);
}

static bool succeeded(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#define IN_PLACE(name) TEST_OF(name, struct place *place, make_place, remove_place)

/* Sanitizers reserve addresses, and one of them writes a file in every program. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OTHER_LIMITS ""
#define OTHER_VALUES ""
#else
#define OTHER_LIMITS "ulimit -v; ulimit -f;"
#define OTHER_VALUES "1048576\n2048\n"
#endif

IN_PLACE(a_child_has_its_limits)
{
    char said[SAID_BYTES];
    const int status = run_script(place, OTHER_LIMITS "ulimit -t; ulimit -c", NULL, said);

    assert_true(succeeded(status));
    assert_string_equal(said, OTHER_VALUES "10\n0\n");
}

IN_PLACE(a_child_changes_no_file)
{
    struct stat before, after;
    char said[SAID_BYTES];
    static const char *const tries[] = {
        "echo more >>\"$1\"",     ": >\"$1\"",
        "echo new >\"$1.new\"",   "rm \"$1\"",
        "mv \"$1\" \"$1.moved\"", "chmod 0 \"$1\"",
        "touch -d @1 \"$1\"",     "mkdir \"$1.folder\"",
        "ln -s / \"$1.link\"",    "ln \"$1\" \"$1.hard\"",
        "mkfifo \"$1.pipe\"",     "truncate -s 0 \"$1\"",
    };

    if (IS_FREE || fr_sandbox_missing())
        skip();
    assert_int_equal(stat(place->file, &before), 0);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if (succeeded(run_script(place, tries[i], place->folder, said)))
            fail_msg("%s did", tries[i]);
    assert_int_equal(stat(place->file, &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    assert_int_equal(after.st_size, before.st_size);
}

IN_PLACE(a_child_reads_what_it_is_shown)
{
    char said[SAID_BYTES], folders[128];

    if (IS_FREE || fr_sandbox_missing())
        skip();
    assert_false(succeeded(run_script(place, "cat \"$1\"", NULL, said)));
    assert_non_null(strstr(said, "Permission denied"));
    assert_false(succeeded(run_script(place, "cat /etc/shadow", place->folder, said)));
    assert_false(succeeded(run_script(place, "ls \"${1%/*}/..\"", place->folder, said)));
    snprintf(folders, sizeof folders, "/nowhere::%s", place->folder);
    assert_true(succeeded(run_script(
        place, "cat \"$1\" && echo lost >/dev/null && sh -c 'echo child'", folders, said)));
    assert_string_equal(said, "content\nchild\n");
}

/* ---- a program that is no script ---- */

static void *nothing(void *argument)
{
    return argument;
}

/* Prints what it can do that it should not, and the files that it has. */
static int try_calls(const char *file)
{
    struct io_uring_params ring = { 0 };
    struct rlimit limit = { 8, 8 };
    char *const arguments[] = { (char[]){ "true" }, NULL };
    pthread_t thread;
    pid_t pid;

    for (int family = AF_UNIX; family <= AF_INET6; family++)
        if (socket(family, SOCK_STREAM, 0) >= 0 || errno != EPERM)
            printf("socket %d\n", family);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0 }) == 0)
        printf("socketpair\n");
    if (syscall(SYS_io_uring_setup, 1, &ring) >= 0)
        printf("io_uring\n");
    if (kill(getppid(), 0) == 0)
        printf("kill\n");
    if (prlimit(getppid(), RLIMIT_CORE, &limit, NULL) == 0)
        printf("prlimit\n");
    if (open(file, O_RDONLY) >= 0 || errno != EACCES)
        printf("open\n");
    if (truncate(file, 0) == 0 || errno != EPERM)
        printf("truncate\n");
    for (long call = 463; call <= 469; call += 3) /* setxattrat, removexattrat, file_setattr */
        if (syscall(call, AT_FDCWD, file, 0, "user.x", NULL, 0) == 0 || errno != EPERM)
            printf("call %ld\n", call);
    if (!MAY_FORK && (fork() >= 0 || errno != EPERM))
        printf("fork\n");
    if (!MAY_FORK && posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environ) == 0)
        printf("spawn\n");
    if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
        printf("no thread\n");
    if (setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }) != 0)
        printf("no limit of its own\n");
    printf("files");
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf(" %d", fd);
    printf("\n");
    fflush(stdout);
    execv("/bin/true", arguments);
    printf("exec: %s\n", strerrorname_np(errno));
    return EXIT_SUCCESS;
}

IN_PLACE(a_child_reads_what_programs_need_of_usr)
{
    char said[SAID_BYTES];

    if (IS_FREE || fr_sandbox_missing())
        skip();
    run_script(*state,
               "reads() { [ ! -d $1 ] || ls $1 >/dev/null 2>&1; }\ncd /usr\n"
               "for folder in bin lib libexec share local/bin local/lib local/share; do\n"
               "reads $folder || echo \"$folder is closed\"\ndone\n"
               "for folder in . include src local local/etc local/src; do\n"
               "[ ! -d $folder ] || ! reads $folder || echo \"$folder is open\"\ndone",
               NULL, said);
    assert_string_equal(said, "");
}

/* A daemon has its database open, besides its sockets. */
IN_PLACE(a_child_opens_no_socket_and_reaches_no_other_process)
{
    char *const arguments[] = { (char[]){ "/proc/self/exe" }, (char[]){ "try" }, place->file,
                                NULL };
    const int left_open = open(place->file, O_RDWR);
    char said[SAID_BYTES];
    const char *rest;
    int pair[2];

    if (IS_FREE || fr_sandbox_missing())
        skip();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(run(arguments, NULL, 0, said), 0);
    /* Signals are confined from version 6 of Landlock on (Linux 6.12). */
    rest = strncmp(said, "kill\n", 5) == 0 ? said + 5 : said;
    assert_string_equal(rest, "files 0 1 2\nexec: EACCES\n");
    close(left_open);
    close(pair[0]);
    close(pair[1]);
}

/* Prints what is in its extra file, and whether it reaches a file of its parent. */
static int read_extra(const char *parents)
{
    char text[16] = "";
    const int extra = open(FR_EXTRA_PATH, O_RDONLY);

    if (extra < 0 || read(extra, text, sizeof text - 1) < 0)
        printf("%s\n", strerrorname_np(errno));
    if (open(parents, O_RDONLY) >= 0)
        printf("%s\n", parents);
    printf("%s", text);
    return EXIT_SUCCESS;
}

IN_PLACE(a_child_reads_its_extra_file_and_none_of_its_parent)
{
    char parents[64];
    char *const arguments[] = { (char[]){ "/proc/self/exe" }, (char[]){ "extra" }, parents, NULL };
    const int files[] = { open(place->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600),
                          memfd_create("extra", MFD_CLOEXEC) };
    const int parents_file = open(place->file, O_RDONLY | O_CLOEXEC);
    char said[SAID_BYTES];

    snprintf(parents, sizeof parents, "/proc/%ld/fd/%d", (long)getpid(), parents_file);
    if (IS_FREE || fr_sandbox_missing())
        skip();
    for (size_t i = 0; i < 2; i++) {
        if (files[i] < 0) /* not every file system has O_TMPFILE */
            continue;
        assert_int_equal(write(files[i], "extra\n", 6), 6);
        assert_int_equal(run(arguments, NULL, files[i], said), 0);
        assert_string_equal(said, "extra\n");
        close(files[i]);
    }
    close(parents_file);
}

/* ---- older kernels ---- */

/* Has this process find no Landlock from now on. */
static bool forget_landlock(void)
{
    struct sock_filter calls[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = { sizeof calls / sizeof *calls, calls };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

IN_PLACE(without_landlock_programs_run_and_it_is_told)
{
    int status = -1;
    pid_t pid;

    if (IS_FREE || fr_sandbox_missing())
        skip();
    pid = fork();
    if (pid == 0) {
        char *const arguments[] = { (char[]){ "cat" }, place->file, NULL };
        char said[SAID_BYTES];

        if (!forget_landlock() || strcmp(fr_sandbox_missing(), "Landlock") != 0)
            _exit(1);
        _exit(succeeded(run(arguments, NULL, 0, said)) && strcmp(said, "content\n") == 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(succeeded(status));
}

/* ---- start and end ---- */

IN_PLACE(the_caller_stays_free)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    close(fd);
    write_file(place->file, "content\n", 0600);
}

TEST(a_program_that_cannot_start_says_why)
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

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        char *const arguments[] = { name, NULL };
        char *const environment[] = { NULL };
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        const struct fr_program program = { .arguments = arguments,
                                            .environment = environment,
                                            .input = null,
                                            .output = null,
                                            .error = null,
                                            .cpu_s = 10,
                                            .memory_bytes = 1 << 30 };
        pid_t pid = -1;

        snprintf(name, sizeof name, "%s", cases[i].path);
        assert_int_equal(fr_process_start(&program, &pid), cases[i].error);
        assert_int_equal(pid, -1);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
        close(null);
    }
}

IN_PLACE(a_child_has_default_signals_and_its_own_group)
{
    sigset_t blocked;
    char said[SAID_BYTES];
    int status;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    status = run_script(place, "kill -PIPE $$", NULL, said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    status = run_script(place, "kill -TERM 0", NULL, said); /* its group, not that of the test */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    signal(SIGPIPE, SIG_DFL);
}

TEST(a_child_has_the_environment_that_it_is_given)
{
    char *const arguments[] = { (char[]){ "env" }, NULL };
    char said[SAID_BYTES];

    setenv("FR_SECRET", "x", 1);
    assert_int_equal(run(arguments, NULL, 0, said), 0);
    assert_string_equal(said, "PATH=/usr/bin:/bin\nLC_ALL=C\n");
}

/* Each process holds an end of the pipe, which has more to say until the last has ended. */
IN_PLACE(what_a_script_started_ends_with_it)
{
    static const char *const scripts[] = {
        "#!/bin/sh\nsleep 1000 &\necho started\n",
        "#!/bin/sh\nsleep 1000 &\necho started\nsleep 1000\n",
    };
    char *const arguments[] = { place->script, NULL };

    for (int is_late = 0; is_late < 2; is_late++) {
        struct moved_clock clock;
        char said[16];
        int ends[2], status;
        struct pollfd end = { .events = POLLIN };
        pid_t pid;

        moved_clock_init(&clock);
        clock.jumps = is_late;
        write_file(place->script, scripts[is_late], 0700);
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        pid = start(arguments, NULL, 0, ends[1]);
        close(ends[1]);
        assert_int_equal(read(ends[0], said, sizeof said), strlen("started\n"));
        assert_true(fr_process_wait(pid, &clock.clock, DEADLINE_MS, &status) == !is_late);
        end.fd = ends[0];
        assert_int_equal(poll(&end, 1, DEADLINE_MS), 1);
        assert_int_equal(read(ends[0], said, sizeof said), 0);
        close(ends[0]);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return strcmp(argv[1], "try") == 0 ? try_calls(argv[2]) : read_extra(argv[2]);
    return unit_tests_run("test_process");
}
