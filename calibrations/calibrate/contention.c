/* How much slower a message is when every process sends one.
 *
 * J. Gonzalez-Dominguez et al., "Constructing Performance Models for Dense Linear Algebra
 * Algorithms on Cray XE Systems", IV: all p processes send w bytes to the rank d further on and
 * receive from the rank d before, at the same time.  The factors are the mean over the processes
 * and the slowest of them, over the time T that an undisturbed message takes by the ping-pong fit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "progress.h"
#include "record.h"
#include "json/writer.h"

enum { ROUNDS_MAX = 99, TRIES_MAX = 15, ROWS_MAX = 512, DISTANCES_MAX = 32, TAG_SHIFT = 2 };

/* What a round may take at one distance: short messages are tried several times. */
static const double round_s = 1e-2;

struct row {
    int processes, distance, rounds;
    double average[ROUNDS_MAX], maximum[ROUNDS_MAX]; /* factors */
};

struct shift {
    int message_bytes;
    int tries; /* in a round */
    double ideal_s;
    char *sent, *received;
    struct row *row; /* ROWS_MAX of them */
    int rows;
};

/* Half of the memory that is free now, shared by the ranks of the node. */
static int64_t memory_for_message(const struct fr_context *context)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    long long kibibytes = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lld kB", &kibibytes) == 1)
            break;
    if (file)
        fclose(file);
    /* Simulated ranks share their pages: see the simulator's shared allocation. */
    if (!kibibytes || context->world->is_simulated)
        return INT64_MAX;
    return kibibytes * 1024 / 2 / (2 * context->world->node_size);
}

