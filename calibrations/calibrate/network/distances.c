/* The latency of each protocol by the distance between nodes, in the order of the job.  Pairs of
 * nodes at each distance exchange the shortest message of each protocol.  What they need beyond the
 * pair of the ping-pong, with the same message, is added to the latency of the protocol.
 *
 * One pair exchanges at a time: it passes the turn to the next one, because a barrier of all nodes
 * would take longer than the exchange. */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { ALL_UP_TO = 16, DISTANCES_MAX = 64, PAIRS_OF_DISTANCE = 16, TRIPS = 20 };
enum { TRIPS_SIMULATED = 2, ROUNDS_SIMULATED = 1, TAG_TURN = 21, TAG_TRIP = 22 };
/* The limits of protocols are found within 3 %. */
static const double beyond_limit = 1.1;

struct pair {
    int from, to; /* ranks in the team: one for each node, in the order of the job */
};

struct distances {
    int distance[DISTANCES_MAX], count;
    struct pair pair[1 + DISTANCES_MAX * PAIRS_OF_DISTANCE]; /* the first is the ping-pong's */
    int first[DISTANCES_MAX + 1];                            /* pair of each distance */
    int pairs, protocols, rounds;
    int bytes[FR_PROTOCOLS_MAX];
    char *sent, *received;
    double *time_s; /* by pair, protocol and round; on rank 0 those of all */
};

/* All short distances, then two for each doubling, and the longest. */
static void choose_distances(struct distances *d, int nodes)
{
    int distance = 0;

    while (d->count < DISTANCES_MAX - 1) {
        const int octave = distance > 0 ? 1 << (int)log2(distance) : 1;

        distance += distance < ALL_UP_TO ? 1 : octave / 2;
        if (distance >= nodes - 1)
            break;
        d->distance[d->count++] = distance;
    }
    d->distance[d->count++] = nodes - 1;
}

static void choose_pairs(struct fr_context *context, struct distances *d, int nodes)
{
    struct fr_random random = context->random;
    int *order = fr_world_record((size_t)nodes, sizeof *order);

    d->pair[d->pairs++] = (struct pair){ 0, context->world->host[fr_hops_nearest(context)] };
    for (int i = 0; i < d->count; i++) {
        const int starts = nodes - d->distance[i];

        d->first[i] = d->pairs;
        fr_random_order(&random, order, starts);
        for (int k = 0; k < starts && k < PAIRS_OF_DISTANCE; k++)
            d->pair[d->pairs++] = (struct pair){ order[k], order[k] + d->distance[i] };
    }
    d->first[d->count] = d->pairs;
    fr_record_free(order);
}

static void choose_bytes(const struct fr_context *context, struct distances *d)
{
    const struct fr_protocols *protocols = &context->protocols;

    d->protocols = protocols->count;
    for (int k = 1; k < protocols->count; k++)
        d->bytes[k] = (int)fmin(ceil(beyond_limit * protocols->limit_bytes[k - 1]),
                                protocols->limit_bytes[k]);
}

static double *time_of(const struct distances *d, int pair, int protocol)
{
    return d->time_s + ((size_t)pair * (size_t)d->protocols + (size_t)protocol) * (size_t)d->rounds;
}

/* Half a round trip, for the first of the two; the mean of `trips` after one that opens the
 * connection. */
static double exchange(const struct distances *d, int peer, bool is_first, int bytes, int trips,
                       MPI_Comm comm)
{
    double began_s = 0;

    for (int i = 0; i <= trips; i++) {
        if (i == 1)
            began_s = MPI_Wtime();
        if (is_first)
            MPI_Send(d->sent, bytes, MPI_CHAR, peer, TAG_TRIP, comm);
        MPI_Recv(d->received, bytes, MPI_CHAR, peer, TAG_TRIP, comm, MPI_STATUS_IGNORE);
        if (!is_first)
            MPI_Send(d->sent, bytes, MPI_CHAR, peer, TAG_TRIP, comm);
    }
    return (MPI_Wtime() - began_s) / (2 * trips);
}

/* A round over all pairs.  The first node of a pair has the turn. */
static void measure_round(const struct distances *d, int round, int trips, int rank, MPI_Comm comm)
{
    for (int i = 0; i < d->pairs; i++) {
        const struct pair *pair = &d->pair[i];
        const int before = i ? d->pair[i - 1].from : rank;
        const int after = i + 1 < d->pairs ? d->pair[i + 1].from : rank;

        if (rank == pair->from && before != rank)
            MPI_Recv(NULL, 0, MPI_CHAR, before, TAG_TURN, comm, MPI_STATUS_IGNORE);
        for (int k = 0; k < d->protocols; k++) {
            if (rank == pair->from)
                time_of(d, i, k)[round] = exchange(d, pair->to, true, d->bytes[k], trips, comm);
            else if (rank == pair->to)
                exchange(d, pair->from, false, d->bytes[k], trips, comm);
        }
        if (rank == pair->from && after != rank)
            MPI_Send(NULL, 0, MPI_CHAR, after, TAG_TURN, comm);
    }
}

