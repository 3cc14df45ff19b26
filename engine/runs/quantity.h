/* Quantities that a prediction and a saved run both have. */
#ifndef FR_RUNS_QUANTITY_H
#define FR_RUNS_QUANTITY_H

#include "engine/core/arena.h"
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
/* Reports a name that is none of these, with the nearest output. */
void fr_quantity_refuse(const struct fr_model *model, const char *name, enum fr_code code,
                        const char *where, struct fr_faults *faults);
/* Their values, NaN if unknown, and the unit. */
double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction);
double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run);
bool fr_quantity_is_time(const struct fr_quantity *quantity); /* of the whole run: time_s */
bool fr_quantity_is_rate(const struct fr_quantity *quantity); /* gflops or percent_of_peak */
const char *fr_quantity_unit(const struct fr_quantity *quantity);

enum { FR_MOST_QUANTITIES = 6 };

struct fr_quantities {
    struct fr_quantity quantity[FR_MOST_QUANTITIES];
    const char *name[FR_MOST_QUANTITIES + 1]; /* NULL-terminated */
    size_t count;
};
/* Reads names separated by commas; faults name `where`. */
void fr_quantities_read(const struct fr_model *model, const char *names, const char *where,
                        struct fr_arena *arena, struct fr_quantities *out,
                        struct fr_faults *faults);

#endif
