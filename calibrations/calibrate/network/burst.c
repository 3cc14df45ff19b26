/* The time that each further message adds when all processes send several messages to their
 * neighbours, as in a halo exchange (docs/models/krylov.md#halo-exchange-from-bursts).  The
 * neighbours are those on a periodic grid of three dimensions in the order of the ranks, so that
 * messages go over the strides of a halo exchange.  The time of the slowest process, minus one
 * undisturbed message between nodes, is divided among the further messages in proportion to what
 * each costs undisturbed. */
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"
#include "engine/krylov/communication/krylov.h"

enum { TIMES = 8, TAG_BURST = 20, NEIGHBOURS = 6, ROWS_MAX = FR_LIST_MAX };

struct bursts {
    MPI_Comm team;
    int rank, size;
    int neighbour[NEIGHBOURS], neighbours; /* ranks */
    double on_node;                        /* of the neighbours */
    int times_each;
    struct fr_list messages;
    char *sent, *received; /* NEIGHBOURS messages each */
    int room;              /* bytes of one message */
    struct fr_timed_collective times[ROWS_MAX];
    struct fr_collective_summary summary;
    int left_out;
};

static int send_series(void *with, int index)
{
    const struct bursts *bursts = with;
    const int bytes = (int)bursts->messages.value[index], count = bursts->neighbours;
    MPI_Request request[2 * NEIGHBOURS];

    for (int i = 0; i < bursts->times_each; i++) {
        for (int j = 0; j < count; j++)
            MPI_Irecv(bursts->received + (size_t)j * (size_t)bursts->room, bytes, MPI_CHAR,
                      bursts->neighbour[j], TAG_BURST + j, bursts->team, &request[j]);
        for (int j = 0; j < count; j++) /* what leaves one way arrives from the other */
            MPI_Isend(bursts->sent + (size_t)j * (size_t)bursts->room, bytes, MPI_CHAR,
                      bursts->neighbour[j], TAG_BURST + (j ^ 1), bursts->team, &request[count + j]);
        MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE);
    }
    return bursts->times_each;
}

/* Two neighbours in each dimension in which the grid has more than one process; on a node, the
 * mean over the processes. */
static void choose_neighbours(const struct fr_world *world, struct bursts *bursts)
{
    const struct fr_vector grid = krylov_dims_create(bursts->size, NEIGHBOURS / 2);
    int stride = bursts->size;
    double on_node = 0;

    bursts->neighbours = 0;
    for (size_t d = 0; d < grid.count; d++) {
        const int extent = (int)grid.at[d], below = stride / extent;
        const int at = bursts->rank / below % extent, base = bursts->rank - at * below;

        if (extent > 1) {
            bursts->neighbour[bursts->neighbours++] = base + (at + 1) % extent * below;
            bursts->neighbour[bursts->neighbours++] = base + (at + extent - 1) % extent * below;
        }
        stride = below;
    }
    for (int j = 0; j < bursts->neighbours; j++)
        on_node += world->host[bursts->neighbour[j]] == world->host[bursts->rank];
    MPI_Allreduce(MPI_IN_PLACE, &on_node, 1, MPI_DOUBLE, MPI_SUM, bursts->team);
    bursts->on_node = on_node / bursts->size;
}

/* Seconds of an undisturbed message by the ping-pong fit. */
static double message_s(const struct fr_context *context, bool is_on_node, double bytes)
{
    const struct fr_protocols *protocols = &context->protocols;
    const enum fr_path wanted = is_on_node ? FR_ON_NODE : FR_OFF_NODE;
    const enum fr_path other = is_on_node ? FR_OFF_NODE : FR_ON_NODE;

    return fr_protocol_time_s(protocols, protocols->has[wanted] ? wanted : other, bytes);
}

/* rho of the model times the message between nodes; at most 0 where further messages cost nothing.
 */
static double gap_s(const struct fr_context *context, const struct bursts *bursts, double all_s,
                    double bytes)
{
    const double one_s = message_s(context, false, bytes);
    const double others_s = (bursts->neighbours - 1 - bursts->on_node) * one_s +
                            bursts->on_node * message_s(context, true, bytes);

    return (all_s - one_s) / others_s * one_s;
}

static void write_rows(struct fr_context *context, struct bursts *bursts)
{
    for (int i = 0; i < bursts->messages.count; i++) {
        const double all_s = fr_timed_collective_maximum_s(&bursts->times[i]);
        const double added_s = gap_s(context, bursts, all_s, (double)bursts->messages.value[i]);

        if (added_s > 0)
            *FR_ADD_ROW(context->document, context->document->found.contention.burst) =
                (struct fr_burst){ bursts->size, (double)bursts->messages.value[i], added_s };
        else
            bursts->left_out++;
    }
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
            round_s += fr_plan_operation_s(&context->plan, p, TIMES * NEIGHBOURS,
                                           (double)messages.value[j]);
        fr_plan_name("burst", p, what);
        fr_plan_add(&context->plan, what, p, 1, messages.count,
                    context->options->repetitions * round_s);
    }
}

static void run_processes(struct fr_context *context, struct bursts *bursts, int processes)
{
    const bool works = context->world->rank < processes;
    const int rows = bursts->messages.count;
    const struct fr_workload workload = { .run = send_series, .with = bursts, .is_together = true };
    char what[FR_PLAN_WHAT_BYTES];
    struct fr_team team;

    fr_plan_name("burst", processes, what);
    if (!fr_plan_begin(context, what))
        return;
    team = fr_team_begin(context->world, works);
    bursts->team = team.comm;
    bursts->rank = context->world->rank;
    bursts->size = processes;
    bursts->times_each = fr_together_has_clock(context->world) ? 1 : TIMES;
    if (works)
        choose_neighbours(context->world, bursts);
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

/* Of nodes in the network's order nearly every number is above the one before, of shuffled nodes
 * every second.  -1 where host names have no numbers. */
static int placement_of(const struct fr_world *world)
{
    int last = world->node_number[0], steps = 0, rises = 0;

    for (int rank = 1, hosts = 1; rank < world->size; rank++) {
        if (world->host[rank] < hosts)
            continue;
        steps++;
        rises += world->node_number[rank] > last;
        last = world->node_number[rank];
        hosts++;
    }
    if (!steps || last < 0)
        return -1;
    return 4 * rises >= 3 * steps ? FR_BLOCK : FR_SCATTERED;
}

static void record_placement(struct fr_context *context)
{
    const int placement = placement_of(context->world);

    if (placement < 0)
        return;
    context->document->found.contention.burst_placement = placement;
    fr_document_source(context->document, "/contention/burst_placement",
                       (struct fr_source){ .kind = FR_FROM_STATED },
                       "read: the numbers at the end of host names, in the order of the ranks");
}

static void record(struct fr_context *context, struct bursts *bursts)
{
    if (bursts->left_out)
        fr_bench_say(context, "burst: %d sizes left out, further messages took no longer",
                     bursts->left_out);
    if (!context->document->found.contention.burst.count)
        return;
    record_placement(context);
    fr_document_source(
        context->document, "/contention/burst", fr_timed_collective_source(&bursts->summary),
        "all ranks exchange with their neighbors on a periodic grid of three dimensions at once; "
        "slowest process, minus one message by the ping-pong fit, per further message, mean of %d "
        "series",
        bursts->times_each);
}

static void run(struct fr_context *context)
{
    struct fr_list processes;
    struct bursts *bursts;

    if (!fr_bench_processes(context, "burst", &processes))
        return;
    bursts = fr_world_record(1, sizeof *bursts);
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
