#include "tests/unit/support/moved_clock.h"

#include <assert.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST_FILES = 64 };

struct clock_waiter {
    struct clock_waiter *next;
    pthread_cond_t *changed; /* NULL: it waits for files, and `wake` is one of them */
    pthread_mutex_t *lock;
    int wake;
};

static uint64_t now_ns(struct fr_clock *clock)
{
    return atomic_load(&((struct moved_clock *)clock)->ns);
}

/* Called locked.  Who comes to wait holds its lock, so that one is tried only. */
static bool wake(const struct clock_waiter *waiter)
{
    if (!waiter->changed)
        return eventfd_write(waiter->wake, 1) == 0;
    if (pthread_mutex_trylock(waiter->lock) != 0)
        return false;
    pthread_cond_broadcast(waiter->changed);
    pthread_mutex_unlock(waiter->lock);
    return true;
}

static bool wake_all(struct moved_clock *moved)
{
    bool is_done = true;

    pthread_mutex_lock(&moved->lock);
    for (struct clock_waiter *one = moved->first; one; one = one->next)
        is_done = wake(one) && is_done;
    pthread_mutex_unlock(&moved->lock);
    return is_done;
}

void moved_clock_by_ms(struct moved_clock *moved, uint64_t milliseconds)
{
    atomic_fetch_add(&moved->ns, milliseconds * 1000000);
    while (!wake_all(moved))
        sched_yield();
}

static void join(struct moved_clock *moved, struct clock_waiter *waiter)
{
    pthread_mutex_lock(&moved->lock);
    waiter->next = moved->first;
    moved->first = waiter;
    pthread_mutex_unlock(&moved->lock);
}

static void leave(struct moved_clock *moved, struct clock_waiter *waiter)
{
    struct clock_waiter **at = &moved->first;

    pthread_mutex_lock(&moved->lock);
    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
    pthread_mutex_unlock(&moved->lock);
}

static bool is_time(struct moved_clock *moved, uint64_t until_ns)
{
    if (atomic_load(&moved->jumps) && atomic_load(&moved->ns) < until_ns)
        atomic_store(&moved->ns, until_ns);
    return atomic_load(&moved->ns) >= until_ns;
}

static bool wait_for_signal(struct fr_clock *clock, pthread_cond_t *changed, pthread_mutex_t *lock,
                            uint64_t until_ns)
{
    struct moved_clock *moved = (struct moved_clock *)clock;
    struct clock_waiter self = { .changed = changed, .lock = lock };
    bool is_vain;

    join(moved, &self);
    tally_add(&moved->waits, 1);
    if (!is_time(moved, until_ns))
        pthread_cond_wait(changed, lock);
    leave(moved, &self);
    is_vain = atomic_load(&moved->ns) >= until_ns;
    tally_add(&moved->vain, is_vain);
    return !is_vain;
}

static int wait_for_files(struct fr_clock *clock, struct pollfd *files, nfds_t count,
                          uint64_t until_ns)
{
    struct moved_clock *moved = (struct moved_clock *)clock;
    struct clock_waiter self = { .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
    struct pollfd all[MOST_FILES] = { { .fd = self.wake, .events = POLLIN } };
    eventfd_t moves;
    int ready;

    assert(self.wake >= 0 && count < MOST_FILES);
    memcpy(all + 1, files, count * sizeof *files);
    join(moved, &self);
    tally_add(&moved->polls, 1);
    tally_add(&moved->waits, 1);
    while ((ready = poll(files, count, 0)) == 0 && !is_time(moved, until_ns)) {
        poll(all, count + 1, -1);
        eventfd_read(self.wake, &moves);
    }
    leave(moved, &self);
    close(self.wake);
    return ready;
}

void moved_clock_init(struct moved_clock *moved)
{
    *moved = (struct moved_clock){
        .clock = { now_ns, wait_for_signal, wait_for_files },
        .ns = UINT64_C(1000000000000),
        .waits = TALLY,
        .polls = TALLY,
        .vain = TALLY,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
}
