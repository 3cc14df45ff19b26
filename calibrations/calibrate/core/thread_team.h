/* A thread on each of some cores, all doing the same at the same time: what a core is worth when
 * the others of its node are busy, too. */
#ifndef FR_THREAD_TEAM_H
#define FR_THREAD_TEAM_H

#include <stdbool.h>

struct fr_cores;

struct fr_thread_team {
    const struct fr_cores *cores;
    bool may_pin;
    int count, samples;
    void *shared; /* what all work with, and only read */
    /* In the thread, once it is bound: memory belongs to the core that first writes it.  NULL where
     * memory runs out. */
    void *(*begin)(void *shared, int index);
    /* One sample; all begin each together. */
    void (*work)(void *own);
    void (*end)(void *own);
};

/* Fills time_s[index * samples + sample].  Ends the program where memory or threads run out: those
 * that have started wait for all. */
void fr_thread_team_run(const struct fr_thread_team *team, double *time_s);
/* By sample, the amount over the mean of their times, or over the slowest's.  Fills rate[samples];
 * ends the program as above. */
enum fr_thread_team_time { FR_THREAD_TEAM_MEAN, FR_THREAD_TEAM_SLOWEST };
void fr_thread_team_rates(const struct fr_thread_team *team, double amount,
                          enum fr_thread_team_time by, double *rate);

#endif
