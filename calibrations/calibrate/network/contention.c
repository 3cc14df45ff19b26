/* The slowdown of a message when every process sends one.
 *
 * J. Gonzalez-Dominguez et al., "Constructing Performance Models for Dense Linear Algebra
 * Algorithms on Cray XE Systems", IV: all p processes send w bytes to the rank at distance d and
 * receive from the rank at distance -d, at the same time.  The factors are the times of the mean
 * and of the slowest process, relative to the time T of an undisturbed message by the ping-pong
 * fit.
 *
 * The models apply the factors to any size.  The benchmark therefore also tries shorter messages;
 * the source states from which size on they have the same factors.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { ROWS_MAX = 512, DISTANCES_MAX = 32, SIZES_MAX = 10, SHORTEST = 1 << 10 };

/* The times of single processes are kept of at most so many. */
enum { KEPT_PROCESSES = 256 };

/* Time limit of a round at one distance. */
static const double round_s = 1e-2;

/* Factors with a smaller relative difference count as equal. */
static const double same = 0.1;

struct row {
    int processes, distance, bytes;
};

struct shift {
    int message_bytes;
    char *sent, *received;
    struct fr_transfer_way way;
    struct row row[ROWS_MAX];
    struct fr_timed_collective times[ROWS_MAX];
    fr_numbers process_s[ROWS_MAX]; /* of each process, on rank 0 */
    int rows;                       /* rows of the factors; those of shorter messages follow */
    int constant_bytes, sizes, most_distance;
    struct fr_collective_summary summary;
    FILE *file; /* on rank 0, with --times; otherwise NULL */
};

static enum fr_path path_of(const struct fr_context *context)
{
    return context->protocols.has[FR_OFF_NODE] ? FR_OFF_NODE : FR_ON_NODE;
}

static double ideal_s(const struct fr_context *context, double bytes)
{
    return fr_protocol_time_s(&context->protocols, path_of(context), bytes);
}

/* Chooses 1, 2, 4, ..., and the side of the grid if the processes form a square. */
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

static int exchange(void *with, int index)
{
    const struct shift *shift = with;
    const struct row *row = &shift->row[index];

    fr_transfer_shift(&shift->way, row->distance, row->bytes);
    return 1;
}

/* Keeps and writes the time of every process in the last try of each row; `own_s` has those of this
 * process. */
static void gather_times(const struct fr_context *context, struct shift *shift, int first,
                         int count, double *own_s, MPI_Comm team)
{
    double *all_s = NULL;
    int size;

    MPI_Comm_size(team, &size);
    if (context->world->rank == 0)
        all_s = fr_world_record((size_t)size * (size_t)count, sizeof *all_s);
    MPI_Gather(own_s, count, MPI_DOUBLE, all_s, count, MPI_DOUBLE, 0, team);
    for (int i = 0; all_s && size <= KEPT_PROCESSES && i < count; i++) {
        double *kept = fr_document_memory(context->document, (size_t)size, sizeof *kept);

        for (int rank = 0; rank < size; rank++)
            kept[rank] = all_s[rank * count + i];
        shift->process_s[first + i] = (fr_numbers){ kept, (size_t)size };
    }
    for (int i = 0; all_s && shift->file && i < count; i++)
        for (int rank = 0; rank < size; rank++) {
            const struct row *row = &shift->row[first + i];
            const double time_s = all_s[rank * count + i];

            if (time_s > 0)
                fprintf(shift->file, "%d,%d,%d,%d,%d,%.9g,%.6g\n", row->processes, row->distance,
                        row->bytes, rank, context->world->host[rank], time_s,
                        time_s / ideal_s(context, row->bytes));
        }
    fr_record_free(all_s);
}

/* Short messages are tried several times. */
static int choose_tries(const struct fr_context *context, int bytes)
{
    if (context->world->is_simulated)
        return 1;
    return (int)fmin(FR_TRIES_MAX, fmax(1, round_s / ideal_s(context, bytes)));
}

/* Measures the rows `first` to `first + count - 1`; rank 0 gets the times. */
static void measure(struct fr_context *context, struct shift *shift, int first, int count,
                    const char *of)
{
    const int processes = shift->row[first].processes;
    const bool works = context->world->rank < processes;
    double *own_s = fr_world_record((size_t)count, sizeof *own_s);
    struct fr_workload workload = { .run = exchange, .with = shift, .first = first };
    struct fr_team team = fr_team_begin(context->world, works);
    char what[64];

    workload.tries = choose_tries(context, shift->row[first].bytes);
    workload.own_s = own_s;
    snprintf(what, sizeof what, "contention of %d processes%s", processes, of);
    if (works) {
        shift->way = fr_transfer_open(context->networking->transfer, team.comm, shift->sent,
                                      shift->received, shift->message_bytes);
        fr_timed_collective_measure(context, team.comm, what, &workload, shift->times + first,
                                    count);
        fr_transfer_close(&shift->way);
        if (context->networking->times || processes <= KEPT_PROCESSES)
            gather_times(context, shift, first, count, own_s, team.comm);
    }
    fr_team_end(context->world, &team);
    fr_record_free(own_s);
}

