/* Convergence of a routine model: its error by the number of samples, for charts. */
#ifndef FR_BUILDING_H
#define FR_BUILDING_H

#include "engine/blocked/modeler.h"

enum { FR_BUILDING_ROWS = 200 };

/* A long history is thinned evenly on a logarithmic axis of samples. */
struct fr_fit_history {
    struct fr_fit_history_row {
        size_t samples, regions;
        double error;
    } row[FR_BUILDING_ROWS];
    size_t rows;
};

/* Adds a report of the Modeler; ignores one without regions. */
void fr_fit_history_add(struct fr_fit_history *building, const struct blocked_progress *progress);

#endif
