/* A number that threads raise, and others wait for: an event is its first step, a gate opens with
 * it. */
#ifndef FR_TALLY_H
#define FR_TALLY_H

#include <pthread.h>

struct tally {
    pthread_mutex_t lock; /* protects `count` */
    pthread_cond_t raised;
    int count;
};

#define TALLY                                                                 \
    {                                                                         \
        .lock = PTHREAD_MUTEX_INITIALIZER, .raised = PTHREAD_COND_INITIALIZER \
    }

void tally_add(struct tally *tally, int by);
int tally_count(struct tally *tally);
/* Waits until the number is at least so large; ends a test that hangs. */
void tally_await(struct tally *tally, int least);

#endif