/* Collects the times on rank 0; a pair is timed by its first node alone. */
static void collect(struct distances *d, int rank, MPI_Comm comm)
{
    const int count = d->pairs * d->protocols * d->rounds;

    if (rank)
        MPI_Reduce(d->time_s, NULL, count, MPI_DOUBLE, MPI_SUM, 0, comm);
    else
        MPI_Reduce(MPI_IN_PLACE, d->time_s, count, MPI_DOUBLE, MPI_SUM, 0, comm);
}

/* Returns the number of rounds made. */
static int measure(struct fr_context *context, struct distances *d, MPI_Comm comm)
{
    const bool is_simulated = context->world->is_simulated;
    int rank, round = 0;

    MPI_Comm_rank(comm, &rank);
    for (; round < d->rounds && !fr_bench_is_late(context, comm); round++)
        measure_round(d, round, is_simulated ? TRIPS_SIMULATED : TRIPS, rank, comm);
    collect(d, rank, comm);
    return round;
}

/* Reduces the rounds to the best one, the first of each pair and protocol; returns the median
 * spread. */
static double take_best(const struct distances *d, int rounds)
{
    const int count = d->pairs * d->protocols;
    double *spread = fr_world_record((size_t)count, sizeof *spread), median;

    for (int i = 0; i < d->pairs; i++)
        for (int k = 0; k < d->protocols; k++)
            /* Sorts the times of the rounds. */
            spread[i * d->protocols + k] = fr_sample_spread(time_of(d, i, k), rounds);
    median = fr_sample_median(spread, count);
    fr_record_free(spread);
    return median;
}

/* Writes a row for each protocol.  A latency that noise makes negative is not written, and neither
 * are the other rows of the distance: they would not be complete. */
static void write_distance(struct fr_context *context, const struct distances *d, int i)
{
    const struct fr_protocols *protocols = &context->protocols;
    const int count = d->first[i + 1] - d->first[i];
    double mean_s[FR_PROTOCOLS_MAX] = { 0 }, most_s[FR_PROTOCOLS_MAX] = { 0 };

    for (int k = 0; k < d->protocols; k++) {
        for (int p = d->first[i]; p < d->first[i + 1]; p++) {
            const double latency_s =
                protocols->line[k][FR_OFF_NODE].latency_s + *time_of(d, p, k) - *time_of(d, 0, k);

            mean_s[k] += latency_s / count;
            most_s[k] = fmax(most_s[k], latency_s);
        }
        if (!(mean_s[k] > 0))
            return;
    }
    for (int k = 0; k < d->protocols; k++)
        *FR_ADD_ROW(context->document, context->document->found.network.latency_by_distance) =
            (struct fr_distance_latency){ d->distance[i], protocols->limit_bytes[k], mean_s[k],
                                          fmax(mean_s[k], most_s[k]) };
}

static void record(struct fr_context *context, struct distances *d, int rounds)
{
    const double spread = take_best(d, rounds);

    for (int i = 0; i < d->count; i++)
        write_distance(context, d, i);
    fr_document_source(
        context->document, "/network/latency_by_distance",
        fr_document_measured(d->pairs * d->protocols * rounds, spread, "best round"),
        "half a round trip of the shortest message of each protocol, up to %d pairs of nodes at "
        "each of %d distances in the order of the job, beyond that of the ping-pong",
        PAIRS_OF_DISTANCE, d->count);
}

static void run_team(struct fr_context *context, struct distances *d)
{
    const bool plays = context->world->node_rank == 0;
    struct fr_team team = fr_team_begin(context->world, plays);
    const int longest = d->bytes[d->protocols - 1];
    int rounds;

    if (plays) {
        d->sent = fr_message_buffer_take(context, longest + 1);
        d->received = fr_message_buffer_take(context, longest + 1);
        rounds = measure(context, d, team.comm);
        if (context->world->rank == 0 && rounds)
            record(context, d, rounds);
        free(d->sent);
        free(d->received);
    }
    fr_team_end(context->world, &team);
}

/* Why nothing can be measured, or NULL. */
static const char *obstacle(const struct fr_context *context)
{
    if (context->world->hosts < 2)
        return "all ranks are on one node";
    if (context->world->hosts == 2)
        return "two nodes have one distance";
    if (context->networking->transfer != FR_SEND)
        return "one-sided transfers";
    return context->protocols.count ? NULL : "the ping-pong is missing";
}

static void run(struct fr_context *context)
{
    const char *why = obstacle(context);
    struct distances *d;

    if (why) {
        fr_bench_missing(context, "distances", "%s", why);
        return;
    }
    d = fr_world_record(1, sizeof *d);
    choose_distances(d, context->world->hosts);
    choose_pairs(context, d, context->world->hosts);
    choose_bytes(context, d);
    d->rounds = context->world->is_simulated ? ROUNDS_SIMULATED : context->options->repetitions;
    d->time_s = fr_world_record((size_t)(d->pairs * d->protocols * d->rounds), sizeof *d->time_s);
    run_team(context, d);
    fr_record_free(d->time_s);
    fr_record_free(d);
}

const struct fr_bench fr_bench_distances = {
    .name = "distances",
    .group = "network",
    .summary = "latency by the distance between nodes",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
