/* The time of one message between two processes, and the protocols behind it.  It is that of data
 * just written (transfer.c), for a pair on different nodes and a pair on one.  Each round visits
 * the sizes in a new order and keeps the median of their samples.  The time of a size is that of
 * its best round, because other traffic can only delay a message.  Around each limit between
 * protocols that the fit finds, more sizes are measured and the fit is repeated.  Finally, each
 * protocol is tried with a late receiver to find whether it is eager. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { SAMPLES = 9, SAMPLES_LONG = 3, ROUNDS_MAX = 99, TRIPS_MAX = 200, TRIPS_SIMULATED = 10 };
/* BETWEEN sizes are added between a limit and the next size, in each of SEARCHES refinements. */
enum { BETWEEN = 3, SEARCHES = 3, SEARCHED_MAX = 1 << 20 };
enum { EAGER_TAG = 7, EAGER_TRIES = 5, TIMES_LATE = 20 };
static const double least_late_s = 1e-3;
static const double close_enough = 1.03;
static const double sample_s = 3e-4, long_s = 2e-3;

struct size {
    double bytes;
    int trips[FR_PATHS], samples[FR_PATHS]; /* 0: not chosen yet */
    int rounds[FR_PATHS];
    double median_s[FR_PATHS][ROUNDS_MAX];
};

struct curve {
    struct size size[FR_PINGS_MAX];
    int count;
    bool has[FR_PATHS];
    char *sent, *received;
    int longest; /* bytes of each buffer */
    bool is_eager[FR_PROTOCOLS_MAX];
};

/* Short messages need many trips because of the clock, long ones few samples because of their
 * duration.  Simulated messages always take the same time. */
static void choose_trips(const struct fr_transfer_way *way, struct size *size, enum fr_path path,
                         bool is_simulated)
{
    const double once_s = is_simulated ? 0 : fr_transfer_s(way, (int)size->bytes, 2);
    const double wanted = is_simulated ? TRIPS_SIMULATED
                          : once_s > 0 ? ceil(sample_s / (2 * once_s))
                                       : 1;
    int chosen[2] = { wanted > TRIPS_MAX ? TRIPS_MAX
                      : wanted < 1       ? 1
                                         : (int)wanted,
                      is_simulated      ? 1
                      : once_s > long_s ? SAMPLES_LONG
                                        : SAMPLES };

    MPI_Bcast(chosen, 2, MPI_INT, 0, way->comm);
    size->trips[path] = chosen[0];
    size->samples[path] = chosen[1];
}

static void measure_size(const struct fr_transfer_way *way, struct size *size, enum fr_path path,
                         bool is_simulated)
{
    double time_s[SAMPLES];
    const int bytes = (int)size->bytes;

    if (!size->trips[path])
        choose_trips(way, size, path, is_simulated);
    for (int i = 0; i < size->samples[path]; i++)
        time_s[i] = fr_transfer_s(way, bytes, size->trips[path]);
    size->median_s[path][size->rounds[path]++] = fr_sample_median(time_s, size->samples[path]);
}

static int peer_on(const struct fr_context *context, enum fr_path path)
{
    return path == FR_OFF_NODE ? fr_hops_nearest(context) : context->world->on_node_peer;
}

/* Measures the sizes from `first` on, between rank 0 and its peer. */
static void measure(struct fr_context *context, struct curve *curve, int first, enum fr_path path)
{
    const int peer = path == FR_OFF_NODE ? fr_hops_nearest(context) : context->world->on_node_peer;
    const int count = curve->count - first, rounds = context->options->repetitions;
    const bool plays = context->world->rank == 0 || context->world->rank == peer;
    struct fr_random random = context->random;
    struct fr_progress progress;
    struct fr_transfer_way way;
    struct fr_team team;
    int order[FR_PINGS_MAX];

    if (peer < 0 || count < 1)
        return;
    curve->has[path] = true;
    team = fr_team_begin(context->world, plays);
    progress = fr_progress_begin(
        context, path == FR_OFF_NODE ? "ping-pong between nodes" : "ping-pong on a node",
        (double)rounds * count);
    if (plays)
        way = fr_transfer_open(context->networking->transfer, team.comm, curve->sent,
                               curve->received, curve->longest);
    for (int round = 0; plays && round < rounds; round++) {
        fr_random_order(&random, order, count);
        for (int i = 0; i < count && !fr_bench_is_late(context, team.comm); i++) {
            measure_size(&way, &curve->size[first + order[i]], path, context->world->is_simulated);
            fr_progress_add(&progress, 1);
        }
    }
    if (plays) {
        fr_transfer_close(&way);
        fr_progress_end(&progress);
    }
    fr_team_end(context->world, &team);
}

static void add_size(struct curve *curve, double bytes)
{
    for (int i = 0; i < curve->count; i++)
        if (curve->size[i].bytes == bytes)
            return;
    if (curve->count < FR_PINGS_MAX)
        curve->size[curve->count++] = (struct size){ .bytes = bytes };
}

