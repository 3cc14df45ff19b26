/* The bandwidth out of a node: 1, 2, 4, ... and all of its processes each send a long message to
 * another node.  Several nodes send in turn, so that slow nodes are found.  The result is the
 * largest median over the nodes among the process counts.  It excludes the latency of one message
 * (docs/models/krylov.md#one-message). */
#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/record.h"
#include "calibrations/calibrate/network/message_buffer.h"
#include "calibrations/calibrate/network/protocol.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { NODES_MAX = 8, TAG_NODE = 6, BYTES_MAX = 4 << 20 };

struct row {
    int from, to; /* nodes */
    int senders;
};

struct sending {
    const struct fr_world *world;
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
    const int own = world->host[world->rank];

    if (world->node_rank >= row->senders || (own != row->from && own != row->to))
        return 0;
    if (own == row->from)
        MPI_Send(s->buffer, s->bytes, MPI_CHAR, rank_on(world, row->to, world->node_rank), TAG_NODE,
                 MPI_COMM_WORLD);
    else
        MPI_Recv(s->buffer, s->bytes, MPI_CHAR, rank_on(world, row->from, world->node_rank),
                 TAG_NODE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 1;
}

/* Chooses nodes spread over the job, each sending to the next one; returns their number. */
static int choose_rows(struct sending *s, const struct fr_list *senders)
{
    const int hosts = s->world->hosts, nodes = hosts < NODES_MAX ? hosts : NODES_MAX;
    int rows = 0;

    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < senders->count; j++) {
            const int from = (int)((int64_t)hosts * i / nodes), to = (from + 1) % hosts;
            const int count = (int)senders->value[j];

            if (count <= ranks_on(s->world, from) && count <= ranks_on(s->world, to))
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
        const double moving_s = fr_protocol_moving_s(&context->protocols, took_s);

        if (s->row[i].senders == senders && moving_s > 0)
            rate[rates++] = (double)senders * s->bytes / moving_s;
    }
    *spread = rates ? fr_sample_spread(rate, rates) : 0;
    return rates ? fr_sample_median(rate, rates) : 0;
}

static void record(struct fr_context *context, struct sending *s, int rows,
                   const struct fr_list *senders)
{
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
        fr_bench_missing(context, "node_bandwidth", "no time for it");
        return;
    }
    for (int i = 0; i < rows; i++)
        nodes += s->row[i].senders == chosen && s->times[i].rounds;
    fr_timed_collective_count(&s->summary, s->times, rows);
    context->document->found.network.node_bandwidth_bytes_per_s = best;
    fr_document_source(
        context->document, "/network/node_bandwidth_bytes_per_s",
        fr_timed_collective_source(&s->summary),
        "up to %d processes of a node send %d bytes each to another node at once; largest with %d, "
        "%.2f times that of one; median of %d nodes, which differ by %.1f %%",
        most, s->bytes, chosen, one > 0 ? best / one : 1, nodes, 100 * best_spread);
}

static void run(struct fr_context *context)
{
    const int64_t longest = context->options->max_message_bytes;
    struct sending *s;
    struct fr_workload workload = { .run = send_off };
    struct fr_list senders;
    int most = 0, rows;

    if (context->world->hosts < 2) {
        fr_bench_missing(context, "node_bandwidth", "all ranks are on one node");
        return;
    }
    s = fr_record_new(1, sizeof *s);
    if (!s)
        fr_world_out_of_memory();
    for (int host = 0; host < context->world->hosts; host++)
        if (ranks_on(context->world, host) > most)
            most = ranks_on(context->world, host);
    fr_value_doublings(most, &senders);
    s->world = context->world;
    s->bytes = fr_message_buffer_for(context, "node_bandwidth",
                                     longest < BYTES_MAX ? longest : BYTES_MAX, 1);
    s->buffer = fr_message_buffer_take(context, s->bytes);
    rows = choose_rows(s, &senders);
    workload.with = s;
    fr_timed_collective_measure(context, MPI_COMM_WORLD, "bandwidth of a node", &workload, s->times,
                                rows);
    if (context->world->rank == 0)
        record(context, s, rows, &senders);
    free(s->buffer);
    fr_record_free(s);
}

const struct fr_bench fr_bench_node_bandwidth = {
    .name = "node_bandwidth",
    .group = "network",
    .summary = "bandwidth out of a node, 1 to all processes sending",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
