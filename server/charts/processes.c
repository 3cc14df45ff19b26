/* processes: the time of each process when all send at once, by the distance between the
 * communicating ranks. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

#include <inttypes.h>

enum { MOST_DISTANCES = 16 };

static bool draw(const struct fr_chart_source *source)
{
    const struct fr_calibration *cal = source->cal;
    const struct fr_process_times *row = cal->contention.process_times.row;
    struct fr_arena *arena = source->arena;
    const struct fr_plot_axis x = { .title = "Process (rank)" };
    const struct fr_plot_axis y = { .title = "Time (s)", .from_zero = true };
    struct fr_series *series = fr_arena_zeroed(arena, MOST_DISTANCES, sizeof *series);
    double *rank = fr_arena_zeroed(arena, FR_MOST_PROCESS_TIMES, sizeof *rank);
    const size_t rows = cal->contention.process_times.count;
    size_t count = 0, most = 0;

    source->plot->script.failed = source->plot->script.failed || !series || !rank;
    if (!rows || !series || !rank)
        return rows > 0;
    for (size_t i = 0; i < FR_MOST_PROCESS_TIMES; i++)
        rank[i] = (double)i;
    for (; count < rows && count < MOST_DISTANCES; count++) {
        most = row[count].times_s.count > most ? row[count].times_s.count : most;
        series[count] = (struct fr_series){
            .label = fr_chart_text(arena, "distance %" PRId64, row[count].distance),
            .x = rank,
            .y = row[count].times_s.row,
            .count = row[count].times_s.count,
            .is_points = true,
        };
    }
    if (rows > count)
        source->plot->note = fr_chart_text(arena, "the first %zu of %zu distances", count, rows);
    fr_plot_lines(source->plot,
                  fr_chart_text(arena, "Time of each of %zu processes that send at once on %s",
                                most, cal->machine),
                  &x, &y, series, count);
    return true;
}

const struct fr_chart fr_chart_processes = {
    .name = "processes",
    .of = FR_OF_CALIBRATION,
    .params = fr_chart_look_params,
    .draw.calibration = draw,
};
