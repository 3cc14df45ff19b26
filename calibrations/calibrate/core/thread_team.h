/* A thread on each of several cores, all running the same work at the same time: the speed of a
 * core while the other cores of the node are busy. */
#ifndef FR_THREAD_TEAM_H
#define FR_THREAD_TEAM_H

#include <stdbool.h>

struct fr_cores;

struct fr_thread_team {
    const struct fr_cores *cores;
    int count, samples;
    void *shared; /* read by all threads */
    /* Runs in each thread after binding, so that memory is allocated near its core.  Returns the
     * argument of `work`, or NULL if out of memory. */
    void *(*begin)(void *shared, int index);
    /* Runs one sample; all threads start it together. */
    void (*work)(void *own);
    void (*end)(void *own);
};

/* Fills time_s[index * samples + sample].  Ends the program if memory or threads run out, because
 * started threads wait for all. */
void fr_thread_team_run(const struct fr_thread_team *team, double *time_s);
/* Fills rate[samples] with the amount divided by the mean or the largest time of the threads.  Ends
 * the program as above. */
enum fr_thread_team_time { FR_THREAD_TEAM_MEAN, FR_THREAD_TEAM_SLOWEST };
void fr_thread_team_rates(const struct fr_thread_team *team, double amount,
                          enum fr_thread_team_time by, double *rate);

#endif
