/* How a routine model became better with its samples: what a chart of its convergence shows. */
#ifndef FR_BUILDING_H
#define FR_BUILDING_H

#include "engine/blocked/modeler.h"

enum { FR_BUILDING_ROWS = 200 };

/* Of a long building rows are left out, evenly on a logarithmic axis. */
struct fr_fit_history {
    struct fr_fit_history_row {
        size_t samples, regions;
        double error;
    } row[FR_BUILDING_ROWS];
    size_t rows;
};

/* Takes what the Modeler tells; nothing where there is no region yet. */
void fr_fit_history_add(struct fr_fit_history *building, const struct blocked_progress *progress);

#endif
