/* Storing a calibration: what an upload and an import share. */
#ifndef FR_CALIBRATIONS_H
#define FR_CALIBRATIONS_H

#include "server/calibrations/catalogue.h"

/* Validates a document as an upload, stores it and, with a catalogue, puts it to use.  FR_OK, or a
 * code: with faults where the document is refused, without where the store failed.  *created tells
 * whether it is new. */
int fr_calibration_add(struct fr_store *store, struct fr_catalog *catalog,
                       const char *machine_or_null, const char *text, size_t length, char id[17],
                       bool *created, struct fr_faults *faults);

#endif