static void plan(struct fr_context *context)
{
    const int bytes = (int)context->options->contention_message_bytes;
    int distance[DISTANCES_MAX];
    struct fr_list processes;

    fr_bench_processes(context, NULL, &processes);
    for (int i = 0; i < processes.count; i++) {
        const int p = (int)processes.value[i], count = choose_distances(p, distance);
        const int operations = count * choose_tries(context, bytes);
        char what[FR_PLAN_WHAT_BYTES];

        fr_plan_name("contention", p, what);
        fr_plan_add(&context->plan, what, p, 1, operations,
                    context->options->repetitions * operations *
                        fr_plan_operation_s(&context->plan, p, 1, bytes));
    }
}

static void run_processes(struct fr_context *context, struct shift *shift, int processes)
{
    const int first = shift->rows;
    int distance[DISTANCES_MAX];
    const int count = choose_distances(processes, distance);
    char what[FR_PLAN_WHAT_BYTES];

    fr_plan_name("contention", processes, what);
    if (first + count + 2 * SIZES_MAX > ROWS_MAX || !fr_plan_begin(context, what))
        return;
    for (int i = 0; i < count; i++)
        shift->row[first + i] = (struct row){ processes, distance[i], shift->message_bytes };
    shift->rows += count;
    measure(context, shift, first, count, "");
    fr_plan_end(context, what);
}

static double factor(struct fr_context *context, struct shift *shift, int index, bool is_maximum)
{
    struct fr_timed_collective *times = &shift->times[index];
    const double time_s =
        is_maximum ? fr_timed_collective_maximum_s(times) : fr_timed_collective_average_s(times);

    return time_s / ideal_s(context, shift->row[index].bytes);
}

static int largest_measured(const struct shift *shift)
{
    int largest = 0;

    for (int i = 0; i < shift->rows; i++)
        if (shift->times[i].rounds && shift->row[i].processes > largest)
            largest = shift->row[i].processes;
    return largest;
}

/* The distance with the largest factor at the largest process count; known to rank 0. */
static int find_most_distance(struct fr_context *context, struct shift *shift, int processes)
{
    double most = 0;
    int distance = 1;

    for (int i = 0; i < shift->rows; i++)
        if (shift->row[i].processes == processes && shift->times[i].rounds &&
            factor(context, shift, i, true) > most) {
            most = factor(context, shift, i, true);
            distance = shift->row[i].distance;
        }
    return distance;
}

