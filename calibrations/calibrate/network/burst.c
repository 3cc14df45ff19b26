/* The time that each further message adds when all processes send several messages to their
 * neighbours, as in a halo exchange (docs/models/krylov.md#halo-exchange-from-bursts): the time of
 * all messages minus that of one, divided by the number of further messages. */
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/record.h"
#include "calibrations/calibrate/network/message_buffer.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"
#include "server/json/writer.h"

enum { TIMES = 8, TAG_BURST = 20, NEIGHBOURS = 6, ROWS_MAX = 2 * FR_LIST_MAX };

struct bursts {
    MPI_Comm team;
    int rank, size;
    int neighbour[NEIGHBOURS], neighbours; /* their distances */
    struct fr_list messages;
    char *sent, *received; /* NEIGHBOURS messages each */
    int room;              /* bytes of one message */
    struct fr_timed_collective times[ROWS_MAX];
    struct fr_collective_summary summary;
    struct fr_writer *out; /* NULL before the first row */
    int left_out;
};

/* Row 2i sends one message of size i, row 2i + 1 sends all. */
static int send_series(void *with, int index)
{
    const struct bursts *bursts = with;
    const int bytes = (int)bursts->messages.value[index / 2];
    const int count = index % 2 ? bursts->neighbours : 1;
    MPI_Request request[2 * NEIGHBOURS];

    for (int i = 0; i < TIMES; i++) {
        for (int j = 0; j < count; j++) {
            const int from =
                (bursts->rank + 3 * bursts->size - bursts->neighbour[j]) % bursts->size;

            MPI_Irecv(bursts->received + (size_t)j * (size_t)bursts->room, bytes, MPI_CHAR, from,
                      TAG_BURST + j, bursts->team, &request[j]);
        }
        for (int j = 0; j < count; j++) {
            const int to = (bursts->rank + 3 * bursts->size + bursts->neighbour[j]) % bursts->size;

            MPI_Isend(bursts->sent + (size_t)j * (size_t)bursts->room, bytes, MPI_CHAR, to,
                      TAG_BURST + j, bursts->team, &request[count + j]);
        }
        MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE);
    }
    return TIMES;
}

/* With few processes there are fewer neighbors, because no process is its own neighbor. */
static void choose_neighbours(struct bursts *bursts)
{
    static const int distance[NEIGHBOURS] = { 1, -1, 2, -2, 3, -3 };

    bursts->neighbours = 0;
    for (int i = 0; i < NEIGHBOURS; i++)
        if (distance[i] % bursts->size)
            bursts->neighbour[bursts->neighbours++] = distance[i];
}

static void write_rows(struct fr_context *context, struct bursts *bursts)
{
    for (int i = 0; i < bursts->messages.count; i++) {
        const double one_s = fr_timed_collective_average_s(&bursts->times[2 * i]);
        const double all_s = fr_timed_collective_average_s(&bursts->times[2 * i + 1]);
        const double gap_s = (all_s - one_s) / (bursts->neighbours - 1);

        if (!(one_s > 0 && gap_s > 0)) {
            bursts->left_out++;
            continue;
        }
        if (!bursts->out) {
            bursts->out = fr_document_value(context->document, "/contention/burst");
            fr_json_array(bursts->out);
        }
        fr_json_object(bursts->out);
        fr_json_pair_integer(bursts->out, "processes", bursts->size);
        fr_json_pair_integer(bursts->out, "message_bytes", bursts->messages.value[i]);
        fr_json_pair_number(bursts->out, "gap_s", gap_s);
        fr_json_object_end(bursts->out);
    }
}

static void name_item(int processes, char out[FR_PLAN_WHAT_BYTES])
{
    snprintf(out, FR_PLAN_WHAT_BYTES, "burst of %d processes", processes);
}

static void plan(struct fr_context *context)
{
    struct fr_list messages, processes;

    fr_sizes_choose_short(context, &messages);
    fr_bench_processes(context, NULL, &processes);
    for (int i = 0; i < processes.count; i++) {
        const int p = (int)processes.value[i];
        double round_s = 0;
        char what[FR_PLAN_WHAT_BYTES];

        for (int j = 0; j < messages.count; j++)
            round_s += fr_plan_operation_s(&context->plan, p, TIMES * (1 + NEIGHBOURS),
                                           (double)messages.value[j]);
        name_item(p, what);
        fr_plan_add(&context->plan, what, p, 1, 2 * messages.count,
                    context->options->repetitions * round_s);
    }
}

static void run_processes(struct fr_context *context, struct bursts *bursts, int processes)
{
    const bool works = context->world->rank < processes;
    const int rows = 2 * bursts->messages.count;
    const struct fr_workload workload = { .run = send_series, .with = bursts };
    char what[FR_PLAN_WHAT_BYTES];
    struct fr_team team;

    name_item(processes, what);
    if (!fr_plan_begin(context, what))
        return;
    team = fr_team_begin(context->world, works);
    bursts->team = team.comm;
    bursts->rank = context->world->rank;
    bursts->size = processes;
    choose_neighbours(bursts);
    memset(bursts->times, 0, sizeof bursts->times);
    if (works)
        fr_timed_collective_measure(context, team.comm, what, &workload, bursts->times, rows);
    fr_team_end(context->world, &team);
    fr_plan_end(context, what);
    if (context->world->rank)
        return;
    write_rows(context, bursts);
    fr_timed_collective_count(&bursts->summary, bursts->times, rows);
}

static void record(struct fr_context *context, struct bursts *bursts)
{
    if (bursts->left_out)
        fr_bench_say(context, "burst: %d sizes left out, further messages took no longer",
                     bursts->left_out);
    if (!bursts->out)
        return;
    fr_json_array_end(bursts->out);
    fr_document_source(
        context->document, "/contention/burst",
        "measured: all ranks exchange with the ranks +-1, +-2, +-3 at once, minus "
        "the time of one message, per further message, mean of %d series (%d samples, "
        "spread %.1f %%)",
        TIMES, bursts->summary.samples, fr_timed_collective_spread(&bursts->summary));
}

static void run(struct fr_context *context)
{
    struct fr_list processes;
    struct bursts *bursts;

    if (!fr_bench_processes(context, "burst", &processes))
        return;
    bursts = fr_record_new(1, sizeof *bursts);
    if (!bursts)
        fr_world_out_of_memory();
    fr_sizes_choose_short(context, &bursts->messages);
    bursts->room = fr_message_buffer_for(context, "burst", fr_value_largest(&bursts->messages),
                                         2 * NEIGHBOURS);
    bursts->sent = fr_message_buffer_take(context, (int64_t)bursts->room * NEIGHBOURS);
    bursts->received = fr_message_buffer_take(context, (int64_t)bursts->room * NEIGHBOURS);
    fr_value_cut(&bursts->messages, bursts->room);
    for (int i = 0; i < processes.count; i++)
        run_processes(context, bursts, (int)processes.value[i]);
    if (context->world->rank == 0)
        record(context, bursts);
    free(bursts->sent);
    free(bursts->received);
    fr_record_free(bursts);
}

const struct fr_bench fr_bench_burst = {
    .name = "burst",
    .group = "contention",
    .summary = "time that each further message to a neighbour adds",
    .needs_ranks = 2,
    .after = "pingpong",
    .plan = plan,
    .run = run,
};
