/* Preloaded into the calibrator: a computer that does nothing else, on which all that is measured
 * takes as long as the shortest sample.  What is measured does not depend on the real computer,
 * and is executed once instead of for milliseconds.
 *
 *   LOOK_S      seconds from one look at the clock to the next; default 0.01
 *   UNEVEN      share by which these seconds vary; default 0
 *   SLOWER      share by which they are longer on each rank than on the one before; default 0
 *   NODE_RANKS  ranks on a node; default: all
 *   APART_S     seconds between the clocks of MPI of one rank and the next; default 0
 *   CLOCK       a file for the clock that all processes share; default: each has its own
 *   OTHER_WORK  cores that other work takes; default 0
 *   SIGNAL_AT   looks of rank 0, or of a process alone, after which it gets the SIGNAL, USR1 or
 * KILL; default: never
 *
 * MPI has the real clock, since its library waits for other processes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

double MPI_Wtime(void);

static double look_s = 0.01, uneven, apart_s, other_work;
static long signal_at = -1;
static bool is_kill;
static _Atomic int64_t *shared_ns;
static uintptr_t first, last; /* addresses of the calibrator itself */
/* Of each thread, so that no other one takes part in what it measures. */
static _Thread_local double now_s;
static _Thread_local long looks;

static double number(const char *name, double otherwise)
{
    const char *text = getenv(name);

    return text ? strtod(text, NULL) : otherwise;
}

static int find(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    first = UINTPTR_MAX;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const uintptr_t at = program->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        first = at < first ? at : first;
        last = at + part->p_memsz > last ? at + part->p_memsz : last;
    }
    return 1; /* the first is the program */
}

static _Atomic int64_t *share(const char *path)
{
    const int file = open(path, O_RDWR | O_CREAT, 0600);

    if (file < 0 || ftruncate(file, sizeof *shared_ns))
        abort();
    return mmap(NULL, sizeof *shared_ns, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

__attribute__((constructor)) static void begin(void)
{
    const double rank = number("OMPI_COMM_WORLD_RANK", 0);

    dl_iterate_phdr(find, NULL);
    look_s = number("LOOK_S", look_s) * (1 + rank * number("SLOWER", 0));
    uneven = number("UNEVEN", 0);
    apart_s = rank * number("APART_S", 0);
    other_work = number("OTHER_WORK", 0);
    if (getenv("CLOCK"))
        shared_ns = share(getenv("CLOCK"));
    signal_at = rank > 0 ? -1 : (long)number("SIGNAL_AT", -1);
    is_kill = getenv("SIGNAL") && strcmp(getenv("SIGNAL"), "KILL") == 0;
}

#define IS_OWN_CALL                                     \
    ((uintptr_t)__builtin_return_address(0) >= first && \
     (uintptr_t)__builtin_return_address(0) < last)

static double look(void)
{
    double step_s;

    looks++;
    step_s = look_s * (1 + uneven * (double)(looks * 2654435761u % 1000) / 1000);
    now_s = shared_ns ? 1e-9 * (double)(*shared_ns += (int64_t)(1e9 * step_s)) : now_s + step_s;
    if (looks == signal_at)
        raise(is_kill ? SIGKILL : SIGUSR1);
    return now_s;
}

double MPI_Wtime(void)
{
    return look() + apart_s;
}

int MPI_Get_processor_name(char *name, int *length)
{
    const double rank = number("OMPI_COMM_WORLD_RANK", 0), on_node = number("NODE_RANKS", 1 << 20);

    *length = sprintf(name, "node%d", (int)(rank / on_node));
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    double time_s;

    if (!IS_OWN_CALL || clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, out);
    time_s = look();
    out->tv_sec = (time_t)time_s;
    out->tv_nsec = (long)(1e9 * (time_s - (double)out->tv_sec));
    return 0;
}

int nanosleep(const struct timespec *nap, struct timespec *left)
{
    static const struct timespec shorter = { 0, 1000000 };

    return (int)syscall(SYS_nanosleep, IS_OWN_CALL ? &shorter : nap, left);
}

int getrusage(__rusage_who_t who, struct rusage *out)
{
    if (!IS_OWN_CALL)
        return (int)syscall(SYS_getrusage, who, out);
    *out = (struct rusage){ 0 };
    return 0;
}

/* Little memory and small caches are measured in little time. */
long sysconf(int name)
{
    static long (*real)(int);

    if (IS_OWN_CALL)
        switch (name) {
        case _SC_AVPHYS_PAGES:
            return 16384;
        case _SC_LEVEL1_DCACHE_SIZE:
            return 32 << 10;
        case _SC_LEVEL2_CACHE_SIZE:
            return 256 << 10;
        case _SC_LEVEL3_CACHE_SIZE:
            return 1 << 20;
        case _SC_LEVEL1_DCACHE_LINESIZE:
        case _SC_LEVEL2_CACHE_LINESIZE:
        case _SC_LEVEL3_CACHE_LINESIZE:
            return 64;
        default:
            break;
        }
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}

FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*real)(const char *, const char *);
    static char text[100];

    if (IS_OWN_CALL && strcmp(path, "/proc/stat") == 0) {
        snprintf(text, sizeof text, "cpu %.0f 0 0 0 0 0 0 0 0 0\n",
                 now_s * other_work * (double)sysconf(_SC_CLK_TCK));
        return fmemopen(text, strlen(text), "r");
    }
    if (IS_OWN_CALL && (strstr(path, "/scaling_cur_freq") || strstr(path, "/cpu0/cache/")))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    return real(path, mode);
}
