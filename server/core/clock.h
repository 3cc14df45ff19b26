/* Clocks and points in time. */
#ifndef FR_CLOCK_H
#define FR_CLOCK_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The time, as whatever waits reads it.  NULL is the clock of the system; a test hands in one that
 * it moves. */

/* What a test puts in place of the functions below. */
struct fr_clock {
    uint64_t (*now_ns)(struct fr_clock *clock);
    bool (*wait)(struct fr_clock *clock, pthread_cond_t *changed, pthread_mutex_t *lock,
                 uint64_t until_ns);
    int (*poll)(struct fr_clock *clock, struct pollfd *files, nfds_t count, uint64_t until_ns);
};

/* Nanoseconds of a monotonic clock: now, and in so many milliseconds. */
uint64_t fr_clock_ns(struct fr_clock *clock);
uint64_t fr_clock_in_ms(struct fr_clock *clock, uint64_t milliseconds);

/* Waits until the condition is signaled; false if a time has come.  Called locked. */
bool fr_clock_wait(struct fr_clock *clock, pthread_cond_t *changed, pthread_mutex_t *lock,
                   uint64_t until_ns);
/* Like poll(2), until a time; UINT64_MAX: without a limit. */
int fr_clock_poll(struct fr_clock *clock, struct pollfd *files, nfds_t count, uint64_t until_ns);

/* A time of the system's clock for functions of the C library. */
struct timespec fr_clock_timespec(uint64_t ns);

/* Times of RFC 3339, converted to a form in UTC that sorts as text. */

/* 2026-11-20T12:00:00.000Z */
enum { FR_TIMESTAMP_BYTES = 25 };

/* Reads a time with its offset from UTC; digits beyond the millisecond are dropped.  False, and
 * `out` stays as it is, if the text is not a time. */
bool fr_timestamp_read(const char *text, char out[FR_TIMESTAMP_BYTES]);
/* Seconds since 1970 in UTC; NaN if the text is not a time. */
double fr_timestamp_seconds(const char *text);
/* Reads a time, or a day in UTC such as 2026-11-20: its first or last millisecond. */
bool fr_timestamp_read_bound(const char *text, bool is_last, char out[FR_TIMESTAMP_BYTES]);

#endif
