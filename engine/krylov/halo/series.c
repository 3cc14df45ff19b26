/* Cost of the messages of one process in a halo exchange
 * (docs/models/krylov.md#time-of-the-exchange). */
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/halo/halo.h"

#include <math.h>

const char *const krylov_progresses[] = {
    [PROGRESS_PENALTIES] = "penalties",
    [PROGRESS_EAGER] = "eager",
    [PROGRESS_ALL] = "all",
    NULL,
};
const struct fr_choice_alias krylov_progress_aliases[] = {
    { "penalties_only", PROGRESS_PENALTIES },
    { NULL, 0 },
};

/* The measured gap of the smallest messages. */
static double gap_s(const struct krylov_values *v, struct fr_evaluation *run)
{
    double bytes = INFINITY;

    for (size_t i = 0; i < run->cal->burst.count; i++)
        bytes = fmin(bytes, run->cal->burst.row[i].key[FR_TIMING_BYTES]);
    return krylov_burst_ratio(v, run, bytes) * krylov_postal(v, run, bytes, true).postal_s;
}

struct halo_conduct halo_conduct(const struct krylov_values *v, struct fr_evaluation *run,
                                 const struct krylov_overlap *overlap)
{
    struct halo_conduct conduct = { .v = v, .overlap = *overlap };

    conduct.is_burst = krylov_has_burst_table(v, run->cal);
    conduct.has_links = overlap->load && !isnan(overlap->load->link_s);
    if (conduct.is_burst && conduct.has_links)
        conduct.gap_s = gap_s(v, run);
    if (v->contention_model == KRYLOV_REFINED && !run->cal->burst.count &&
        (v->nodes > 1 || v->processes_per_node > 1))
        fr_warn(run->out, FR_WARN_PATTERN, "burst", 1, 1, 1);
    return conduct;
}

/* All c processes of a node send
 * (docs/models/krylov.md#decision-all-processes-send-in-a-halo-exchange).  With links their loads
 * stand for what nodes and stalls add. */
struct halo_message halo_message(const struct halo_conduct *conduct, struct fr_evaluation *run,
                                 double bytes, bool is_off_node, struct krylov_distance distance)
{
    const struct krylov_values *v = conduct->v;
    const double c = (double)v->processes_per_node;
    struct halo_message message = {
        .bytes = bytes,
        .is_off_node = is_off_node,
        .cost = krylov_postal(v, run, bytes, is_off_node),
        .share = 1,
    };

    if (is_off_node)
        message.distance = distance;
    if (conduct->has_links)
        return message;
    if (conduct->is_burst)
        message.share = krylov_burst_ratio(v, run, bytes);
    if (is_off_node && !conduct->is_burst)
        message.max_rate_s = krylov_max_rate_s(v, run, bytes, c);
    if (is_off_node)
        message.congestion_s = krylov_congestion_s(v, run, bytes, c, distance.hops);
    return message;
}

/* ---- sums ----------------------------------------------------------------------------------- */

static bool is_longer(const struct halo_message *a, const struct halo_series *than)
{
    if (a->cost.postal_s != than->longest.postal_s)
        return a->cost.postal_s > than->longest.postal_s;
    if (a->share != than->longest_share)
        return a->share > than->longest_share;
    return a->cost.is_pipelined && !than->longest.is_pipelined;
}

static double transfer_s(const struct halo_message *message)
{
    return message->cost.postal_s - message->cost.latency_s;
}

static void add_postal(const struct halo_message *message, double count, struct halo_series *series)
{
    const double postal_s = count * message->cost.postal_s * message->share;
    const double moved_s = count * transfer_s(message) * message->share;

    series->time.postal_s += postal_s;
    if (message->cost.is_pipelined) {
        series->pipelined.postal_s += postal_s;
        series->pipelined.transfer_s += moved_s;
        series->pipelined.first_s = fmax(series->pipelined.first_s, message->cost.postal_s);
    } else {
        series->other_transfer_s += moved_s;
        series->has_other = true;
    }
    if (is_longer(message, series)) {
        series->longest = message->cost;
        series->longest_share = message->share;
    }
}

/* Messages of a series overlap on links but in what each takes to start. */
static void add_start(const struct halo_conduct *conduct, const struct halo_message *message,
                      double count, struct halo_series *series)
{
    const bool has_way = message->is_off_node && krylov_has(conduct->v, HOPS);
    const double way_s = has_way ? message->distance.latency_s : 0;

    series->latency_s += count * message->cost.latency_s;
    series->first_latency_s = fmax(series->first_latency_s, message->cost.latency_s);
    series->start_s = fmax(series->start_s, message->cost.latency_s + way_s);
    series->largest_transfer_s = fmax(series->largest_transfer_s, transfer_s(message));
    if (!message->is_off_node)
        series->on_node_transfer_s += count * transfer_s(message);
}

static void add_off_node(const struct halo_message *message, double count,
                         struct halo_series *series)
{
    struct krylov_time *time = &series->time;

    time->off_node_messages += count;
    time->off_node_bytes += count * message->bytes;
    time->max_rate_s += count * message->max_rate_s;
    time->congestion_s += count * message->congestion_s;
    time->hops = isnan(message->distance.hops) ? NAN : fmax(time->hops, message->distance.hops);
    series->distance_s = fmax(series->distance_s, message->distance.latency_s);
    if (message->cost.is_pipelined) {
        series->pipelined.penalty_s += count * (message->max_rate_s + message->congestion_s);
        series->pipelined.has_off_node = true;
    }
}

