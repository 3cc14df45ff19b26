/* Finds the algorithm of MPI_Bcast by message size.  MPI does not report it.  The three known
 * algorithms are built from point-to-point messages over the same ranks and timed like MPI_Bcast,
 * from a barrier to the end of the slowest rank.  The algorithm with the closest time is taken.  If
 * two neighbouring sizes have different algorithms, sizes between them are measured to narrow the
 * limit. */
#include <math.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

/* With fewer than 8 ranks, libraries always use a binomial tree; more than 16 give no further
 * information. */
enum { RANKS_MIN = 8, RANKS_MAX = 16, WAYS = 1 + FR_BROADCASTS, REFINEMENTS = 3 };

/* With a larger error, MPI_Bcast uses none of the algorithms. */
static const double strange = 0.25;

struct trials {
    MPI_Comm team;
    char *data;
    int sizes;
    int bytes[FR_CLASSIFY_SIZES];
    struct fr_timed_collective times[FR_CLASSIFY_SIZES * WAYS];
    struct fr_collective_summary summary;
};

/* Row WAYS * i is MPI_Bcast of size i; the known algorithms follow. */
static int broadcast(void *with, int index)
{
    const struct trials *trials = with;
    const int way = index % WAYS, bytes = trials->bytes[index / WAYS];

    if (way == 0)
        MPI_Bcast(trials->data, bytes, MPI_CHAR, 0, trials->team);
    else
        fr_broadcast_run(way - 1, trials->team, trials->data, bytes);
    return 1;
}

static int by_bytes(const void *a, const void *b)
{
    const double x = ((const struct fr_broadcast_time *)a)->message_bytes;
    const double y = ((const struct fr_broadcast_time *)b)->message_bytes;

    return (x > y) - (x < y);
}

/* The rows found so far; 0 without a measurement. */
static int find(struct trials *trials, struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES],
                double *error)
{
    struct fr_broadcast_time time[FR_CLASSIFY_SIZES];
    int count = 0;

    for (int i = 0; i < trials->sizes; i++) {
        struct fr_broadcast_time *t = &time[count];

        t->message_bytes = trials->bytes[i];
        t->own_s = fr_timed_collective_maximum_s(&trials->times[WAYS * i]);
        count += t->own_s > 0;
        for (int a = 0; a < FR_BROADCASTS; a++) {
            t->algorithm_s[a] = fr_timed_collective_maximum_s(&trials->times[WAYS * i + 1 + a]);
            if (!(t->algorithm_s[a] > 0) && t->own_s > 0) {
                count--;
                break;
            }
        }
    }
    qsort(time, (size_t)count, sizeof *time, by_bytes);
    return count ? fr_classify_broadcast(time, count, FR_BROADCASTS, rows, error) : 0;
}

/* Adds a size midway between each limit and the next size measured.  Rank 0 decides and
 * broadcasts. */
static void add_sizes(struct trials *trials)
{
    struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES];
    const int measured = trials->sizes;
    const int count = find(trials, rows, &(double){ 0 });

    for (int k = 0; k + 1 < count && trials->sizes < FR_CLASSIFY_SIZES; k++) {
        const double limit = rows[k].max_message_bytes;
        double next = HUGE_VAL;

        for (int i = 0; i < measured; i++)
            if (trials->bytes[i] > limit && trials->bytes[i] < next)
                next = trials->bytes[i];
        if (next > limit * 1.1)
            trials->bytes[trials->sizes++] = (int)(sqrt(limit * next) / 8) * 8;
    }
}

static void measure(struct fr_context *context, struct trials *trials)
{
    int first = 0;

    for (int i = 0; i <= REFINEMENTS && first < trials->sizes; i++) {
        const struct fr_workload workload = { .run = broadcast,
                                              .with = trials,
                                              .first = first * WAYS };
        const int count = (trials->sizes - first) * WAYS;

        fr_timed_collective_measure(context, trials->team, "broadcast", &workload,
                                    trials->times + first * WAYS, count);
        first = trials->sizes;
        add_sizes(trials);
        MPI_Bcast(&trials->sizes, 1, MPI_INT, 0, trials->team);
        MPI_Bcast(trials->bytes, FR_CLASSIFY_SIZES, MPI_INT, 0, trials->team);
    }
    trials->sizes = first;
    fr_timed_collective_count(&trials->summary, trials->times, first * WAYS);
}

static void record(struct fr_context *context, struct trials *trials, int ranks)
{
    struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES];
    double error = 0;
    const int count = find(trials, rows, &error);

    if (!count)
        return;
    for (int i = 0; i < count; i++)
        *FR_ADD_ROW(context->document, context->document->found.network.broadcast) = rows[i];
    if (error > strange)
        fr_bench_say(context,
                     "broadcast: MPI_Bcast uses none of the three algorithms of the "
                     "models; the closest one differs by %.0f %%",
                     100 * error);
    fr_document_source(
        context->document, "/network/broadcast", fr_timed_collective_source(&trials->summary),
        "MPI_Bcast of %d ranks and three algorithms of point-to-point messages; the closest is "
        "given, which differs by %.0f %% (median), %d sizes",
        ranks, 100 * error, trials->sizes);
}

static void choose_sizes(struct fr_context *context, struct trials *trials)
{
    struct fr_list messages = context->networking->messages;

    if (!messages.count)
        fr_value_spaced(512, context->options->is_quick ? 128 << 10 : 16 << 20, 9, &messages);
    fr_value_cut(&messages,
                 fr_message_buffer_for(context, "broadcast", fr_value_largest(&messages), 1));
    trials->data = fr_message_buffer_take(context, fr_value_largest(&messages));
    for (int i = 0; i < messages.count; i++)
        trials->bytes[trials->sizes++] = (int)messages.value[i];
}

static void run(struct fr_context *context)
{
    struct trials *trials = fr_world_record(1, sizeof *trials);
    struct fr_team team;
    int ranks = RANKS_MIN;

    while (ranks < RANKS_MAX && ranks * 2 <= context->world->size)
        ranks *= 2;
    choose_sizes(context, trials);
    team = fr_team_begin(context->world, context->world->rank < ranks);
    trials->team = team.comm;
    if (team.comm != MPI_COMM_NULL)
        measure(context, trials);
    fr_team_end(context->world, &team);
    if (context->world->rank == 0)
        record(context, trials, ranks);
    free(trials->data);
    fr_record_free(trials);
}

const struct fr_bench fr_bench_broadcast = {
    .name = "broadcast",
    .group = "network",
    .summary = "the algorithm of MPI_Bcast, by message size",
    .needs_ranks = RANKS_MIN,
    .run = run,
};
