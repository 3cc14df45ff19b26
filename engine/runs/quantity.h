/* Quantities that a prediction and a saved run both have. */
#ifndef FR_RUNS_QUANTITY_H
#define FR_RUNS_QUANTITY_H

#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something that both a prediction and a saved run may say: an output, or the time of a phase. */
struct fr_quantity {
    const struct fr_output *output; /* or NULL: */
    char phase[FR_OUTPUT_NAME_BYTES];
    size_t place; /* of the output among those of the model */
};
/* `time_s`, any numeric output, or `breakdown_PHASE_time_s`; false: the model has no such thing. */
bool fr_quantity_find(const struct fr_model *model, const char *name, struct fr_quantity *out);
/* NaN where it has no value. */
double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction);
double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run);
const char *fr_quantity_unit(const struct fr_quantity *quantity);

/* A number for all parameters that say what was run, so that equal configurations are found: those
 * with FR_METHOD are left out, and the tunables too where only the problem counts. */
uint64_t fr_configuration(const struct fr_model *model, const void *values, bool is_problem);

#endif
