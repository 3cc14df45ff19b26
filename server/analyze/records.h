/* Records for the daemon: one line of JSON each, some followed by the bytes of a structure.
 *
 * They go to the original standard output; output of the libraries goes to standard error.
 */
#ifndef FR_ANALYZE_RECORDS_H
#define FR_ANALYZE_RECORDS_H

#include "engine/forerun.h"
#include "server/json/writer.h"

/* Redirects standard output to standard error and keeps the original; false on failure. */
bool fr_records_begin(void);

/* Starts a record of this kind; finish it with fr_record_end. */
void fr_record(struct fr_writer *w, const char *kind);
/* Writes a record, then `bytes` if not NULL, and frees the writer.  Ends the process if the reader
 * has closed the pipe. */
void fr_record_end(struct fr_writer *w, const unsigned char *bytes, size_t length);

/* Reports the current stage and the fraction done, 0 to 1; `ordering` may be NULL. */
void fr_stage(const char *stage, const char *ordering, double fraction);

/* Reports the first fault as the failure of an ordering, or of the analysis if that is NULL. */
void fr_record_failed(const char *ordering, const struct fr_faults *faults);
/* Writes the record `end`. */
void fr_record_finished(void);

/* Writes text to the original standard output. */
void fr_records_write(const char *text, size_t length);

#endif
