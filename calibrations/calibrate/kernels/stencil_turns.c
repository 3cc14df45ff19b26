/* Runs the kernels of a stencil in turn, and times each. */
#include "calibrations/calibrate/kernels/stencil.h"

#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"

enum { TURNS_MIN = 7, TURNS_MAX = 2000, TURNS_QUICK = 3, CLOCK_TRIALS = 100 };
/* Of one process in all turns: some 20 ms in a cache. */
static const double least_bytes = 4e8;

static const struct {
    void (*work)(struct fr_stencil *stencil);
    double (*bytes)(const struct fr_stencil *stencil);
} kernels[FR_STENCIL_KERNELS] = {
    [FR_STENCIL_MULTIPLY] = { fr_stencil_multiply, fr_stencil_multiply_bytes },
    [FR_STENCIL_SOLVE_CHOLESKY] = { fr_stencil_solve_cholesky, fr_stencil_solve_cholesky_bytes },
    [FR_STENCIL_SOLVE_LU] = { fr_stencil_solve_lu, fr_stencil_solve_lu_bytes },
    [FR_STENCIL_UPDATE] = { fr_stencil_update, fr_stencil_update_bytes },
    [FR_STENCIL_UPDATE_FUSED] = { fr_stencil_update_fused, fr_stencil_update_fused_bytes },
};

/* What the threads share; each writes its own part of the times. */
struct shared {
    const struct fr_turns *turns;
    double *time_s;
    double bytes[FR_STENCIL_KERNELS], working_set_bytes; /* written by the first process */
};

struct member {
    struct shared *shared;
    struct fr_stencil *stencil;
    int index;
    int done;       /* of the counts of processes */
    double clock_s; /* of reading the clock */
};

/* The times of a kernel in all turns of one process, while so many others work. */
static double *times_of(const struct shared *shared, int count, int process, int kernel)
{
    const struct fr_list *processes = shared->turns->processes;
    const size_t most = (size_t)processes->value[processes->count - 1];

    return shared->time_s +
           (((size_t)count * most + (size_t)process) * FR_STENCIL_KERNELS + (size_t)kernel) *
               (size_t)shared->turns->count;
}

static double time_clock(double (*clock_s)(void))
{
    double least_s = HUGE_VAL;

    for (int i = 0; i < CLOCK_TRIALS; i++) {
        const double began_s = clock_s();

        least_s = fmin(least_s, clock_s() - began_s);
    }
    return least_s;
}

static void turn(const struct member *member, int index)
{
    double (*const clock_s)(void) = member->shared->turns->clock_s;
    double began_s = clock_s();

    for (int k = 0; k < FR_STENCIL_KERNELS; k++) {
        double *time_s = times_of(member->shared, member->done, member->index, k), ended_s;

        kernels[k].work(member->stencil);
        ended_s = clock_s();
        time_s[index] = fmax(ended_s - began_s - member->clock_s, 1e-9);
        began_s = ended_s;
    }
}

static void count_bytes(struct shared *shared, const struct fr_stencil *stencil)
{
    for (int k = 0; k < FR_STENCIL_KERNELS; k++)
        shared->bytes[k] = kernels[k].bytes(stencil);
    shared->working_set_bytes = fr_stencil_bytes(stencil);
}

static void *begin(void *argument, int index)
{
    struct shared *shared = argument;
    struct member *member = malloc(sizeof *member);

    if (!member)
        return NULL;
    *member = (struct member){ .shared = shared,
                               .stencil = fr_stencil_new(shared->turns->side),
                               .index = index,
                               .clock_s = time_clock(shared->turns->clock_s) };
    if (!member->stencil) {
        free(member);
        return NULL;
    }
    if (!index)
        count_bytes(shared, member->stencil);
    turn(member, 0); /* warms the caches; the first turn overwrites its times */
    return member;
}

/* All turns with the next count of processes; the others wait for the sample after it. */
static void work(void *own)
{
    struct member *member = own;
    const struct fr_turns *turns = member->shared->turns;

    for (int i = 0; i < turns->count && member->index < turns->processes->value[member->done]; i++)
        turn(member, i);
    member->done++;
}

static void end(void *own)
{
    struct member *member = own;

    fr_stencil_free(member->stencil);
    free(member);
}

/* The median over the turns of the mean over the processes. */
static double typical_s(const struct shared *shared, int count, int kernel, double *mean_s)
{
    const int processes = (int)shared->turns->processes->value[count];

    for (int i = 0; i < shared->turns->count; i++) {
        mean_s[i] = 0;
        for (int p = 0; p < processes; p++)
            mean_s[i] += times_of(shared, count, p, kernel)[i] / processes;
    }
    return fr_sample_median(mean_s, shared->turns->count);
}

int fr_turns_choose(int side, bool is_quick)
{
    const double turns = least_bytes / fr_stencil_memory_bytes(side);

    if (is_quick)
        return TURNS_QUICK;
    return turns < TURNS_MIN ? TURNS_MIN : turns > TURNS_MAX ? TURNS_MAX : (int)turns;
}

void fr_turns_run(const struct fr_turns *turns, struct fr_turned *turned)
{
    const struct fr_list *processes = turns->processes;
    const size_t most = (size_t)processes->value[processes->count - 1];
    const size_t samples = (size_t)processes->count * most;
    double *mean_s = calloc((size_t)turns->count, sizeof *mean_s);
    double *sample_s = calloc(samples, sizeof *sample_s); /* of the team; not used */
    struct shared shared = { .turns = turns,
                             .time_s = calloc(samples * FR_STENCIL_KERNELS * (size_t)turns->count,
                                              sizeof *shared.time_s) };
    const struct fr_thread_team team = { .cores = turns->cores,
                                         .count = (int)most,
                                         .samples = processes->count,
                                         .shared = &shared,
                                         .begin = begin,
                                         .work = work,
                                         .end = end };

    if (!mean_s || !sample_s || !shared.time_s)
        fr_world_out_of_memory();
    fr_thread_team_run(&team, sample_s);
    for (int i = 0; i < processes->count; i++) {
        turned[i].working_set_bytes = shared.working_set_bytes;
        for (int k = 0; k < FR_STENCIL_KERNELS; k++)
            turned[i].bandwidth_bytes_per_s[k] = shared.bytes[k] / typical_s(&shared, i, k, mean_s);
    }
    free(shared.time_s);
    free(sample_s);
    free(mean_s);
}
