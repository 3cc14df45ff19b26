/* Checks whether MPI_Allreduce of a few bytes costs one message in each round, if partners exchange
 * at the same time, or two, if one waits for the other
 * (docs/models/krylov.md#allreduce-from-exchanges).
 *
 * Both are built from point-to-point messages over the same ranks and timed like MPI_Allreduce; the
 * closer one is reported, for allreduce_messages_per_round.
 */
#include <math.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { TIMES = 8, TAG_ROUND = 4 };
enum { MPI_OWN, SWAPPED, IN_TURN, WAYS };

struct reductions {
    MPI_Comm team;
    int rank, size; /* a power of two */
};

static void swap(const struct reductions *r, int partner, double *sent, double *received)
{
    MPI_Sendrecv(sent, 1, MPI_DOUBLE, partner, TAG_ROUND, received, 1, MPI_DOUBLE, partner,
                 TAG_ROUND, r->team, MPI_STATUS_IGNORE);
}

static void take_turns(const struct reductions *r, int partner, double *sent, double *received)
{
    const int first = r->rank < partner ? r->rank : partner;

    if (r->rank == first)
        MPI_Send(sent, 1, MPI_DOUBLE, partner, TAG_ROUND, r->team);
    MPI_Recv(received, 1, MPI_DOUBLE, partner, TAG_ROUND, r->team, MPI_STATUS_IGNORE);
    if (r->rank != first)
        MPI_Send(sent, 1, MPI_DOUBLE, partner, TAG_ROUND, r->team);
}

static int reduce(void *with, int way)
{
    const struct reductions *r = with;
    double sum = 1, other = 0;

    for (int i = 0; i < TIMES; i++) {
        if (way == MPI_OWN)
            MPI_Allreduce(&sum, &other, 1, MPI_DOUBLE, MPI_SUM, r->team);
        for (int d = 1; d < r->size && way == SWAPPED; d *= 2)
            swap(r, r->rank ^ d, &sum, &other);
        for (int d = 1; d < r->size && way == IN_TURN; d *= 2)
            take_turns(r, r->rank ^ d, &sum, &other);
    }
    return TIMES;
}

static void report(struct fr_context *context, struct fr_timed_collective *times, int processes)
{
    const double own_s = fr_timed_collective_average_s(&times[MPI_OWN]);
    const double one_s = fr_timed_collective_average_s(&times[SWAPPED]);
    const double two_s = fr_timed_collective_average_s(&times[IN_TURN]);

    if (!(own_s > 0 && one_s > 0 && two_s > 0))
        return;
    context->allreduce =
        (struct fr_allreduce){ processes,
                               fabs(log(own_s / one_s)) <= fabs(log(own_s / two_s)) ? 1 : 2 };
    fr_bench_say(context,
                 "collectives: allreduce of 8 bytes by %d processes %.4g us; with one message per "
                 "round %.4g us, with two %.4g us: allreduce_messages_per_round=%d",
                 processes, 1e6 * own_s, 1e6 * one_s, 1e6 * two_s,
                 context->allreduce.messages_per_round);
}

static void run(struct fr_context *context)
{
    struct fr_timed_collective *times = fr_world_record(WAYS, sizeof *times);
    struct reductions reductions = { .rank = context->world->rank, .size = 1 };
    const struct fr_workload workload = { .run = reduce, .with = &reductions };
    struct fr_team team;

    while (reductions.size * 2 <= context->world->size)
        reductions.size *= 2;
    team = fr_team_begin(context->world, context->world->rank < reductions.size);
    reductions.team = team.comm;
    if (team.comm != MPI_COMM_NULL)
        fr_timed_collective_measure(context, team.comm, "collectives", &workload, times, WAYS);
    fr_team_end(context->world, &team);
    if (context->world->rank == 0)
        report(context, times, reductions.size);
    fr_record_free(times);
}

const struct fr_bench fr_bench_collectives = {
    .name = "collectives",
    .group = "contention",
    .summary = "check: messages that an allreduce sends in each round",
    .needs_ranks = 2,
    .is_check = true,
    .run = run,
};