/* Tries shorter messages at that distance, each a quarter of the previous size. */
static void run_sizes(struct fr_context *context, struct shift *shift)
{
    double factors[SIZES_MAX];
    int told[2] = { largest_measured(shift), 0 };

    if (told[0])
        told[1] = find_most_distance(context, shift, told[0]);
    MPI_Bcast(told, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (!told[0])
        return;
    shift->most_distance = told[1];
    for (int bytes = shift->message_bytes; bytes >= SHORTEST && shift->sizes < SIZES_MAX;
         bytes /= 4)
        shift->row[shift->rows + shift->sizes++] = (struct row){ told[0], told[1], bytes };
    if (shift->sizes < 2)
        return;
    measure(context, shift, shift->rows, shift->sizes, ", shorter messages");
    if (context->world->rank)
        return;
    for (int i = 0; i < shift->sizes; i++) {
        if (!shift->times[shift->rows + i].rounds)
            return;
        factors[shift->sizes - 1 - i] = factor(context, shift, shift->rows + i, true);
    }
    shift->constant_bytes =
        shift->row[shift->rows + shift->sizes - 1 - fr_sample_settled(factors, shift->sizes, same)]
            .bytes;
}

/* The averages of the paper do not depend on the process count; they are those of the largest.
 * Models that distinguish counts use the rows with a count. */
static void write_averages(struct fr_context *context, struct shift *shift)
{
    const int largest = largest_measured(shift);

    for (int with_count = 0; with_count < 2; with_count++)
        for (int i = 0; i < shift->rows; i++) {
            const struct row *row = &shift->row[i];

            if (shift->times[i].rounds && (with_count || row->processes == largest))
                *FR_ADD_ROW(context->document, context->document->found.contention.average) =
                    (struct fr_factor){ with_count ? row->processes : 0, row->distance,
                                        factor(context, shift, i, false) };
        }
}

/* The times of the single processes, of the most of which they were kept. */
static void write_process_times(struct fr_context *context, const struct shift *shift)
{
    size_t most = 0;

    for (int i = 0; i < shift->rows; i++)
        if (shift->times[i].rounds && shift->process_s[i].count > most)
            most = shift->process_s[i].count;
    for (int i = 0; i < shift->rows; i++)
        if (shift->times[i].rounds && most && shift->process_s[i].count == most)
            *FR_ADD_ROW(context->document, context->document->found.contention.process_times) =
                (struct fr_process_times){ shift->row[i].distance, shift->process_s[i] };
}

static void record(struct fr_context *context, struct shift *shift)
{
    const enum fr_transfer transfer = context->networking->transfer;
    char constant[120] = "";

    context->document->found.contention.message_bytes = shift->message_bytes;
    write_averages(context, shift);
    for (int i = 0; i < shift->rows; i++)
        if (shift->times[i].rounds)
            *FR_ADD_ROW(context->document, context->document->found.contention.maximum) =
                (struct fr_factor){ shift->row[i].processes, shift->row[i].distance,
                                    factor(context, shift, i, true) };
    write_process_times(context, shift);
    fr_timed_collective_count(&shift->summary, shift->times, shift->rows + shift->sizes);
    if (shift->constant_bytes)
        snprintf(constant, sizeof constant,
                 "; at distance %d within %.0f %% of that for %d bytes or more, %d sizes tried",
                 shift->most_distance, 100 * same, shift->constant_bytes, shift->sizes);
    fr_document_source(
        context->document, "/contention", fr_timed_collective_source(&shift->summary),
        "all processes send to the rank at that distance at once%s%s, relative to the %.4g s of "
        "one message %s by the ping-pong fit; average without a count: %d processes%s",
        transfer == FR_SEND ? "" : ", ",
        transfer == FR_SEND ? "" : fr_transfer_description(transfer),
        ideal_s(context, shift->message_bytes),
        path_of(context) == FR_OFF_NODE ? "between nodes" : "on a node", largest_measured(shift),
        constant);
}

static void fail(struct fr_context *context)
{
    fr_bench_say(context, "--times %s: %s", context->networking->times, strerror(errno));
    context->has_failed = true;
}

static FILE *begin_times(struct fr_context *context)
{
    FILE *file;

    if (!context->networking->times || context->world->rank)
        return NULL;
    file = fopen(context->networking->times, "w");
    if (file)
        fputs("processes,distance,message_bytes,rank,node,time_s,factor\n", file);
    else
        fail(context);
    return file;
}

static void end_times(struct fr_context *context, FILE *file)
{
    if (file && (ferror(file) | fclose(file)))
        fail(context);
}

static int check(const struct fr_context *context, char why[160])
{
    const char *const times = context->networking->times;
    FILE *file = times ? fopen(times, "a") : NULL;

    if (times && !file) {
        snprintf(why, 160, "--times %.80s: %.60s", times, strerror(errno));
        return -1;
    }
    if (file)
        fclose(file);
    return 0;
}

static void run(struct fr_context *context)
{
    struct fr_list processes;
    struct shift *shift;

    if (!context->protocols.count) {
        fr_bench_missing(context, "contention", "no ping-pong time for comparison");
        return;
    }
    if (!fr_bench_processes(context, "contention", &processes))
        return;
    shift = fr_world_record(1, sizeof *shift);
    shift->message_bytes =
        fr_message_buffer_for(context, "contention", context->options->contention_message_bytes, 2);
    shift->sent = fr_message_buffer_take(context, shift->message_bytes);
    shift->received = fr_message_buffer_take(context, shift->message_bytes);
    shift->file = begin_times(context);
    for (int i = 0; i < processes.count; i++)
        run_processes(context, shift, (int)processes.value[i]);
    run_sizes(context, shift);
    end_times(context, shift->file);
    if (context->world->rank == 0 && largest_measured(shift))
        record(context, shift);
    free(shift->sent);
    free(shift->received);
    fr_record_free(shift);
}

const struct fr_bench fr_bench_contention = {
    .name = "contention",
    .group = "contention",
    .summary = "slowdown when all send at once, by distance and processes",
    .needs_ranks = 2,
    .after = "pingpong",
    .check = check,
    .plan = plan,
    .run = run,
};
