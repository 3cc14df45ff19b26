/* The bandwidth out of a node: 1, 2, 4, ... and all of its processes each send a long message to
 * another node; and the one within it: as many as half of them send to the other half.  Several
 * nodes send in turn, so that slow nodes are found.  The result is the largest median over the
 * nodes among the process counts.  It excludes the latency of one message
 * (docs/models/krylov.md#one-message). */

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { NODES_MAX = 8, TAG_NODE = 6, BYTES_MAX = 4 << 20 };

struct row {
    int from, to; /* nodes */
    int senders;
};

struct sending {
    const struct fr_world *world;
    enum fr_path path;
    int bytes;
    char *buffer;
    struct row row[NODES_MAX * FR_LIST_MAX];
    struct fr_timed_collective times[NODES_MAX * FR_LIST_MAX];
    struct fr_collective_summary summary;
};

/* The rank with number `index` on a node, or -1. */
static int rank_on(const struct fr_world *world, int node, int index)
{
    for (int i = 0; i < world->size; i++)
        if (world->host[i] == node && index-- == 0)
            return i;
    return -1;
}

static int ranks_on(const struct fr_world *world, int node)
{
    int count = 0;

    for (int i = 0; i < world->size; i++)
        count += world->host[i] == node;
    return count;
}

static int send_off(void *with, int index)
{
    const struct sending *s = with;
    const struct fr_world *world = s->world;
    const struct row *row = &s->row[index];
    const int own = world->host[world->rank], number = world->node_rank;
    const int receiver = s->path == FR_ON_NODE ? world->node_size / 2 : 0; /* the first */

    if (own == row->from && number < row->senders)
        MPI_Send(s->buffer, s->bytes, MPI_CHAR, rank_on(world, row->to, number + receiver),
                 TAG_NODE, MPI_COMM_WORLD);
    else if (own == row->to && number >= receiver && number < receiver + row->senders)
        MPI_Recv(s->buffer, s->bytes, MPI_CHAR, rank_on(world, row->from, number - receiver),
                 TAG_NODE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        return 0;
    return 1;
}

/* The most processes of a node that can send. */
static int room(const struct sending *s, int node)
{
    return ranks_on(s->world, node) / (s->path == FR_ON_NODE ? 2 : 1);
}

/* Chooses nodes spread over the job, each sending to the next one or to itself; returns the number
 * of rows. */
static int choose_rows(struct sending *s, const struct fr_list *senders)
{
    const int hosts = s->world->hosts, nodes = hosts < NODES_MAX ? hosts : NODES_MAX;
    int rows = 0;

    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < senders->count; j++) {
            const int from = (int)((int64_t)hosts * i / nodes);
            const int to = s->path == FR_ON_NODE ? from : (from + 1) % hosts;
            const int count = (int)senders->value[j];

            if (count <= room(s, from) && count <= room(s, to))
                s->row[rows++] = (struct row){ from, to, count };
        }
    return rows;
}

/* The median over the nodes for one count of senders; 0 without a measurement. */
static double bandwidth(struct fr_context *context, struct sending *s, int rows, int senders,
                        double *spread)
{
    double rate[NODES_MAX];
    int rates = 0;

    for (int i = 0; i < rows; i++) {
        const double took_s = fr_timed_collective_maximum_s(&s->times[i]);
        const double moving_s = fr_protocol_moving_s(&context->protocols, s->path, took_s);

        if (s->row[i].senders == senders && moving_s > 0)
            rate[rates++] = (double)senders * s->bytes / moving_s;
    }
    *spread = rates ? fr_sample_spread(rate, rates) : 0;
    return rates ? fr_sample_median(rate, rates) : 0;
}

static void record(struct fr_context *context, struct sending *s, int rows,
                   const struct fr_list *senders, double *found)
{
    const bool is_within = s->path == FR_ON_NODE;
    const int most = (int)senders->value[senders->count - 1];
    double best = 0, one = 0, best_spread = 0, spread;
    int chosen = 0, nodes = 0;

    for (int j = 0; j < senders->count; j++) {
        const int count = (int)senders->value[j];
        const double rate = bandwidth(context, s, rows, count, &spread);

        if (count == 1)
            one = rate;
        if (rate > best) {
            best = rate;
            best_spread = spread;
            chosen = count;
        }
    }
    if (!(best > 0)) {
        fr_bench_missing(context, is_within ? "bandwidth within nodes" : "node_bandwidth",
                         "no time for it");
        return;
    }
    for (int i = 0; i < rows; i++)
        nodes += s->row[i].senders == chosen && s->times[i].rounds;
    fr_timed_collective_count(&s->summary, s->times, rows);
    *found = best;
    fr_document_source(
        context->document,
        is_within ? "/network/busy_node/all_on_node_bandwidth_bytes_per_s"
                  : "/network/node_bandwidth_bytes_per_s",
        fr_timed_collective_source(&s->summary),
        "up to %d processes of a node send %d bytes each to %s at once; largest with %d, "
        "%.2f times that of one; median of %d nodes, which differ by %.1f %%",
        most, s->bytes, is_within ? "others of it" : "another node", chosen,
        one > 0 ? best / one : 1, nodes, 100 * best_spread);
}

static void measure(struct fr_context *context, enum fr_path path, double *found)
{
    const int64_t longest = context->options->max_message_bytes;
    struct sending *s = fr_world_record(1, sizeof *s);
    const struct fr_workload workload = { .run = send_off, .with = s };
    struct fr_list senders;
    int most = 0, rows;

    s->world = context->world;
    s->path = path;
    for (int host = 0; host < context->world->hosts; host++)
        if (room(s, host) > most)
            most = room(s, host);
    if (most) {
        fr_value_doublings(most, &senders);
        s->bytes = fr_message_buffer_for(context, "node_bandwidth",
                                         longest < BYTES_MAX ? longest : BYTES_MAX, 1);
        s->buffer = fr_message_buffer_take(context, s->bytes);
        rows = choose_rows(s, &senders);
        fr_timed_collective_measure(context, MPI_COMM_WORLD, "bandwidth of a node", &workload,
                                    s->times, rows);
        if (context->world->rank == 0)
            record(context, s, rows, &senders, found);
        free(s->buffer);
    }
    fr_record_free(s);
}

static void run(struct fr_context *context)
{
    struct fr_calibration *found = &context->document->found;

    if (context->world->hosts > 1)
        measure(context, FR_OFF_NODE, &found->network.node_bandwidth_bytes_per_s);
    else
        fr_bench_missing(context, "node_bandwidth", "all ranks are on one node");
    measure(context, FR_ON_NODE, &found->network.busy_node.all_on_node_bandwidth_bytes_per_s);
}

const struct fr_bench fr_bench_node_bandwidth = {
    .name = "node_bandwidth",
    .group = "network",
    .summary = "bandwidth out of a node and within it, 1 to all processes sending",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
