/* A clock that stands still until a test moves it. */
#ifndef FR_MOVED_CLOCK_H
#define FR_MOVED_CLOCK_H

#include "server/core/clock.h"
#include "tests/unit/support/tally.h"

#include <stdatomic.h>

struct moved_clock {
    struct fr_clock clock; /* first: what is tested gets its address */
    _Atomic uint64_t ns;
    _Atomic bool jumps;         /* to the end of whatever is waited for and is not there yet */
    struct tally waits, polls;  /* begun so far: all, and those for files */
    struct tally vain;          /* waits for a signal that the time has ended */
    pthread_mutex_t lock;       /* protects the list */
    struct clock_waiter *first; /* who waits now */
};

void moved_clock_init(struct moved_clock *clock);
/* Wakes all who wait, so that they see the time. */
void moved_clock_by_ms(struct moved_clock *clock, uint64_t milliseconds);

#endif
