/* contention: the slowdown of concurrent messages over the distance between the communicating
 * ranks: the average, and the maximum for each number of processes. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

#include <inttypes.h>

enum { AVERAGE, MAXIMUM };
enum { BLACK = 7, SOLID = 1 };

static const char *label(const struct fr_point *point, struct fr_arena *arena)
{
    const char *what = point->family == AVERAGE ? "average" : "maximum";

    if (point->key == 0)
        return what;
    return fr_chart_text(arena, "%s, %" PRId64 " %s", what, point->key,
                         point->key == 1 ? "process" : "processes");
}

static void collect(const struct fr_factor *row, size_t count, int family, struct fr_point *points)
{
    for (size_t i = 0; i < count; i++)
        points[i] = (struct fr_point){
            .family = family,
            .key = row[i].processes,
            .x = (double)row[i].distance,
            .y = row[i].factor,
        };
}

static bool draw(const struct fr_chart_source *source)
{
    const struct fr_calibration *cal = source->cal;
    struct fr_arena *arena = source->arena;
    struct fr_plot *plot = source->plot;
    const struct fr_plot_axis x = { .title = "Distance (ranks)", .is_log2 = true };
    const struct fr_plot_axis y = { .title = "Contention (time with others / time alone)",
                                    .from_zero = true };
    const size_t average = cal->contention.average.count, maximum = cal->contention.maximum.count;
    struct fr_point *points;
    struct fr_series *series = NULL;
    size_t count = 0;

    if (average + maximum == 0)
        return false;
    points = fr_arena_zeroed(arena, average + maximum, sizeof *points);
    if (points) {
        collect(cal->contention.average.row, average, AVERAGE, points);
        collect(cal->contention.maximum.row, maximum, MAXIMUM, points + average);
        series = fr_points_series(points, average + maximum, label, arena, &count);
    }
    plot->script.failed = plot->script.failed || !series;
    if (!series)
        return true;
    for (size_t i = 0; i < count; i++)
        series[i].colour = series[i].shape = (unsigned)i + (average == 0);
    if (average)
        series[0].colour = BLACK, series[0].shape = SOLID;
    fr_plot_lines(plot, fr_chart_text(arena, "Network contention on %s", cal->machine), &x, &y,
                  series, count);
    return true;
}

const struct fr_chart fr_chart_contention = {
    .name = "contention",
    .of = FR_OF_CALIBRATION,
    .params = fr_chart_look_params,
    .draw.calibration = draw,
};
