/* Keeps the history of a model within its rows by dropping the row whose neighbours are closest. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>
#include <string.h>

/* The inner row whose neighbours are closest to each other. */
static size_t closest_row(const struct fr_fit_history *history)
{
    double least = INFINITY;
    size_t place = 1;

    for (size_t i = 1; i + 1 < history->rows; i++) {
        const double gap =
            (double)history->row[i + 1].samples / (double)history->row[i - 1].samples;

        if (gap < least) {
            least = gap;
            place = i;
        }
    }
    return place;
}

void fr_fit_history_add(struct fr_fit_history *history, const struct blocked_progress *progress)
{
    const struct fr_model_progress row = { .samples = (int64_t)progress->samples,
                                           .regions = (int64_t)(progress->regions_done +
                                                                progress->regions_open),
                                           .error = progress->mean_error };

    if (!(row.error >= 0) || !row.samples || !row.regions)
        return;
    if (history->rows && history->row[history->rows - 1].samples == row.samples)
        history->rows--;
    if (history->rows == FR_FIT_HISTORY_ROWS) {
        const size_t place = closest_row(history);

        history->rows--;
        memmove(&history->row[place], &history->row[place + 1],
                (history->rows - place) * sizeof row);
    }
    history->row[history->rows++] = row;
}
