/* Resource limits, environment and last record of the analysis. */
#include "server/analyze/analyze.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SHADOW = 1 }; /* sanitizers reserve terabytes of address space */
#else
enum { HAS_SHADOW = 0 };
#endif

/* ---- environment ---- */

static const char *const unwanted[] = {
    "NREL",
    "NSUP",
    "FILL",
    "N_GEMM",
    "SUPERLU_RELAX",
    "SUPERLU_MAXSUP",
    "SUPERLU_FILL",
    "SUPERLU_N_GEMM",
    "SUPERLU_LBS",
    "SUPERLU_NUM_LOOKAHEADS",
    "SUPERLU_RANKORDER",
    "SUPERLU_MAX_BUFFER_SIZE",
    "SUPERLU_ACC_OFFLOAD",
    "SUPERLU_NUM_GPU_STREAMS",
    "SUPERLU_MPI_PROCESS_PER_GPU",
};
enum { UNWANTED = sizeof unwanted / sizeof *unwanted };

static const struct {
    const char *name, *value;
} threads[] = { { "OMP_NUM_THREADS", "1" }, { "OPENBLAS_NUM_THREADS", "1" } };

/* MPI in one process: no other processes, sockets, shared memory or folders. */
static const struct {
    const char *name, *value;
} alone[] = {
    { "OMPI_MCA_ess_singleton_isolated", "1" },
    { "OMPI_MCA_btl", "self" },
    { "OMPI_MCA_pml", "ob1" },
    { "OMPI_MCA_osc", "^ucx" },
    { "OMPI_MCA_shmem", "mmap" },
    { "OMPI_MCA_opal_signal", "" },
    { "OMPI_MCA_orte_create_session_dirs", "0" },
    { "HWLOC_COMPONENTS", "-gl,-opencl" },
    { "LC_ALL", "C" },
};

static const char under_mpirun[] = "OMPI_COMM_WORLD_SIZE";

void fr_limits_environment(char **arguments, bool is_cleared)
{
    bool is_late = false;

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        const char *value = getenv(threads[i].name);

        is_late |= !value || strcmp(value, threads[i].value) != 0;
    }
    if (is_cleared)
        clearenv();
    for (int i = 0; i < UNWANTED; i++)
        unsetenv(unwanted[i]);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        setenv(threads[i].name, threads[i].value, 1);
    for (size_t i = 0; !getenv(under_mpirun) && i < sizeof alone / sizeof *alone; i++)
        setenv(alone[i].name, alone[i].value, 1);
    if (is_late)
        execv("/proc/self/exe", arguments);
}

/* ---- limits ---- */

static rlim_t memory_limit;
static long cpu_limit;

static bool limit(int what, rlim_t soft, rlim_t hard)
{
    struct rlimit now;

    if (getrlimit(what, &now) != 0)
        return false;
    if (now.rlim_max != RLIM_INFINITY && hard > now.rlim_max)
        hard = now.rlim_max;
    now = (struct rlimit){ soft < hard ? soft : hard, hard };
    return setrlimit(what, &now) == 0;
}

/* A user may redirect the records to a file; the daemon reads them from a pipe. */
static bool is_file(int descriptor)
{
    struct stat status;

    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/* ---- last record ---- */

enum { LAST_BYTES = 512, STATUS_BYTES = 4096 };

/* Prepared in advance, so that a signal handler only writes them. */
static char too_large[LAST_BYTES], too_slow[LAST_BYTES];
static volatile sig_atomic_t out = -1;

/* The peak address space, from /proc; 0 if not known. */
static unsigned long long peak_bytes(void)
{
    static const char key[] = "VmPeak:";
    char text[STATUS_BYTES];
    unsigned long long kilobytes = 0;
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    const char *at;

    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    at = strstr(text, key);
    for (at = at ? at + sizeof key - 1 : ""; *at == ' ' || *at == '\t'; at++)
        ;
    for (; *at >= '0' && *at <= '9'; at++)
        kilobytes = 10 * kilobytes + (unsigned)(*at - '0');
    return 1024 * kilobytes;
}

static void say(const char *text)
{
    const int to = out;

    out = -1;
    if (to >= 0 && *text && write(to, text, strlen(text)) < 0)
        return;
}

/* Libraries double their arrays, so that a failure usually occurs with half the limit in use. */
static void say_if_too_large(void)
{
    if (memory_limit && peak_bytes() >= memory_limit / 2)
        say(too_large);
}

static void on_signal(int number)
{
    if (number == SIGXCPU)
        say(too_slow);
    else
        say_if_too_large();
    signal(number, SIG_DFL);
    raise(number);
}

bool fr_limits_set(int64_t memory_bytes, int64_t cpu_s, bool may_write_files)
{
    static const int signals[] = { SIGXCPU, SIGSEGV, SIGBUS, SIGABRT, SIGFPE };
    const struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    bool is_set = limit(RLIMIT_CORE, 0, 0);

    if (!may_write_files) /* mpirun ends its own processes */
        is_set &= prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    if (memory_bytes > 0 && !HAS_SHADOW) {
        memory_limit = (rlim_t)memory_bytes;
        is_set &= limit(RLIMIT_AS, memory_limit, memory_limit);
    }
    if (cpu_s > 0) {
        cpu_limit = (long)cpu_s;
        is_set &= limit(RLIMIT_CPU, (rlim_t)cpu_s, (rlim_t)cpu_s + 2);
    }
    if (!may_write_files && !is_file(STDOUT_FILENO) && !is_file(STDERR_FILENO))
        is_set &= limit(RLIMIT_FSIZE, 0, 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        is_set &= sigaction(signals[i], &action, NULL) == 0;
    return is_set && atexit(say_if_too_large) == 0;
}

/* Stages and orderings are constants of this program and need no escapes. */
static void prepare(char *to, const char *ordering, const char *reason)
{
    if (ordering)
        snprintf(to, LAST_BYTES,
                 "{\"record\":\"ordering\",\"ordering\":\"%s\",\"status\":\"failed\","
                 "\"reason\":\"%s\"}\n{\"record\":\"end\"}\n",
                 ordering, reason);
    else
        snprintf(to, LAST_BYTES,
                 "{\"record\":\"failed\",\"reason\":\"%s\"}\n{\"record\":\"end\"}\n", reason);
}

void fr_limits_stage(int to, const char *stage, const char *ordering)
{
    char reason[256];

    out = -1;
    snprintf(reason, sizeof reason,
             "too little memory in stage `%s`: the limit of %llu bytes is reached", stage,
             (unsigned long long)memory_limit);
    prepare(too_large, ordering, reason);
    snprintf(reason, sizeof reason,
             "stage `%s` takes too long: the limit of %ld s of processor time is reached", stage,
             cpu_limit);
    prepare(too_slow, ordering, reason);
    out = to;
}

void fr_limits_end(void)
{
    out = -1;
}
