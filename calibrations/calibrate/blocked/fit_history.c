/* Keeps the history of a model within its rows by dropping the row whose neighbours are closest. */
#include "calibrations/calibrate/blocked/fit_history.h"

#include <math.h>
#include <string.h>

/* The inner row whose neighbours are closest to each other. */
static size_t least_missed(const struct fr_fit_history *building)
{
    double least = INFINITY;
    size_t place = 1;

    for (size_t i = 1; i + 1 < building->rows; i++) {
        const double gap =
            (double)building->row[i + 1].samples / (double)building->row[i - 1].samples;

        if (gap < least) {
            least = gap;
            place = i;
        }
    }
    return place;
}

void fr_fit_history_add(struct fr_fit_history *building, const struct blocked_progress *progress)
{
    const struct fr_fit_history_row row = { .samples = progress->samples,
                                            .regions =
                                                progress->regions_done + progress->regions_open,
                                            .error = progress->mean_error };

    if (!(row.error >= 0) || !row.samples || !row.regions)
        return;
    if (building->rows && building->row[building->rows - 1].samples == row.samples)
        building->rows--;
    if (building->rows == FR_BUILDING_ROWS) {
        const size_t place = least_missed(building);

        building->rows--;
        memmove(&building->row[place], &building->row[place + 1],
                (building->rows - place) * sizeof row);
    }
    building->row[building->rows++] = row;
}
