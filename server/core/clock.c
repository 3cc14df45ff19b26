#include "server/core/clock.h"

static const uint64_t second_ns = 1000000000;

uint64_t fr_clock_ns(struct fr_clock *clock)
{
    struct timespec now;

    if (clock)
        return clock->now_ns(clock);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

uint64_t fr_clock_in_ms(struct fr_clock *clock, uint64_t milliseconds)
{
    return fr_clock_ns(clock) + milliseconds * 1000000;
}

struct timespec fr_clock_timespec(uint64_t ns)
{
    return (struct timespec){ .tv_sec = (time_t)(ns / second_ns), .tv_nsec = ns % second_ns };
}

bool fr_clock_wait(struct fr_clock *clock, pthread_cond_t *changed, pthread_mutex_t *lock,
                   uint64_t until_ns)
{
    const struct timespec until = fr_clock_timespec(until_ns);

    if (clock)
        return clock->wait(clock, changed, lock, until_ns);
    return pthread_cond_clockwait(changed, lock, CLOCK_MONOTONIC, &until) == 0;
}

int fr_clock_poll(struct fr_clock *clock, struct pollfd *files, nfds_t count, uint64_t until_ns)
{
    const uint64_t now_ns = fr_clock_ns(clock);
    const struct timespec left = fr_clock_timespec(until_ns > now_ns ? until_ns - now_ns : 0);

    if (clock)
        return clock->poll(clock, files, count, until_ns);
    return ppoll(files, count, until_ns == UINT64_MAX ? NULL : &left, NULL);
}
