/* Decodes a calibration document into the struct that models read. */
#ifndef FR_CALIBRATION_DOCUMENT_H
#define FR_CALIBRATION_DOCUMENT_H

#include "engine/forerun.h"

#include "server/json/value.h"

/* Decodes, checks and prepares a document; *cal lives in `arena`.  FR_OK, and `id` is set, or the
 * code of a fault. */
int fr_calibration_read(const char *text, size_t length, struct fr_arena *arena,
                        struct fr_calibration *cal, char id[17], struct fr_faults *faults);
/* The same for a parsed value; faults are at pointers into it. */
int fr_calibration_decode(json_t *root, struct fr_arena *arena, struct fr_calibration *cal,
                          char id[17], struct fr_faults *faults);
/* [a-z0-9][a-z0-9._-]{0,63} */
bool fr_machine_name_is_legal(const char *name);
/* A fault at `where` if the name is none. */
void fr_machine_name_check(const char *name, const char *where, struct fr_faults *faults);

#endif
