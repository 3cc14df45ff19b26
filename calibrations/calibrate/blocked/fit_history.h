/* Convergence of a routine model: its error by the number of samples, for charts. */
#ifndef FR_FIT_HISTORY_H
#define FR_FIT_HISTORY_H

#include "engine/blocked/modeler.h"
#include "engine/calibration/calibration.h"

enum { FR_FIT_HISTORY_ROWS = 200 };

/* A long history is thinned evenly on a logarithmic axis of samples. */
struct fr_fit_history {
    struct fr_model_progress row[FR_FIT_HISTORY_ROWS];
    size_t rows;
};

/* Adds a report of the Modeler; ignores one without regions. */
void fr_fit_history_add(struct fr_fit_history *history, const struct blocked_progress *progress);

#endif
