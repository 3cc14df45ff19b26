/* Parameters of a model from a JSON object: in a batch's request, in a saved run. */
#ifndef FR_JSON_PARAMS_H
#define FR_JSON_PARAMS_H

#include "engine/forerun.h"
#include "server/json/value.h"

/* Binds what `parameters` (an object, or NULL) gives; all its faults are found, by the parameter's
 * name.  *given becomes the set of fr_param_bit of what was there. */
void fr_params_bind(const struct fr_model *model, json_t *parameters, void *values, uint64_t *given,
                    struct fr_faults *faults);

#endif