static double least(const double *values, int count)
{
    double smallest = HUGE_VAL;

    for (int i = 0; i < count; i++)
        smallest = values[i] < smallest ? values[i] : smallest;
    return smallest;
}

static int by_bytes(const void *a, const void *b)
{
    const double x = ((const struct fr_ping *)a)->message_bytes;
    const double y = ((const struct fr_ping *)b)->message_bytes;

    return (x > y) - (x < y);
}

/* Rank 0 fits and broadcasts; count is 0 if there are too few sizes. */
static void fit(struct fr_context *context, const struct curve *curve)
{
    struct fr_protocols *protocols = &context->protocols;
    struct fr_ping *ping = context->pings.ping;
    int count = 0;

    memcpy(context->pings.has, curve->has, sizeof curve->has);
    for (int i = 0; i < curve->count; i++) {
        const struct size *size = &curve->size[i];
        bool is_complete = true;

        ping[count].message_bytes = size->bytes;
        for (int path = 0; path < FR_PATHS; path++) {
            ping[count].time_s[path] = least(size->median_s[path], size->rounds[path]);
            is_complete = is_complete && (!curve->has[path] || size->rounds[path]);
        }
        count += is_complete;
    }
    qsort(ping, (size_t)count, sizeof *ping, by_bytes);
    if (context->world->rank == 0 && fr_protocol_fit(ping, count, curve->has, protocols))
        protocols->count = 0;
    MPI_Bcast(protocols, sizeof *protocols, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    context->pings.count = count;
}

/* Adds sizes between each limit and the next size measured, where the true limit lies. */
static void add_sizes_at_limits(const struct fr_protocols *protocols, struct curve *curve)
{
    for (int k = 0; k + 1 < protocols->count; k++) {
        const double limit = protocols->limit_bytes[k], next = protocols->beyond_bytes[k];

        if (limit > SEARCHED_MAX) /* above the limits of all libraries; long messages take long */
            break;
        for (int i = 1; i <= BETWEEN && next > close_enough * limit; i++)
            add_size(curve, floor(limit + (next - limit) * i / (BETWEEN + 1)));
    }
}

/* Most limits are powers of two, and so are many messages of programs: a limit that may be one is
 * measured there, too. */
static void add_powers_at_limits(const struct fr_protocols *protocols, struct curve *curve)
{
    for (int k = 0; k + 1 < protocols->count && protocols->limit_bytes[k] <= SEARCHED_MAX; k++) {
        double size[FR_SIZES_AT_POWER];
        const int sizes = fr_sizes_at_power(protocols, k, size);

        for (int i = 0; i < sizes; i++)
            add_size(curve, size[i]);
    }
}

/* A send is eager if it ends before its late receiver starts. */
static bool is_eager_once(MPI_Comm pair, int rank, char *buffer, int bytes, double late_s)
{
    const struct timespec nap = { (time_t)late_s, (long)(1e9 * (late_s - (double)(time_t)late_s)) };
    double began_s;

    MPI_Barrier(pair);
    began_s = MPI_Wtime();
    if (rank == 0) {
        MPI_Send(buffer, bytes, MPI_CHAR, 1, EAGER_TAG, pair);
        return MPI_Wtime() - began_s < late_s / 2;
    }
    nanosleep(&nap, NULL);
    MPI_Recv(buffer, bytes, MPI_CHAR, 0, EAGER_TAG, pair, MPI_STATUS_IGNORE);
    return false;
}

/* Rank 1 of `pair` receives late, by a multiple of the time of the message.  The majority of the
 * tries counts, because other processes of a busy node may delay either side.  Collective; the same
 * on both. */
static bool is_eager(MPI_Comm pair, char *buffer, int bytes, double time_s)
{
    const double late_s = fmax(TIMES_LATE * time_s, least_late_s);
    int rank, quick = 0;

    MPI_Comm_rank(pair, &rank);
    for (int i = 0; i < EAGER_TRIES; i++)
        quick += is_eager_once(pair, rank, buffer, bytes, late_s);
    MPI_Bcast(&quick, 1, MPI_INT, 0, pair);
    return quick > EAGER_TRIES / 2;
}

/* Tries each protocol in the middle of its range, on the path that the models use. */
static void find_eager(struct fr_context *context, struct curve *curve)
{
    const struct fr_protocols *protocols = &context->protocols;
    const enum fr_path path = protocols->has[FR_OFF_NODE] ? FR_OFF_NODE : FR_ON_NODE;
    const int peer = peer_on(context, path);
    const bool plays = context->world->rank == 0 || context->world->rank == peer;
    struct fr_team team = fr_team_begin(context->world, plays);

    for (int k = 0; k < protocols->count && plays; k++) {
        const double low = k ? protocols->limit_bytes[k - 1] : 1;
        const double high = fmin(protocols->limit_bytes[k], curve->longest);
        const int bytes = (int)sqrt(low * high);

        curve->is_eager[k] =
            is_eager(team.comm, curve->sent, bytes, fr_protocol_time_s(protocols, path, bytes));
    }
    fr_team_end(context->world, &team);
}

static void write_protocols(struct fr_context *context, const struct curve *curve, bool is_sent)
{
    static const struct fr_link none = { NAN, NAN };
    const struct fr_protocols *protocols = &context->protocols;

    for (int k = 0; k < protocols->count; k++) {
        struct fr_link link[FR_PATHS];

        for (int path = 0; path < FR_PATHS; path++)
            link[path] = protocols->has[path] ? protocols->line[k][path] : none;
        *FR_ADD_ROW(context->document, context->document->found.network.protocols) =
            (struct fr_protocol){ .name = fr_protocol_name(protocols, k),
                                  .max_message_bytes = protocols->limit_bytes[k],
                                  .pipelined = is_sent ? curve->is_eager[k] : -1,
                                  .off_node = link[FR_OFF_NODE],
                                  .on_node = link[FR_ON_NODE] };
    }
}

static void record(struct fr_context *context, struct curve *curve)
{
    struct fr_pings *pings = &context->pings;
    double spread[FR_PATHS * FR_PINGS_MAX];
    int samples = 0, spreads = 0;

    for (int i = 0; i < curve->count; i++)
        for (int path = 0; path < FR_PATHS; path++) {
            const int rounds = curve->size[i].rounds[path];

            if (!rounds)
                continue;
            spread[spreads++] = fr_sample_spread(curve->size[i].median_s[path], rounds);
            samples += rounds * curve->size[i].samples[path];
        }
    pings->samples = samples;
    pings->spread = fr_sample_median(spread, spreads);
    write_protocols(context, curve, context->networking->transfer == FR_SEND);
    fr_document_source(
        context->document, "/network/protocols",
        fr_document_measured(samples, pings->spread, "median of the best round"),
        "%s%s%s, %d sizes up to %.0f bytes, fitted piecewise with a root mean square error of "
        "%.1f %%%s",
        fr_transfer_description(context->networking->transfer),
        curve->has[FR_OFF_NODE] ? " between two nodes" : " on one node",
        curve->has[FR_OFF_NODE] && curve->has[FR_ON_NODE] ? " and on one" : "", curve->count,
        curve->size[0].bytes, 100 * context->protocols.error_fraction,
        context->networking->transfer == FR_SEND
            ? "; pipelined messages are sent before the receiver is ready"
            : "");
}

/* The contention factors are relative to the fit, which must cover their message size. */
static int64_t longest_message(const struct fr_calibrate_options *options)
{
    return options->max_message_bytes > options->contention_message_bytes
               ? options->max_message_bytes
               : options->contention_message_bytes;
}

/* Measures the sizes from `known` on, and fits again. */
static void refine(struct fr_context *context, struct curve *curve, int known)
{
    measure(context, curve, known, FR_OFF_NODE);
    measure(context, curve, known, FR_ON_NODE);
    fit(context, curve);
}

static void run(struct fr_context *context)
{
    struct curve *curve = fr_world_record(1, sizeof *curve);
    const int longest =
        fr_message_buffer_for(context, "pingpong", longest_message(context->options), 2);
    struct fr_list sizes;

    fr_value_ladder(8, longest, &sizes);
    /* The longest message is first, because the first use of new buffers is the slowest. */
    add_size(curve, (double)longest);
    for (int i = 0; i < sizes.count; i++)
        add_size(curve, (double)sizes.value[i]);
    add_size(curve, 0);
    add_size(curve, 1);
    curve->longest = longest;
    curve->sent = fr_message_buffer_take(context, longest);
    curve->received = fr_message_buffer_take(context, longest);
    measure(context, curve, 0, FR_OFF_NODE);
    measure(context, curve, 0, FR_ON_NODE);
    fit(context, curve);
    for (int i = 0; i < SEARCHES && context->protocols.count > 1; i++) {
        const int known = curve->count;

        add_sizes_at_limits(&context->protocols, curve);
        refine(context, curve, known);
    }
    if (context->protocols.count > 1) {
        const int known = curve->count;

        add_powers_at_limits(&context->protocols, curve);
        refine(context, curve, known);
    }
    if (context->protocols.count && context->networking->transfer == FR_SEND)
        find_eager(context, curve);
    if (context->protocols.count && context->world->rank == 0)
        record(context, curve);
    else if (!context->protocols.count)
        fr_bench_say(context, "network.protocols: left out, too few sizes were measured");
    free(curve->sent);
    free(curve->received);
    fr_record_free(curve);
}

const struct fr_bench fr_bench_pingpong = {
    .name = "pingpong",
    .group = "network",
    .summary = "latency and bandwidth between two processes, by protocol",
    .needs_ranks = 2,
    .run = run,
};
