#include "tests/unit/support/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE_S = 600 };

void tally_add(struct tally *tally, int by)
{
    pthread_mutex_lock(&tally->lock);
    tally->count += by;
    pthread_cond_broadcast(&tally->raised);
    pthread_mutex_unlock(&tally->lock);
}

int tally_count(struct tally *tally)
{
    int count;

    pthread_mutex_lock(&tally->lock);
    count = tally->count;
    pthread_mutex_unlock(&tally->lock);
    return count;
}

void tally_await(struct tally *tally, int least)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&tally->lock);
    while (tally->count < least)
        if (pthread_cond_clockwait(&tally->raised, &tally->lock, CLOCK_MONOTONIC, &until) != 0) {
            fprintf(stderr, "a thread waits in vain: %d of %d\n", tally->count, least);
            abort(); /* any thread may wait here, and cmocka's failures are for one */
        }
    pthread_mutex_unlock(&tally->lock);
}
