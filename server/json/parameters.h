/* Reads the parameters of a model from a JSON object, in a batch request or a saved run. */
#ifndef FR_JSON_PARAMS_H
#define FR_JSON_PARAMS_H

#include "engine/forerun.h"
#include "server/json/value.h"

/* Sets one parameter of `values`, or reports a fault under its name. */
void fr_param_bind(const struct fr_param *param, json_t *value, void *values,
                   struct fr_faults *faults);
/* Binds the members of `parameters` (an object, or NULL) to `values`.  Every fault is reported
 * under the name of its parameter.  A member whose name is in `beside` (NULL-ended, or NULL)
 * belongs beside `parameters`, and its fault says so.  *given becomes the set of fr_param_bit of
 * the parameters present. */
void fr_params_bind(const struct fr_model *model, json_t *parameters, const char *const *beside,
                    void *values, uint64_t *given, struct fr_faults *faults);

#endif
