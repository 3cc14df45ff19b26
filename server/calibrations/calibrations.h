/* Stores a calibration, for uploads and imports. */
#ifndef FR_CALIBRATIONS_H
#define FR_CALIBRATIONS_H

#include "server/calibrations/catalogue.h"

/* The clause of fr_document_warnings_write. */
#define FR_DOCUMENT_HAS "the document"

/* Validates a document as an upload, stores it, and adds it to the catalogue unless that is NULL.
 * FR_OK, or a code: with faults if the document is refused, without if the store failed.  *created
 * says whether it is new.
 *
 * The facts of the document are compared with those of its machine.  A new document that cannot be
 * of this machine is refused; *mismatches are the facts that differ, *loaded_parts those that were
 * measured on a loaded machine (enum fr_use bits). */
int fr_calibration_add(struct fr_store *store, struct fr_catalog *catalog,
                       const char *machine_or_null, const char *text, size_t length, char id[17],
                       bool *created, struct fr_mismatches *mismatches, fr_uses *loaded_parts,
                       struct fr_faults *faults);

#endif
