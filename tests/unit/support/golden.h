/* Golden cases: a JSON file of calibrations and of cases with what they must give. */
#ifndef FR_GOLDEN_H
#define FR_GOLDEN_H

#include "engine/forerun.h"
#include "tests/unit/support/check.h"

#include <jansson.h>

/* The file's text, parsed; free with json_decref. */
json_t *golden_load(const char *name);
/* A calibration of the file, or of another that it names by the way there, decoded into `arena`.
 * Golden documents leave out schema and machine. */
const struct fr_calibration *golden_calibration(json_t *golden, const char *name,
                                                struct fr_arena *arena);
/* Parameters from a JSON object (without `model`), bound; the model or NULL with a fault. */
const struct fr_model *golden_bind(json_t *problem, struct fr_arena *arena, void **values,
                                   struct fr_faults *faults);
/* A case with `calibration`, `problem` and what it expects: outputs, breakdown, warnings, or the
 * names of what is refused, within 1e-9. */
void golden_problem(json_t *golden, json_t *item, const char *id);
/* Checks every warning of `expected` ("code:what") and that there is no other. */
void golden_warnings(const struct fr_prediction *prediction, json_t *expected, const char *id);

#endif
