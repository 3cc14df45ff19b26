/* A calibration document: from its text to the struct that models read. */
#ifndef FR_JSON_CALIBRATION_H
#define FR_JSON_CALIBRATION_H

#include "engine/forerun.h"

#include "server/json/value.h"

/* Decodes, checks and prepares; everything it makes lives in `arena`. The id is written too. */
int fr_calibration_read(const char *text, size_t length, struct fr_arena *arena,
                        struct fr_calibration *cal, char id[17], struct fr_faults *faults);
/* The same from a parsed value; pointers in faults start at that value. */
int fr_calibration_decode(json_t *root, struct fr_arena *arena, struct fr_calibration *cal,
                          char id[17], struct fr_faults *faults);
/* [a-z0-9][a-z0-9._-]{0,63} */
bool fr_machine_name_is_legal(const char *name);

#endif
