/* The change-point fit of a ping-pong curve.
 *
 * A segment is fitted by least squares of the relative error, (T - latency - beta*bytes) / T, so
 * that a microsecond has the same weight as a millisecond.  Single sizes may be outliers (a header
 * that makes a message too long for its buffer): errors beyond the noise get lower weights and a
 * bounded cost. cost[i][j] is the sum over pings i .. j and over both paths; best[k][j] is the
 * least cost of pings 0 .. j in k+1 segments.  The number of segments minimizes the Bayesian
 * information criterion, in which errors far below the noise floor of any real machine do not
 * count.
 */
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/network/sizes.h"
#include "engine/core/statistics.h"

#include <math.h>
#include <string.h>

enum { SEGMENT_MIN = 3 };

/* A range below a doubling of the size is an irregularity, not a protocol; no protocol ends within
 * a cache line. */
static const double octave = 2, line_bytes = 64;

static const double noise_floor = 0.005;

/* Errors above this multiple of the noise, or of the floor, are outliers. */
static const double cap_factor = 4, beyond_cap = 1e-3;

/* The least latency or transfer part that is distinguished from zero, as a fraction of the time. */
static const double least_part = 1e-3;

/* The relative error of one ping. */
static double line_error(const struct fr_ping *ping, enum fr_path path, struct fr_link line)
{
    return (line.latency_s + line.inverse_bandwidth_s_per_byte * ping->message_bytes) /
               ping->time_s[path] -
           1;
}

/* Beyond `cap` the cost of a lone ping hardly grows: an outlier belongs to no protocol, but still
 * to the closer one.  Neighbours that are off on the same side are no outliers. */
static double capped_errors(const struct fr_ping *pings, int first, int last, enum fr_path path,
                            struct fr_link line, double cap)
{
    double errors[1 + FR_PINGS_MAX + 1], *const error = errors + 1, sum = 0; /* 0 at both ends */
    const int count = last - first + 1;

    error[-1] = error[count] = 0;
    for (int i = 0; i < count; i++)
        error[i] = fmin(1, line_error(&pings[first + i], path, line));
    for (int i = 0; i < count; i++) {
        const double off = fabs(error[i]);
        const bool is_lone = fmax(error[i - 1] * error[i], error[i + 1] * error[i]) < cap * off;
        const double counted = is_lone ? fmin(cap, off) : off;

        sum += counted * counted + beyond_cap * (off * off - counted * counted);
    }
    return sum;
}

/* Weighted least squares; latency and slope are set to their minimum if the free solution is below
 * it.  Pings far from `before` get lower weights (NULL: equal weights). */
static struct fr_link weighted_line(const struct fr_ping *pings, int first, int last,
                                    enum fr_path path, const struct fr_link *before, double cap)
{
    const double shortest_s = pings[first].time_s[path];
    const double latency_min = least_part * shortest_s;
    const double slope_min = least_part * shortest_s / fmax(1, pings[last].message_bytes);
    double w = 0, x = 0, t = 0, xx = 0, xt = 0;
    struct fr_link line, flat, steep;

    for (int i = first; i <= last; i++) {
        const double time_s = pings[i].time_s[path], bytes = pings[i].message_bytes;
        const double off = before ? line_error(&pings[i], path, *before) / cap : 0;
        const double weight = 1 / (time_s * time_s) / (1 + off * off);

        w += weight;
        x += weight * bytes;
        t += weight * time_s;
        xx += weight * bytes * bytes;
        xt += weight * bytes * time_s;
    }
    line.inverse_bandwidth_s_per_byte = (w * xt - x * t) / (w * xx - x * x);
    line.latency_s = (t - line.inverse_bandwidth_s_per_byte * x) / w;
    if (line.latency_s >= latency_min && line.inverse_bandwidth_s_per_byte >= slope_min)
        return line;
    flat.inverse_bandwidth_s_per_byte = slope_min;
    flat.latency_s = fmax(latency_min, (t - slope_min * x) / w);
    steep.latency_s = latency_min;
    steep.inverse_bandwidth_s_per_byte = fmax(slope_min, (xt - latency_min * x) / xx);
    return capped_errors(pings, first, last, path, flat, cap) <
                   capped_errors(pings, first, last, path, steep, cap)
               ? flat
               : steep;
}

static double fit_line(const struct fr_ping *pings, int first, int last, enum fr_path path,
                       double cap, struct fr_link *out)
{
    enum { REWEIGHTINGS = 6 };
    struct fr_link line = weighted_line(pings, first, last, path, NULL, cap);

    for (int i = 0; i < REWEIGHTINGS; i++)
        line = weighted_line(pings, first, last, path, &line, cap);
    *out = line;
    return capped_errors(pings, first, last, path, line, cap);
}

/* The median distance of a ping from the line between its neighbours.  It measures the noise,
 * because changes of protocol are few. */
static double noise(const struct fr_ping *pings, int count, const bool has[FR_PATHS])
{
    double off[FR_PATHS * FR_PINGS_MAX];
    int offs = 0;

    for (int path = 0; path < FR_PATHS; path++)
        for (int i = 1; i + 1 < count && has[path]; i++) {
            const struct fr_ping *a = &pings[i - 1], *b = &pings[i + 1];
            const double share =
                (pings[i].message_bytes - a->message_bytes) / (b->message_bytes - a->message_bytes);
            const double between = a->time_s[path] + share * (b->time_s[path] - a->time_s[path]);

            off[offs++] = fabs(between / pings[i].time_s[path] - 1);
        }
    fr_sort(off, (size_t)offs);
    return offs ? off[offs / 2] : 0;
}

