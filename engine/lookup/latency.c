/* Latencies by distance: a dense table, sorted once, of each distance and protocol. */
#include "engine/lookup/lookup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int by_distance(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* Fills `distance` with the different distances in ascending order; returns their number. */
static size_t distances_of(const struct fr_calibration *cal, int64_t *distance)
{
    const size_t rows = cal->network.latency_by_distance.count;
    size_t count = 0;

    for (size_t i = 0; i < rows; i++)
        distance[i] = cal->network.latency_by_distance.row[i].distance;
    qsort(distance, rows, sizeof *distance, by_distance);
    for (size_t i = 0; i < rows; i++)
        if (!count || distance[i] != distance[count - 1])
            distance[count++] = distance[i];
    return count;
}

/* The row of a distance with the least limit that carries all messages of a protocol. */
static size_t row_of(const struct fr_calibration *cal, int64_t distance, double limit_bytes)
{
    const struct fr_distance_latency *row = cal->network.latency_by_distance.row;
    const size_t rows = cal->network.latency_by_distance.count;
    size_t best = rows;

    for (size_t i = 0; i < rows; i++)
        if (row[i].distance == distance && row[i].max_message_bytes >= limit_bytes &&
            (best == rows || row[i].max_message_bytes < row[best].max_message_bytes))
            best = i;
    assert(best < rows); /* each distance has a row without limit */
    return best;
}

/* By what a what-if multiplies a latency beyond what it does to the row itself. */
static double factor_of(const struct fr_calibration *cal, size_t row, size_t protocol)
{
    const struct fr_calibration *measured = cal->as_measured;
    const struct fr_distance_latency *now = &cal->network.latency_by_distance.row[row];

    if (!measured || row >= measured->network.latency_by_distance.count ||
        now->latency_s != measured->network.latency_by_distance.row[row].latency_s)
        return 1;
    return cal->network.protocols.row[protocol].off_node.latency_s /
           measured->network.protocols.row[protocol].off_node.latency_s;
}

static struct fr_latency latency_of(const struct fr_calibration *cal, int64_t distance,
                                    size_t protocol)
{
    const size_t row =
        row_of(cal, distance, cal->network.protocols.row[protocol].max_message_bytes);
    const struct fr_distance_latency *of = &cal->network.latency_by_distance.row[row];
    const double factor = factor_of(cal, row, protocol);
    const double beyond_s = isnan(of->maximum_s) ? 0 : fmax(0, of->maximum_s - of->latency_s);

    return (struct fr_latency){ factor * of->latency_s, factor * beyond_s };
}

void fr_latencies_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                          struct fr_faults *faults)
{
    const size_t rows = cal->network.latency_by_distance.count;
    const size_t protocols = cal->network.protocols.count;
    int64_t *distance;
    double *x;
    struct fr_latency *of;
    size_t count;

    cal->latencies = (struct fr_latencies){ 0 };
    if (!rows || !cal->has_off_node)
        return;
    distance = fr_arena_zeroed(arena, rows, sizeof *distance);
    x = fr_arena_zeroed(arena, rows, sizeof *x);
    of = fr_arena_zeroed(arena, rows * protocols, sizeof *of);
    if (!distance || !x || !of) {
        fr_fault(faults, FR_NOMEM, "/network/latency_by_distance", "too large to index");
        return;
    }
    count = distances_of(cal, distance);
    for (size_t i = 0; i < count; i++) {
        x[i] = log2((double)distance[i]);
        for (size_t k = 0; k < protocols; k++)
            of[i * protocols + k] = latency_of(cal, distance[i], k);
    }
    cal->latencies = (struct fr_latencies){ x, of, count, protocols };
}

struct fr_latency_place fr_latency_place_of(struct fr_evaluation *run, double distance)
{
    const struct fr_latencies *latencies = &run->cal->latencies;
    const double *x = latencies->log2_distance, at = log2(distance);
    size_t below = 0, above = latencies->distances - 1;

    run->out->used |= FR_USE(LATENCY_BY_DISTANCE);
    if (at < x[0] || at > x[above])
        fr_warn(run->out, FR_WARN_EXTRAPOLATED, "network.latency_by_distance.distance", distance,
                round(exp2(x[0])), round(exp2(x[above])));
    if (at <= x[0])
        return (struct fr_latency_place){ 0, 0 };
    if (at >= x[above])
        return (struct fr_latency_place){ (uint32_t)above, 0 };
    while (above - below > 1) {
        const size_t middle = (below + above) / 2;

        if (x[middle] <= at)
            below = middle;
        else
            above = middle;
    }
    return (struct fr_latency_place){ (uint32_t)below,
                                      (float)((at - x[below]) / (x[above] - x[below])) };
}