void halo_series_add(const struct halo_conduct *conduct, const struct halo_message *message,
                     double count, struct halo_series *series)
{
    add_postal(message, count, series);
    add_start(conduct, message, count, series);
    if (message->is_off_node) {
        add_off_node(message, count, series);
        return;
    }
    series->time.on_node_messages += count;
    series->time.on_node_bytes += count * message->bytes;
}

/* ---- time ----------------------------------------------------------------------------------- */

/* The longest message of a burst pays its whole postal cost; an average of less than one message
 * pays a share. */
static void add_longest(struct halo_series *series)
{
    struct krylov_time *time = &series->time;
    const double rest_s = (1 - series->longest_share) * series->longest.postal_s *
                          fmin(1, time->on_node_messages + time->off_node_messages);

    time->postal_s += rest_s;
    if (series->longest.is_pipelined)
        series->pipelined.postal_s += rest_s;
}

/* The first message of the series pays the longest distance; an average of less than one message
 * pays a share. */
static void add_distance(const struct halo_conduct *conduct, struct halo_series *series)
{
    if (krylov_has(conduct->v, HOPS) && !conduct->is_burst)
        series->time.hops_s = fmin(1, series->time.off_node_messages) * series->distance_s;
    if (series->pipelined.has_off_node)
        series->pipelined.penalty_s += series->time.hops_s;
}

/* Penalties of pipelined messages overlap with the postal cost of all but the first of them. */
static double blocking_hidden_s(const struct halo_series *series)
{
    return fmin(series->pipelined.penalty_s,
                series->pipelined.postal_s -
                    fmin(series->pipelined.first_s, series->pipelined.postal_s));
}

/* What goes on while the process computes
 * (docs/models/krylov-links.md#while-the-process-computes). */
static double free_s(const struct halo_conduct *conduct, const struct halo_series *series,
                     double penalty_s)
{
    double sum_s = penalty_s;

    if (conduct->overlap.progress >= PROGRESS_EAGER)
        sum_s += series->pipelined.transfer_s;
    if (conduct->overlap.progress == PROGRESS_ALL)
        sum_s += series->other_transfer_s;
    return sum_s;
}

static double hidden_s(const struct halo_conduct *conduct, const struct halo_series *series)
{
    const struct krylov_overlap *overlap = &conduct->overlap;
    const struct krylov_time *time = &series->time;
    const double at_once_s = blocking_hidden_s(series);
    const double blocking_s = time->postal_s + (time->penalty_s - at_once_s);
    double free;

    if (!conduct->v->overlap)
        return 0;
    if (overlap->is_blocking)
        return at_once_s;
    free = fmin(blocking_s, free_s(conduct, series, time->penalty_s - at_once_s));
    return at_once_s + fmin(free, overlap->seconds);
}

static struct krylov_time time_with_links(const struct halo_conduct *conduct,
                                          const struct halo_series *series)
{
    const struct krylov_overlap *overlap = &conduct->overlap;
    const bool is_alone = series->time.off_node_messages <= 0;
    const double messages = series->time.on_node_messages + series->time.off_node_messages;
    const double link_s = is_alone ? 0 : overlap->load->link_s;
    const double slow_link_s = is_alone ? 0 : overlap->load->link_protocol_s;
    const double gaps_s = conduct->is_burst ? fmax(0, messages - 1) * conduct->gap_s
                                            : series->latency_s - series->first_latency_s;
    const double own_s = fmax(series->largest_transfer_s, series->on_node_transfer_s);
    const double start_s = series->start_s;
    const double times = overlap->load->correction;
    const double total_s =
        times * fmax(start_s + gaps_s + fmax(own_s, link_s), start_s + slow_link_s);
    struct krylov_time time = series->time;
    double free;

    time.postal_s = times * (start_s + gaps_s + own_s);
    time.penalty_s = time.links_s = free = total_s - time.postal_s;
    if (overlap->progress == PROGRESS_ALL ||
        (overlap->progress == PROGRESS_EAGER && !series->has_other))
        free += times * own_s;
    if (!overlap->is_blocking && conduct->v->overlap)
        time.hidden_s = fmin(free, overlap->seconds);
    time.time_s = total_s - time.hidden_s;
    return time;
}

struct krylov_time halo_series_time(const struct halo_conduct *conduct,
                                    const struct halo_series *series)
{
    struct halo_series all = *series;
    struct krylov_time *time = &all.time;

    if (conduct->has_links)
        return time_with_links(conduct, series);
    if (conduct->is_burst)
        add_longest(&all);
    add_distance(conduct, &all);
    time->penalty_s = time->max_rate_s + time->hops_s + time->congestion_s;
    time->hidden_s = hidden_s(conduct, &all);
    time->time_s = time->postal_s + (time->penalty_s - time->hidden_s);
    return *time;
}

bool halo_is_slower(const struct krylov_time *a, const struct krylov_time *b)
{
    if (fabs(a->time_s - b->time_s) > 1e-10 * fmax(a->time_s, b->time_s))
        return a->time_s > b->time_s;
    if (a->off_node_bytes != b->off_node_bytes)
        return a->off_node_bytes > b->off_node_bytes;
    if (a->off_node_messages != b->off_node_messages)
        return a->off_node_messages > b->off_node_messages;
    if (a->on_node_bytes != b->on_node_bytes)
        return a->on_node_bytes > b->on_node_bytes;
    return a->on_node_messages > b->on_node_messages;
}
