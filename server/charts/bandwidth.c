/* bandwidth and message_time: the effective bandwidth of one message over its size, and the time of
 * one, latency + bytes x inverse bandwidth, by the first protocol whose limit allows the size. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

#include <math.h>

enum { STEPS_PER_OCTAVE = 4 };
static const double smallest_bytes = 8;
static const double largest_bytes = 1 << 26; /* if no protocol has a limit */
static const double gigabyte = 1e9;

static double message_time_s(const struct fr_calibration *cal, double bytes, bool is_on_node)
{
    for (size_t i = 0; i < cal->network.protocols.count; i++) {
        const struct fr_protocol *protocol = &cal->network.protocols.row[i];
        const struct fr_link *link = is_on_node ? &protocol->on_node : &protocol->off_node;

        if (bytes <= protocol->max_message_bytes)
            return link->latency_s + bytes * link->inverse_bandwidth_s_per_byte;
    }
    return NAN;
}

/* The sizes to draw: a geometric sequence, and the sizes just below and above each limit. */
static size_t choose_sizes(const struct fr_calibration *cal, double *sizes, size_t capacity)
{
    const size_t protocols = cal->network.protocols.count;
    double low = smallest_bytes, high = 0, next_limit;
    size_t count = 0;

    for (size_t i = 0; i < protocols; i++) {
        const double limit = cal->network.protocols.row[i].max_message_bytes;

        low = fmax(1, fmin(low, limit / 4));
        high = fmax(high, isfinite(limit) ? limit : fmax(largest_bytes, 4 * high));
    }
    for (double size = low; size < high && count + protocols + 2 < capacity; size = next_limit) {
        sizes[count++] = size;
        next_limit = fmin(high, size * exp2(1.0 / STEPS_PER_OCTAVE));
        for (size_t i = 0; i < protocols; i++) {
            const double limit = cal->network.protocols.row[i].max_message_bytes;

            if (limit > size && limit < next_limit)
                next_limit = limit;
            if (limit == size)
                sizes[count++] = size * (1 + 1e-9);
        }
    }
    sizes[count++] = high;
    return count;
}

/* The limits inside the range of the chart, labelled with the protocol that ends there. */
static size_t choose_marks(const struct fr_calibration *cal, struct fr_arena *arena,
                           struct fr_plot_mark *marks)
{
    size_t count = 0;

    for (size_t i = 0; i < cal->network.protocols.count; i++) {
        const struct fr_protocol *protocol = &cal->network.protocols.row[i];
        char bytes[FR_LABEL_BYTES];

        if (!isfinite(protocol->max_message_bytes))
            continue;
        fr_label_bytes(protocol->max_message_bytes, bytes);
        marks[count++] = (struct fr_plot_mark){
            .x = protocol->max_message_bytes,
            .label =
                fr_chart_text(arena, "%.40s up to %s", protocol->name ? protocol->name : "", bytes),
        };
    }
    return count;
}

/* Draws the line for on-node or off-node messages; false if no protocol has values for it. */
static bool draw_link(const struct fr_calibration *cal, bool is_of_time, const double *sizes,
                      double *values, size_t count, bool is_on_node, struct fr_series *series)
{
    bool has_value = false;

    for (size_t i = 0; i < count; i++) {
        const double time_s = message_time_s(cal, sizes[i], is_on_node);

        values[i] = is_of_time ? time_s : sizes[i] / time_s / gigabyte;
        has_value = has_value || isfinite(values[i]);
    }
    *series = (struct fr_series){
        .label = is_on_node ? "on the node" : "between nodes",
        .x = sizes,
        .y = values,
        .count = count,
    };
    return has_value;
}

static void draw_points(const struct fr_calibration *cal, double *sizes, double *values,
                        struct fr_series *series)
{
    const size_t count = cal->network.message_bandwidth.points.count;

    for (size_t i = 0; i < count; i++) {
        sizes[i] = cal->network.message_bandwidth.points.row[i].message_bytes;
        values[i] = cal->network.message_bandwidth.points.row[i].bandwidth_bytes_per_s / gigabyte;
    }
    *series = (struct fr_series){
        .label = "message_bandwidth", .x = sizes, .y = values, .count = count, .is_points = true
    };
}

static bool draw(const struct fr_chart_source *source, bool is_of_time)
{
    const struct fr_calibration *cal = source->cal;
    struct fr_arena *arena = source->arena;
    struct fr_plot *plot = source->plot;
    const size_t protocols = cal->network.protocols.count;
    const size_t points = is_of_time ? 0 : cal->network.message_bandwidth.points.count;
    const size_t capacity = 256 + 3 * protocols;
    const struct fr_plot_axis y = { .title = is_of_time ? "Time (s)" : "Effective bandwidth (GB/s)",
                                    .is_log = true };
    struct fr_plot_axis x = { .title = "Message size", .is_log2 = true, .is_bytes = true };
    struct fr_plot_mark *marks = fr_arena_zeroed(arena, protocols + 1, sizeof *marks);
    double *room = fr_arena_zeroed(arena, 3 * capacity + 2 * points, sizeof *room);
    struct fr_series series[3];
    size_t sizes, count = 0;

    if (!protocols && !points)
        return false;
    plot->script.failed = plot->script.failed || !marks || !room;
    if (plot->script.failed)
        return true;
    x.marks = marks;
    x.mark_count = choose_marks(cal, arena, marks);
    sizes = protocols ? choose_sizes(cal, room, capacity) : 0;
    count += draw_link(cal, is_of_time, room, room + capacity, sizes, false, &series[count]);
    count += draw_link(cal, is_of_time, room, room + 2 * capacity, sizes, true, &series[count]);
    if (points)
        draw_points(cal, room + 3 * capacity, room + 3 * capacity + points, &series[count++]);
    fr_plot_lines(
        plot,
        fr_chart_text(arena, "Message %s on %s", is_of_time ? "time" : "bandwidth", cal->machine),
        &x, &y, series, count);
    return count > 0;
}

static bool draw_bandwidth(const struct fr_chart_source *source)
{
    return draw(source, false);
}

static bool draw_time(const struct fr_chart_source *source)
{
    return draw(source, true);
}

const struct fr_chart fr_chart_bandwidth = {
    .name = "bandwidth",
    .of = FR_OF_CALIBRATION,
    .params = fr_chart_look_params,
    .draw.calibration = draw_bandwidth,
};

const struct fr_chart fr_chart_message_time = {
    .name = "message_time",
    .of = FR_OF_CALIBRATION,
    .params = fr_chart_look_params,
    .draw.calibration = draw_time,
};