static int choose_message(const struct fr_context *context)
{
    const int64_t room = memory_for_message(context);
    int64_t bytes = context->options->contention_message_bytes, least;

    while (bytes > room && bytes > 1)
        bytes /= 2;
    MPI_Allreduce(&bytes, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    if (least < context->options->contention_message_bytes)
        fr_bench_say(context, "contention: messages of %lld bytes, memory has no room for more",
                     (long long)least);
    return (int)least;
}

/* 1, 2, 4, ..., and the side of the square grid where the processes make one. */
static int choose_distances(int processes, int *distance)
{
    const int side = (int)lround(sqrt(processes));
    int count = 0;
    bool is_power = false;

    for (int d = 1; d < processes && count < DISTANCES_MAX - 1; d *= 2) {
        distance[count++] = d;
        is_power = is_power || d == side;
    }
    if (side * side == processes && side > 1 && !is_power)
        distance[count++] = side;
    return count;
}

/* One exchange; the mean and the slowest of the team, the same on all its ranks. */
static void exchange(const struct shift *shift, MPI_Comm team, int distance, double *mean_s,
                     double *slowest_s)
{
    MPI_Request request[2];
    double began_s, own_s;
    int rank, size;

    MPI_Comm_rank(team, &rank);
    MPI_Comm_size(team, &size);
    MPI_Barrier(team);
    began_s = MPI_Wtime();
    MPI_Irecv(shift->received, shift->message_bytes, MPI_CHAR, (rank - distance + size) % size,
              TAG_SHIFT, team, &request[0]);
    MPI_Isend(shift->sent, shift->message_bytes, MPI_CHAR, (rank + distance) % size, TAG_SHIFT,
              team, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    own_s = MPI_Wtime() - began_s;
    MPI_Allreduce(&own_s, mean_s, 1, MPI_DOUBLE, MPI_SUM, team);
    MPI_Allreduce(&own_s, slowest_s, 1, MPI_DOUBLE, MPI_MAX, team);
    *mean_s /= size;
}

/* One round at one distance: the medians over its tries. */
static void measure_row(const struct shift *shift, struct row *row, MPI_Comm team)
{
    double mean_s[TRIES_MAX], slowest_s[TRIES_MAX];

    for (int i = 0; i < shift->tries; i++)
        exchange(shift, team, row->distance, &mean_s[i], &slowest_s[i]);
    row->average[row->rounds] = fr_sample_median(mean_s, shift->tries) / shift->ideal_s;
    row->maximum[row->rounds++] = fr_sample_median(slowest_s, shift->tries) / shift->ideal_s;
}

static void measure(struct fr_context *context, struct shift *shift, struct row *row, int rows,
                    MPI_Comm team)
{
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress;
    int order[DISTANCES_MAX];
    double mean_s, slowest_s;
    char what[64];

    snprintf(what, sizeof what, "contention of %d processes", row->processes);
    progress = fr_progress_begin(context, what, (double)rounds * rows);
    exchange(shift, team, 1, &mean_s, &slowest_s); /* connections are made, pages touched */
    for (int round = 0; round < rounds; round++) {
        fr_random_order(&random, order, rows);
        for (int i = 0; i < rows && !fr_bench_is_late(context, team); i++) {
            measure_row(shift, &row[order[i]], team);
            fr_progress_add(&progress, 1);
        }
    }
    fr_progress_end(&progress);
}

/* Rank 0 has the rows in the end. */
static void run_processes(struct fr_context *context, struct shift *shift, int processes)
{
    struct row *row = shift->row + shift->rows;
    int distance[DISTANCES_MAX];
    const int rows = choose_distances(processes, distance);
    const bool works = context->world->rank < processes;
    struct fr_team team;

    if (shift->rows + rows > ROWS_MAX)
        return;
    for (int i = 0; i < rows; i++) {
        row[i].processes = processes;
        row[i].distance = distance[i];
        row[i].rounds = 0;
    }
    team = fr_team_begin(context->world, works);
    if (works)
        measure(context, shift, row, rows, team.comm);
    fr_team_end(context->world, &team);
    shift->rows += rows;
}

static void write_row(struct fr_writer *out, int processes, int distance, double factor)
{
    fr_json_object(out);
    if (processes)
        fr_json_pair_integer(out, "processes", processes);
    fr_json_pair_integer(out, "distance", distance);
    fr_json_pair_number(out, "factor", factor);
    fr_json_object_end(out);
}

static int largest_measured(const struct shift *shift)
{
    int largest = 0;

    for (int i = 0; i < shift->rows; i++)
        if (shift->row[i].rounds && shift->row[i].processes > largest)
            largest = shift->row[i].processes;
    return largest;
}

/* The paper's averages, which do not depend on the process count, are those of the largest; the
 * rows with a count are for the models that tell them apart. */
static void write_averages(struct fr_context *context, struct shift *shift)
{
    struct fr_writer *out = fr_document_value(context->document, "/contention/average");
    const int largest = largest_measured(shift);

    fr_json_array(out);
    for (int with_count = 0; with_count < 2; with_count++)
        for (int i = 0; i < shift->rows; i++) {
            struct row *row = &shift->row[i];

            if (row->rounds && (with_count || row->processes == largest))
                write_row(out, with_count ? row->processes : 0, row->distance,
                          fr_sample_median(row->average, row->rounds));
        }
    fr_json_array_end(out);
}

static void record(struct fr_context *context, struct shift *shift)
{
    struct fr_writer *out;
    double spread[ROWS_MAX];
    int samples = 0, spreads = 0;

    fr_document_integer(context->document, "/contention/message_bytes", shift->message_bytes);
    write_averages(context, shift);
    out = fr_document_value(context->document, "/contention/maximum");
    fr_json_array(out);
    for (int i = 0; i < shift->rows; i++) {
        struct row *row = &shift->row[i];

        if (!row->rounds)
            continue;
        samples += row->rounds * shift->tries;
        spread[spreads++] = fr_sample_spread(row->maximum, row->rounds);
        write_row(out, row->processes, row->distance, fr_sample_median(row->maximum, row->rounds));
    }
    fr_json_array_end(out);
    fr_document_source(context->document, "/contention",
                       "measured: all processes send to the rank at that distance at once, over "
                       "%.4g s that the ping-pong fit gives one message %s; average without "
                       "processes: of %d (%d samples, spread %.1f %%)",
                       shift->ideal_s,
                       context->protocols.has[FR_OFF_NODE] ? "between nodes" : "on a node",
                       largest_measured(shift), samples, 100 * fr_sample_median(spread, spreads));
}

static void run(struct fr_context *context)
{
    const struct fr_protocols *protocols = &context->protocols;
    const enum fr_path path = protocols->has[FR_OFF_NODE] ? FR_OFF_NODE : FR_ON_NODE;
    struct fr_list processes = context->options->processes;
    struct shift shift = { .message_bytes = choose_message(context) };

    if (!protocols->count) {
        fr_bench_say(context, "contention: left out, there is no ping-pong to compare with");
        return;
    }
    shift.ideal_s = fr_protocol_time_s(protocols, path, shift.message_bytes);
    shift.tries = (int)fmin(TRIES_MAX, fmax(1, round_s / shift.ideal_s));
    shift.sent = malloc((size_t)shift.message_bytes);
    shift.received = malloc((size_t)shift.message_bytes);
    shift.row = fr_record_new(ROWS_MAX, sizeof *shift.row);
    if (!shift.sent || !shift.received || !shift.row)
        fr_world_out_of_memory();
    memset(shift.sent, 1, (size_t)shift.message_bytes);
    memset(shift.received, 2, (size_t)shift.message_bytes);
    if (!processes.count)
        fr_value_doublings(context->world->size, &processes);
    for (int i = 0; i < processes.count; i++)
        if (processes.value[i] > 1 && processes.value[i] <= context->world->size)
            run_processes(context, &shift, (int)processes.value[i]);
    if (context->world->rank == 0 && largest_measured(&shift))
        record(context, &shift);
    else if (context->world->rank == 0)
        fr_bench_say(context, "contention: left out, no time for it");
    free(shift.sent);
    free(shift.received);
    fr_record_free(shift.row);
}

const struct fr_bench fr_bench_contention = {
    .name = "contention",
    .group = "contention",
    .summary = "slowdown when all send at once, by distance and processes",
    .needs_ranks = 2,
    .after = "pingpong",
    .run = run,
};
