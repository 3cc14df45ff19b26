/* Preloaded: the clocks of a process stand, and go on when a test moves them.  The file CLOCK,
 * which clock.mjs writes, has what they say in nanoseconds: the wall clock, the monotonic clock,
 * and what each look adds to the latter.  Waits that end at a time look again and again. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };
static const int64_t second_ns = 1000000000;

struct clocks {
    _Atomic int64_t wall_ns, monotonic_ns, step_ns;
};

/* Libraries may ask before this one has begun: each looks for itself, and the last one stays. */
static struct clocks *clocks(void)
{
    static struct clocks *_Atomic known;
    const char *path = getenv("CLOCK");
    int file;

    if (known)
        return known;
    file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    known = mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (known == MAP_FAILED)
        abort();
    close(file);
    return known;
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static struct timespec real_look(void)
{
    struct timespec now;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    now.tv_nsec += LOOK_MS * 1000000;
    now.tv_sec += now.tv_nsec / second_ns;
    now.tv_nsec %= second_ns;
    return now;
}

static bool has_come(int64_t until_ns)
{
    return clocks()->monotonic_ns >= until_ns;
}

static int64_t ns(const struct timespec *time)
{
    return time->tv_sec * second_ns + time->tv_nsec;
}

/* ---- what the clocks say ---- */

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int64_t now_ns;

    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
        now_ns = clocks()->wall_ns;
        break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
        now_ns = atomic_fetch_add(&clocks()->monotonic_ns, clocks()->step_ns);
        break;
    default: /* processor time */
        return (int)syscall(SYS_clock_gettime, clock, out);
    }
    *out = (struct timespec){ now_ns / second_ns, now_ns % second_ns };
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    const int64_t now_ns = clocks()->wall_ns;

    (void)zone;
    *out = (struct timeval){ now_ns / second_ns, now_ns % second_ns / 1000 };
    return 0;
}

time_t time(time_t *out)
{
    const time_t now = clocks()->wall_ns / second_ns;

    if (out)
        *out = now;
    return now;
}

/* ---- waits ---- */

/* A look that ends may have missed a signal that came at its end, so the caller looks too. */
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock, clockid_t clock,
                           const struct timespec *until)
{
    int (*const wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) =
        next("pthread_cond_clockwait");
    const struct timespec look = real_look();
    int error = ETIMEDOUT;

    (void)clock;
    if (!has_come(ns(until)))
        error = wait(condition, lock, CLOCK_MONOTONIC, &look);
    return error == ETIMEDOUT && !has_come(ns(until)) ? 0 : error;
}

/* All conditions of the daemon are of the monotonic clock. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                           const struct timespec *until)
{
    return pthread_cond_clockwait(condition, lock, CLOCK_MONOTONIC, until);
}

int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *until)
{
    int (*const wait)(pthread_mutex_t *, clockid_t, const struct timespec *) =
        next("pthread_mutex_clocklock");
    int error;

    (void)clock;
    do {
        const struct timespec look = real_look();

        error = wait(lock, CLOCK_MONOTONIC, &look);
    } while (error == ETIMEDOUT && !has_come(ns(until)));
    return error;
}

int sem_clockwait(sem_t *places, clockid_t clock, const struct timespec *until)
{
    int (*const wait)(sem_t *, clockid_t, const struct timespec *) = next("sem_clockwait");
    int result;

    (void)clock;
    do {
        const struct timespec look = real_look();

        result = wait(places, CLOCK_MONOTONIC, &look);
    } while (result < 0 && errno == ETIMEDOUT && !has_come(ns(until)));
    return result;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *signals)
{
    int (*const wait)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) =
        next("ppoll");
    const struct timespec look = { .tv_nsec = LOOK_MS * 1000000 };
    const int64_t most_ns = most ? ns(most) : 0, until_ns = clocks()->monotonic_ns + most_ns;
    int ready;

    if (!most || !most_ns)
        return wait(files, count, most, signals);
    while (!(ready = wait(files, count, &look, signals)) && !has_come(until_ns))
        continue;
    return ready;
}

int poll(struct pollfd *files, nfds_t count, int most_ms)
{
    const struct timespec most = { most_ms / 1000, most_ms % 1000 * 1000000L };

    return ppoll(files, count, most_ms < 0 ? NULL : &most, NULL);
}
