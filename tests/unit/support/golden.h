/* Golden cases: a JSON file of calibrations and of cases with their expected results. */
#ifndef FR_GOLDEN_H
#define FR_GOLDEN_H

#include "engine/forerun.h"
#include "tests/unit/support/check.h"

#include <jansson.h>

/* The file's text, parsed; free with json_decref. */
json_t *golden_load(const char *name);
/* A member of an object; zero or NULL: there is none. */
double golden_number(json_t *object, const char *key);
const char *golden_text(json_t *object, const char *key);
struct fr_vector golden_vector(json_t *list);
/* A calibration of the file, or of another file that it names by a relative path, decoded into
 * `arena`. Golden documents leave out schema and machine. */
const struct fr_calibration *golden_calibration(json_t *golden, const char *name,
                                                struct fr_arena *arena);
/* Checks a case with `calibration`, `problem` and expected results (outputs, breakdown,
 * warnings, or the names of refused parameters) within 1e-9. */
void golden_problem(json_t *golden, json_t *item, const char *id);
/* Checks outputs, breakdown and warnings within 1e-9; an object within `expected` has outputs with
 * a dot in their names. */
void golden_outputs(const struct fr_model *model, const struct fr_prediction *got, json_t *expected,
                    const char *outer, const char *id);
void golden_vector_is(const struct fr_vector *got, json_t *want, const char *id);
/* Null: not a number. */
void golden_number_is(double got, json_t *want, const char *name, const char *id);
/* Checks that the warnings are exactly those of `expected` ("code:what"). */
void golden_warnings(const struct fr_prediction *prediction, json_t *expected, const char *id);

#endif
