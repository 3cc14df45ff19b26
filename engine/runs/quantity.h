/* Quantities that a prediction and a saved run both have. */
#ifndef FR_RUNS_QUANTITY_H
#define FR_RUNS_QUANTITY_H

#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <stdbool.h>
#include <stddef.h>

/* A number that a prediction and a saved run may both have: an output, or the time of a phase. */
struct fr_quantity {
    const struct fr_output *output; /* NULL: a phase */
    char phase[FR_OUTPUT_NAME_BYTES];
    size_t place; /* index of the output in the model */
};
/* Finds `time_s`, any numeric output, or `breakdown_PHASE_time_s`; false if the model has none. */
bool fr_quantity_find(const struct fr_model *model, const char *name, struct fr_quantity *out);
/* Their values, NaN if unknown, and the unit. */
double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction);
double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run);
bool fr_quantity_is_time(const struct fr_quantity *quantity); /* of the whole run: time_s */
const char *fr_quantity_unit(const struct fr_quantity *quantity);

#endif
