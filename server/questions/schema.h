/* Descriptors written out: as lists for people and forms, as JSON Schema (2020-12) for programs. */
#ifndef FR_SCHEMA_H
#define FR_SCHEMA_H

#include "engine/forerun.h"
#include "server/json/writer.h"

/* `"parameters": [...]` */
void fr_schema_write_params(struct fr_writer *w, const struct fr_param *params);
/* The schema of a model's parameters. */
void fr_schema_write(struct fr_writer *w, const struct fr_model *model);
/* The schema of the calibration document. */
void fr_schema_write_calibration(struct fr_writer *w);
/* The schema of a saved run; its parameters and outputs are the model's. */
void fr_schema_write_run(struct fr_writer *w);

#endif
