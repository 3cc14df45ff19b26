/* What the daemon reads: one line of JSON for each record, and the bytes of structures.
 *
 * Standard output belongs to the records alone: what libraries print there goes to standard
 * error.
 */
#ifndef FR_ANALYZE_RECORDS_H
#define FR_ANALYZE_RECORDS_H

#include "engine/forerun.h"
#include "server/json/writer.h"

/* Takes standard output away from everybody else; false where that fails. */
bool fr_records_begin(void);

/* Opens a record of this kind; finish it with fr_record_end. */
void fr_record(struct fr_writer *w, const char *kind);
/* Writes and frees it, and `bytes` behind it.  Ends the process where nobody reads any more. */
void fr_record_end(struct fr_writer *w, const unsigned char *bytes, size_t length);

/* The stage lasts until the next one.  `ordering` is the one it serves, or NULL. */
void fr_stage(const char *stage, const char *ordering, double fraction);

/* A failure: of the ordering, or of everything where that is NULL; the first fault is told. */
void fr_record_failed(const char *ordering, const struct fr_faults *faults);
void fr_record_finished(void);

/* Plain text to the original standard output. */
void fr_records_write(const char *text, size_t length);

#endif
