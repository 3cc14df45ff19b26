/* Threads that start each sample together at a barrier. */

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"

struct member {
    const struct fr_thread_team *team;
    pthread_barrier_t *start;
    int index;
    double *time_s;
};

static void *run_member(void *argument)
{
    const struct member *member = argument;
    const struct fr_thread_team *team = member->team;
    void *own;

    fr_binding_set_thread(team->cores, member->index);
    own = team->begin(team->shared, member->index);
    if (!own)
        fr_world_out_of_memory();
    for (int i = 0; i < team->samples; i++) {
        double began_s;

        pthread_barrier_wait(member->start);
        began_s = fr_stopwatch_s();
        team->work(own);
        member->time_s[i] = fr_stopwatch_s() - began_s;
    }
    team->end(own);
    return NULL;
}

void fr_thread_team_run(const struct fr_thread_team *team, double *time_s)
{
    struct member *member = calloc((size_t)team->count, sizeof *member);
    pthread_t *thread = calloc((size_t)team->count, sizeof *thread);
    pthread_barrier_t start;

    if (!member || !thread || pthread_barrier_init(&start, NULL, (unsigned)team->count))
        fr_world_out_of_memory();
    for (int i = 0; i < team->count; i++) {
        member[i] = (struct member){ team, &start, i, time_s + (size_t)i * team->samples };
        if (pthread_create(&thread[i], NULL, run_member, &member[i]))
            fr_world_out_of_memory();
    }
    for (int i = 0; i < team->count; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start);
    free(member);
    free(thread);
}

/* Returns a time above 0, even on a coarse clock. */
static double time_of(const struct fr_thread_team *team, const double *time_s, int sample,
                      enum fr_thread_team_time by)
{
    double sum_s = 1e-12, slowest_s = 1e-9;

    for (int i = 0; i < team->count; i++) {
        sum_s += time_s[i * team->samples + sample];
        slowest_s = fmax(slowest_s, time_s[i * team->samples + sample]);
    }
    return by == FR_THREAD_TEAM_MEAN ? sum_s / team->count : slowest_s;
}

void fr_thread_team_rates(const struct fr_thread_team *team, double amount,
                          enum fr_thread_team_time by, double *rate)
{
    double *time_s = calloc((size_t)team->count * team->samples, sizeof *time_s);

    if (!time_s)
        fr_world_out_of_memory();
    fr_thread_team_run(team, time_s);
    for (int i = 0; i < team->samples; i++)
        rate[i] = amount / time_of(team, time_s, i, by);
    free(time_s);
}
