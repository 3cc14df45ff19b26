/* Calibration documents of one machine as one: kernels from here, network from there. */
#ifndef FR_MERGE_H
#define FR_MERGE_H

#include "calibrations/calibrate/core/json_path.h"

struct fr_writer;

enum { FR_MERGE_MESSAGE_BYTES = 200 };

/* Appends the combined document, laid out.  A later document's part replaces an earlier one's, and
 * parts are as small as they can be understood apart (paths.h); null replaces nothing.  Of
 * `sources` each document gives the entries of what comes from it; one of more than that ("",
 * "/kernels") is narrowed to what does, and one of a row follows it to its new path.
 * Returns 0, the message empty or a warning: another processor or library; or -1 with a reason: no
 * JSON object, or different machines or schemas. */
int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES]);

#endif
