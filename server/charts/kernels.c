/* kernels: the fraction of a core's peak that each routine reaches, over the order of its
 * operands. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

#include <inttypes.h>
#include <math.h>

/* Operations on operands of order n, divided by n to the power with which they grow. */
static const struct operations {
    double factor, power;
} operations[FR_ROUTINES] = {
    [FR_DGEMM] = { 2, 3 },        [FR_DTRSM] = { 1, 3 }, [FR_DSYRK] = { 1, 3 },
    [FR_DPOTRF] = { 1.0 / 3, 3 }, [FR_DGER] = { 2, 2 },  [FR_DTRSV] = { 1, 2 },
};

/* Operations per second and core of a measured row. */
static double core_rate(enum fr_routine routine, const struct fr_square_rate *row)
{
    const struct operations *o = &operations[routine];

    return o->factor * pow((double)row->n, o->power) / (row->time_s * (double)row->threads);
}

/* Whether the chart shows fractions of the peak; otherwise Gflop/s, which need no peak. */
static bool draws_fractions(const struct fr_calibration *cal)
{
    if (fr_core_peak_flops_per_s(cal, FR_DOUBLE) > 0)
        return true;
    for (int r = 0; r < FR_ROUTINES; r++) {
        for (size_t i = 0; i < cal->kernels.routine[r].square.count; i++) {
            if (cal->kernels.routine[r].square.row[i].time_s > 0)
                return false;
        }
    }
    return true;
}

static double value(const struct fr_calibration *cal, enum fr_routine routine,
                    const struct fr_square_rate *row, bool is_fraction)
{
    if (row->efficiency_fraction > 0)
        return is_fraction ? row->efficiency_fraction : NAN;
    return core_rate(routine, row) / (is_fraction ? fr_core_peak_flops_per_s(cal, FR_DOUBLE) : 1e9);
}

static const char *label(const struct fr_point *point, struct fr_arena *arena)
{
    return fr_chart_text(arena, "%s, %" PRId64 " %s",
                         fr_routine_name((enum fr_routine)point->family), point->key,
                         point->key == 1 ? "thread" : "threads");
}

static size_t collect(const struct fr_calibration *cal, bool is_fraction, struct fr_point *points)
{
    size_t count = 0;

    for (int r = 0; r < FR_ROUTINES; r++) {
        for (size_t i = 0; i < cal->kernels.routine[r].square.count; i++) {
            const struct fr_square_rate *row = &cal->kernels.routine[r].square.row[i];

            points[count++] = (struct fr_point){
                .family = r,
                .key = row->threads,
                .x = (double)row->n,
                .y = value(cal, (enum fr_routine)r, row, is_fraction),
            };
        }
    }
    return count;
}

/* One colour for each routine and one marker for each thread count. If each routine
 * has a single thread count, the marker follows the position of the series. `points` are sorted,
 * and their curves are in the order of `series`. */
static void pair_up(struct fr_series *series, size_t count, const struct fr_point *points)
{
    unsigned routine = 0, shape = 0;
    bool has_several = false;

    for (size_t i = 0, at = 0; i < count; at += series[i].count, i++) {
        const bool is_new = i == 0 || points[at].family != points[at - 1].family;

        routine += is_new;
        shape = is_new ? 1 : shape + 1;
        has_several = has_several || shape > 1;
        series[i].colour = routine;
        series[i].shape = shape;
    }
    for (size_t i = 0; i < count && !has_several; i++)
        series[i].shape = 0;
}

static bool draw(const struct fr_chart_source *source)
{
    const struct fr_calibration *cal = source->cal;
    struct fr_arena *arena = source->arena;
    struct fr_plot *plot = source->plot;
    const bool is_fraction = draws_fractions(cal);
    const struct fr_plot_axis x = { .title = "Order n of the square operands", .is_log2 = true };
    const struct fr_plot_axis y = {
        .title = is_fraction ? "Efficiency (fraction of a core's peak)" : "Rate per core (Gflop/s)",
        .from_zero = true,
    };
    size_t rows = 0, count = 0;
    struct fr_point *points;
    struct fr_series *series;

    for (int r = 0; r < FR_ROUTINES; r++)
        rows += cal->kernels.routine[r].square.count;
    if (!rows)
        return false;
    points = fr_arena_zeroed(arena, rows, sizeof *points);
    if (points)
        collect(cal, is_fraction, points);
    series = points ? fr_points_series(points, rows, label, arena, &count) : NULL;
    plot->script.failed = plot->script.failed || !series;
    if (!series)
        return true;
    pair_up(series, count, points);
    fr_plot_lines(plot, fr_chart_text(arena, "Kernel efficiency on %s", cal->machine), &x, &y,
                  series, count);
    return true;
}

const struct fr_chart fr_chart_kernels = {
    .name = "kernels",
    .of = FR_OF_CALIBRATION,
    .params = fr_chart_look_params,
    .draw.calibration = draw,
};
