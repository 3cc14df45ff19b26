/* Writes descriptors as parameter lists for forms and as JSON Schema (2020-12) for programs. */
#ifndef FR_SCHEMA_H
#define FR_SCHEMA_H

#include "engine/forerun.h"
#include "server/json/writer.h"

/* Writes the member `"parameters": [...]`. */
void fr_schema_write_params(struct fr_writer *w, const struct fr_param *params);
/* Writes the member of its name: its schema. */
void fr_schema_write_param(struct fr_writer *w, const struct fr_param *param);
/* Writes the schema of a model's parameters. */
void fr_schema_write(struct fr_writer *w, const struct fr_model *model);
/* Writes the schema of the calibration document. */
void fr_schema_write_calibration(struct fr_writer *w);
/* Writes the schema of a saved run.  The model determines its parameters and outputs. */
void fr_schema_write_run(struct fr_writer *w);

#endif
