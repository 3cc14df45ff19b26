/* How much longer a message takes as the BLACS send it, after work, than in a ping-pong of MPI_Send
 * (docs/calibration.md): a data type describes its block on either side, the sender packs it, sends
 * without blocking and looks whether that is done (dgesd2d_.c, dgerv2d_.c, BI_Pack.c, BI_Asend.c,
 * BI_UpdateBuffs.c). */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { ELEMENTS = 8, PACKED_MAX = 4096, TRIPS = 100, TRIPS_SIMULATED = 2, SAMPLES_MAX = 99 };
enum { PANEL = 32 << 10, TAG = 9 };

struct pair {
    MPI_Comm comm;
    int rank, trips;
    double element[ELEMENTS];
    char packed[PACKED_MAX];
    double *panel, worked_s;
};

/* What a program does between its messages, which takes them out of the caches. */
static void work(struct pair *pair, int elements)
{
    const double began_s = MPI_Wtime();

    for (int i = 0; i < elements; i++)
        pair->panel[i] = 1 - pair->panel[i];
    pair->worked_s += MPI_Wtime() - began_s;
}

static void send_plain(struct pair *pair)
{
    MPI_Send(pair->element, ELEMENTS, MPI_DOUBLE, 1 - pair->rank, TAG, pair->comm);
}

static void receive_plain(struct pair *pair)
{
    MPI_Recv(pair->element, ELEMENTS, MPI_DOUBLE, 1 - pair->rank, TAG, pair->comm,
             MPI_STATUS_IGNORE);
}

static MPI_Datatype block_new(void)
{
    MPI_Datatype block;

    MPI_Type_vector(1, ELEMENTS, ELEMENTS, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    return block;
}

static void send_block(struct pair *pair)
{
    MPI_Datatype block = block_new();
    MPI_Request request;
    int bytes = 0, is_done = 0;

    MPI_Pack(pair->element, 1, block, pair->packed, PACKED_MAX, &bytes, pair->comm);
    MPI_Isend(pair->packed, bytes, MPI_PACKED, 1 - pair->rank, TAG, pair->comm, &request);
    MPI_Type_free(&block);
    while (!is_done)
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
}

static void receive_block(struct pair *pair)
{
    MPI_Datatype block = block_new();

    MPI_Recv(pair->element, 1, block, 1 - pair->rank, TAG, pair->comm, MPI_STATUS_IGNORE);
    MPI_Type_free(&block);
}

/* A way of sending, after work on so many elements. */
struct way {
    void (*send)(struct pair *pair);
    void (*receive)(struct pair *pair);
    int worked;
};
static const struct way plain = { send_plain, receive_plain, 0 }; /* reads the clock as often */
static const struct way block = { send_block, receive_block, PANEL };

static void trip(struct pair *pair, const struct way *way)
{
    if (pair->rank == 1)
        way->receive(pair);
    work(pair, way->worked);
    way->send(pair);
    if (pair->rank == 0)
        way->receive(pair);
}

/* Half a round trip, less the work of both, which takes turns.  The first trip starts both sides
 * together and is not timed. */
static double message_s(struct pair *pair, const struct way *way)
{
    double began_s, took_s, worked_s;

    trip(pair, way);
    pair->worked_s = 0;
    began_s = MPI_Wtime();
    for (int i = 0; i < pair->trips; i++)
        trip(pair, way);
    took_s = MPI_Wtime() - began_s;
    MPI_Allreduce(&pair->worked_s, &worked_s, 1, MPI_DOUBLE, MPI_SUM, pair->comm);
    return (took_s - worked_s) / (2 * pair->trips);
}

static void measure(struct fr_context *context, MPI_Comm comm)
{
    const int rounds = context->options->repetitions;
    struct pair pair = { .comm = comm,
                         .trips = context->world->is_simulated ? TRIPS_SIMULATED : TRIPS };
    struct fr_progress progress = fr_progress_begin(context, "blacs", rounds);
    double plain_s[SAMPLES_MAX], block_s[SAMPLES_MAX];
    int samples = 0;

    pair.panel = calloc(PANEL, sizeof *pair.panel);
    if (!pair.panel)
        fr_world_out_of_memory();
    MPI_Comm_rank(comm, &pair.rank);
    for (; samples < rounds && !fr_bench_is_late(context, comm); samples++) {
        plain_s[samples] = message_s(&pair, &plain);
        block_s[samples] = message_s(&pair, &block);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    free(pair.panel);
    if (context->world->rank != 0 || !samples)
        return;
    context->document->found.network.blacs_message_s =
        fmax(0, fr_sample_median(block_s, samples) - fr_sample_median(plain_s, samples));
    fr_document_source(
        context->document, "/network/blacs_message_s",
        fr_document_measured(samples, fr_sample_spread(block_s, samples), "difference of medians"),
        "half a round trip of %d numbers that are described by a data type, packed and polled for, "
        "after work on %d bytes that is not counted, less that of MPI_Send; mean of %d round trips",
        ELEMENTS, (int)(PANEL * sizeof *pair.panel), pair.trips);
}

static void run(struct fr_context *context)
{
    const int near = context->world->on_node_peer;
    const int peer = near < 0 ? fr_hops_nearest(context) : near;
    struct fr_team team;

    if (context->networking->transfer != FR_SEND) {
        fr_bench_missing(context, "blacs", "one-sided transfers");
        return;
    }
    team = fr_team_begin(context->world, context->world->rank == 0 || context->world->rank == peer);
    if (team.comm != MPI_COMM_NULL)
        measure(context, team.comm);
    fr_team_end(context->world, &team);
}

const struct fr_bench fr_bench_blacs = {
    .name = "blacs",
    .group = "network",
    .summary = "what a message of the BLACS takes longer than one of MPI",
    .needs_ranks = 2,
    .run = run,
};
