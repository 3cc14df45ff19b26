/* Sensitivity: which calibrated values change a prediction most. */
#ifndef FR_QUESTIONS_SENSITIVITY_H
#define FR_QUESTIONS_SENSITIVITY_H

#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

enum { FR_MOST_INFLUENCES = 96, FR_INFLUENCE_BYTES = 64 };

/* What a change of one value, or of all values of a table, does to the time. */
struct fr_influence {
    char path[FR_INFLUENCE_BYTES]; /* of a what-if */
    /* With the factor, and with its inverse; NaN: such a machine has no prediction. */
    double multiplied_s, divided_s;
    double width_s; /* from the least to the greatest of these and the unchanged time */
};

struct fr_sensitivity {
    double time_s; /* unchanged */
    size_t tried;  /* values of the calibration that a model could read */
    size_t count;  /* those that change the time */
    struct fr_influence row[FR_MOST_INFLUENCES]; /* the widest first */
};

/* Predicts with `factor` (> 1) times each of: all bandwidths and all latencies of the network, the
 * contention, the rate of each kernel, and each other value of node, network, memory, sparse and
 * cnc; and with 1 / `factor` times each.  `values` are bound and not resolved, and stay unchanged.
 * Takes at most 2 * FR_MOST_INFLUENCES + 1 predictions.  Returns FR_OK, or the faults of the
 * unchanged question; FR_NOMEM if the work exceeds that of a question. */
int fr_sensitivity_find(const struct fr_model *model, const void *values,
                        const struct fr_run_source *source, const struct fr_calibration *cal,
                        double factor, struct fr_arena *arena, struct fr_sensitivity *out,
                        struct fr_faults *faults);

#endif
