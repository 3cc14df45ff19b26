/* Prepares a document for lookups: curves sorted by key and abscissa, in log2. */
#include "engine/blocked/fitted.h"
#include "engine/core/statistics.h"
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One measured value: at `x` on the curve of `key`. */
struct point {
    int64_t key;
    double x, y;
};

static int by_key_and_x(const void *left, const void *right)
{
    const struct point *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

/* Memory for the points of a table; NULL of none, or with a fault. */
static struct point *points(size_t count, const char *table, struct fr_arena *arena,
                            struct fr_faults *faults)
{
    struct point *point = count ? fr_arena_zeroed(arena, count, sizeof *point) : NULL;

    if (count && !point)
        fr_fault(faults, FR_NOMEM, table, "too large to index");
    return point;
}

/* Sorts the points into one curve per key; none of none. */
static struct fr_curves make_curves(struct point *point, size_t count, const char *table,
                                    struct fr_arena *arena, struct fr_faults *faults)
{
    static const struct fr_curves none;
    double *x, *y, *log2_key;
    struct fr_curve *curve;
    size_t curves = 0;
    int64_t *key;

    if (!point || !count)
        return none;
    x = fr_arena_zeroed(arena, count, sizeof *x);
    y = fr_arena_zeroed(arena, count, sizeof *y);
    key = fr_arena_zeroed(arena, FR_MAX_CURVES, sizeof *key);
    log2_key = fr_arena_zeroed(arena, FR_MAX_CURVES, sizeof *log2_key);
    curve = fr_arena_zeroed(arena, FR_MAX_CURVES, sizeof *curve);
    if (!x || !y || !key || !log2_key || !curve) {
        fr_fault(faults, FR_NOMEM, table, "too large to index");
        return none;
    }
    qsort(point, count, sizeof *point, by_key_and_x);
    for (size_t i = 0; i < count; i++) {
        if (!i || point[i].key != point[i - 1].key) {
            if (curves == FR_MAX_CURVES) {
                fr_fault(faults, FR_RANGE, table, "holds more than %d process or thread counts",
                         FR_MAX_CURVES);
                return none;
            }
            key[curves] = point[i].key;
            log2_key[curves] = log2((double)point[i].key);
            curve[curves++] = (struct fr_curve){ x + i, y + i, 0 };
        }
        x[i] = point[i].x;
        y[i] = point[i].y;
        curve[curves - 1].count++;
    }
    return (struct fr_curves){ key, log2_key, curve, curves };
}

static struct fr_curves factors(const struct fr_factor *row, size_t count, const char *table,
                                struct fr_arena *arena, struct fr_faults *faults)
{
    struct point *point = points(count, table, arena, faults);

    for (size_t i = 0; point && i < count; i++)
        point[i] = (struct point){ row[i].processes, log2((double)row[i].distance), row[i].factor };
    return make_curves(point, count, table, arena, faults);
}

/* Fills cal->averages from the rows with a process count, and cal->average from those without one,
 * or else from those of the largest count (docs/models/dense.md#messages-and-contention-factors).
 */
static void prepare_average(struct fr_calibration *cal, struct fr_arena *arena,
                            struct fr_faults *faults)
{
    struct fr_curves curves = factors(cal->contention.average.row, cal->contention.average.count,
                                      "/contention/average", arena, faults);

    cal->average = (struct fr_curve){ 0 };
    if (curves.count)
        cal->average = curves.curve[curves.key[0] == 0 ? 0 : curves.count - 1];
    if (curves.count && curves.key[0] == 0)
        curves = (struct fr_curves){ curves.key + 1, curves.log2_key + 1, curves.curve + 1,
                                     curves.count - 1 };
    cal->averages = curves;
}

static void prepare_reuse(struct fr_calibration *cal, struct fr_arena *arena,
                          struct fr_faults *faults)
{
    static const char table[] = "/kernels/reuse";
    const struct fr_reuse *row = cal->kernels.reuse.row;
    const size_t count = cal->kernels.reuse.count;
    struct point *point = points(count, table, arena, faults);
    struct fr_curves curves;

    for (size_t i = 0; point && i < count; i++)
        point[i] = (struct point){ 0, log2(row[i].distance_bytes), row[i].out_of_cache_share };
    curves = make_curves(point, count, table, arena, faults);
    if (curves.count)
        cal->reuse = curves.curve[0];
}

/* Rates of one core in flop/s.  Rows given as an efficiency need a peak; without one they are left
 * out.  `flops` are the operations on operands of order 1. */
static struct fr_curves rates_of(const struct fr_kernel *kernel, double flops, double peak,
                                 struct fr_arena *arena, struct fr_faults *faults)
{
    static const char table[] = "/kernels";
    const struct fr_square_rate *row = kernel->square.row;
    const size_t count = kernel->square.count;
    struct point *point = points(count, table, arena, faults);
    size_t kept = 0;

    for (size_t i = 0; point && i < count; i++) {
        const double n = (double)row[i].n;
        const double rate = isnan(row[i].time_s)
                                ? row[i].efficiency_fraction * peak
                                : flops * n * n * n / (row[i].time_s * (double)row[i].threads);

        if (!isnan(rate))
            point[kept++] = (struct point){ row[i].threads, log2(n), rate };
    }
    return make_curves(point, kept, table, arena, faults);
}

static void prepare_stream(struct fr_calibration *cal, enum fr_stream stream,
                           struct fr_arena *arena, struct fr_faults *faults)
{
    const struct fr_sized_bandwidth *row = cal->kernels.stream[stream].by_size.row;
    const size_t count = cal->kernels.stream[stream].by_size.count;
    struct point *point;
    char table[64];

    snprintf(table, sizeof table, "/kernels/%s/by_size", fr_stream_names[stream]);
    point = points(count, table, arena, faults);
    for (size_t i = 0; point && i < count; i++)
        point[i] = (struct point){ row[i].processes, log2(row[i].working_set_bytes),
                                   1 / row[i].bandwidth_bytes_per_s };
    cal->byte_s[stream] = make_curves(point, count, table, arena, faults);
}

static void prepare_kernels(struct fr_calibration *cal, struct fr_arena *arena,
                            struct fr_faults *faults)
{
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++)
        cal->rate[routine] = rates_of(&cal->kernels.routine[routine], fr_routine_flops(routine, 1),
                                      cal->core_peak_flops_per_s, arena, faults);
    for (int precision = 0; precision < FR_PRECISIONS; precision++)
        for (enum fr_routine routine = 0; routine < FR_PRECISE_ROUTINES; routine++)
            cal->precise_rate[precision][routine] =
                rates_of(&cal->kernels.by_precision[precision].routine[routine],
                         fr_precision_operations(precision) * fr_routine_flops(routine, 1),
                         fr_core_peak_flops_per_s(cal, precision), arena, faults);
    for (enum fr_stream stream = 0; stream < FR_STREAMS; stream++)
        prepare_stream(cal, stream, arena, faults);
}