static bool is_segment(const struct fr_ping *pings, int first, int last)
{
    return last - first + 1 >= SEGMENT_MIN &&
           pings[last].message_bytes >= fmax(octave * pings[first].message_bytes, line_bytes);
}

static bool is_usable(const struct fr_ping *pings, int count, const bool has[FR_PATHS])
{
    if (count < SEGMENT_MIN || count > FR_PINGS_MAX || !is_segment(pings, 0, count - 1) ||
        !(has[FR_OFF_NODE] || has[FR_ON_NODE]))
        return false;
    for (int i = 0; i < count; i++) {
        if (i && !(pings[i].message_bytes > pings[i - 1].message_bytes))
            return false;
        for (int path = 0; path < FR_PATHS; path++)
            if (has[path] && !(pings[i].time_s[path] > 0 && isfinite(pings[i].time_s[path])))
                return false;
    }
    return true;
}

struct table {
    double cost[FR_PINGS_MAX][FR_PINGS_MAX];
    double best[FR_PROTOCOLS_MAX][FR_PINGS_MAX];
    int start[FR_PROTOCOLS_MAX][FR_PINGS_MAX]; /* first ping of the last segment */
};

static void fill(struct table *table, const struct fr_ping *pings, int count,
                 const bool has[FR_PATHS], double cap)
{
    struct fr_link line;

    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            table->cost[i][j] = is_segment(pings, i, j) ? 0 : HUGE_VAL;
            for (int path = 0; path < FR_PATHS && is_segment(pings, i, j); path++)
                if (has[path])
                    table->cost[i][j] += fit_line(pings, i, j, (enum fr_path)path, cap, &line);
        }
    for (int j = 0; j < count; j++) {
        table->best[0][j] = table->cost[0][j];
        table->start[0][j] = 0;
    }
    for (int k = 1; k < FR_PROTOCOLS_MAX; k++)
        for (int j = 0; j < count; j++) {
            table->best[k][j] = HUGE_VAL;
            table->start[k][j] = 0;
            for (int i = 1; i <= j; i++) {
                const double sum = table->best[k - 1][i - 1] + table->cost[i][j];

                if (sum < table->best[k][j]) {
                    table->best[k][j] = sum;
                    table->start[k][j] = i;
                }
            }
        }
}

static int choose_segments(const struct table *table, int count, int paths)
{
    const double points = (double)count * paths;
    double least = HUGE_VAL;
    int chosen = 0;

    for (int k = 0; k < FR_PROTOCOLS_MAX; k++) {
        const double variance = table->best[k][count - 1] / points + noise_floor * noise_floor;
        const double unknowns = (k + 1) * 2.0 * paths + k;
        const double criterion = points * log(variance) + unknowns * log(points);

        if (criterion < least) {
            least = criterion;
            chosen = k;
        }
    }
    return chosen;
}

int fr_protocol_fit(const struct fr_ping *pings, int count, const bool has[FR_PATHS],
                    struct fr_protocols *out)
{
    struct table *table;
    int last = count - 1, paths, segments;
    double cap;

    if (!is_usable(pings, count, has))
        return -1;
    table = fr_record_new(1, sizeof *table);
    if (!table)
        return -1;
    paths = has[FR_OFF_NODE] + has[FR_ON_NODE];
    cap = cap_factor * fmax(noise_floor, noise(pings, count, has));
    fill(table, pings, count, has, cap);
    segments = choose_segments(table, count, paths);
    memset(out, 0, sizeof *out);
    out->count = segments + 1;
    out->error_fraction = sqrt(table->best[segments][count - 1] / (count * paths));
    for (int k = segments; k >= 0; k--) {
        const int first = table->start[k][last];

        out->limit_bytes[k] = k == segments ? HUGE_VAL : pings[last].message_bytes;
        out->beyond_bytes[k] = k == segments ? HUGE_VAL : pings[last + 1].message_bytes;
        for (int path = 0; path < FR_PATHS; path++) {
            out->has[path] = has[path];
            if (has[path])
                fit_line(pings, first, last, (enum fr_path)path, cap, &out->line[k][path]);
        }
        last = first - 1;
    }
    fr_record_free(table);
    return 0;
}

double fr_protocol_time_s(const struct fr_protocols *protocols, enum fr_path path,
                          double message_bytes)
{
    int k = 0;

    while (k + 1 < protocols->count && message_bytes > protocols->limit_bytes[k])
        k++;
    return protocols->line[k][path].latency_s +
           protocols->line[k][path].inverse_bandwidth_s_per_byte * message_bytes;
}

double fr_protocol_moving_s(const struct fr_protocols *protocols, enum fr_path path, double took_s)
{
    const bool has_latency = protocols->count && protocols->has[path];
    const double latency_s =
        has_latency ? protocols->line[protocols->count - 1][path].latency_s : 0;

    return took_s > 2 * latency_s ? took_s - latency_s : took_s;
}

const char *fr_protocol_name(const struct fr_protocols *protocols, int index)
{
    static const char *const names[FR_PROTOCOLS_MAX] = { "short", "eager",  "rendezvous",
                                                         "large", "larger", "largest" };

    if (protocols->count == 1)
        return "all";
    /* The eager limit distinguishes two ranges; a short range exists only in addition to them. */
    return names[protocols->count == 2 ? index + 1 : index];
}