static void prepare_variability(struct fr_calibration *cal, struct fr_arena *arena,
                                struct fr_faults *faults)
{
    const fr_numbers *times = &cal->kernels.variability.processor_times;
    double *sorted = fr_arena_zeroed(arena, times->count, sizeof *sorted);

    cal->slowness = sorted;
    if (!sorted) {
        fr_fault(faults, FR_NOMEM, "/kernels/variability", "too large to index");
        return;
    }
    memcpy(sorted, times->row, times->count * sizeof *sorted);
    fr_sort(sorted, times->count);
}

int fr_calibration_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                           struct fr_faults *faults)
{
    const size_t before = faults->count;

    cal->core_peak_flops_per_s = fr_core_peak_flops_per_s(cal, FR_DOUBLE);
    cal->has_off_node =
        cal->network.protocols.count && !isnan(cal->network.protocols.row[0].off_node.latency_s);
    fr_latencies_prepare(cal, arena, faults);
    prepare_average(cal, arena, faults);
    cal->maximum = factors(cal->contention.maximum.row, cal->contention.maximum.count,
                           "/contention/maximum", arena, faults);
    prepare_kernels(cal, arena, faults);
    prepare_reuse(cal, arena, faults);
    if (cal->kernels.variability.processor_times.count)
        prepare_variability(cal, arena, faults);
    fr_sources_prepare(cal, arena, faults);
    fr_timings_prepare(cal, arena, faults);
    blocked_prepare(cal, arena, faults);
    return faults->count > before ? FR_NOMEM : FR_OK;
}
