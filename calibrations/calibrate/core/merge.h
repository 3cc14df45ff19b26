/* Merges calibration documents of one machine (docs/calibration.md#merging-documents). */
#ifndef FR_MERGE_H
#define FR_MERGE_H

#include <stddef.h>

struct fr_writer;

enum { FR_MERGE_MESSAGE_BYTES = 200 };

struct fr_text {
    const char *text;
    size_t length;
};

/* Appends the merged document, indented.  Parts of later documents replace those of earlier ones;
 * null replaces nothing.  Each source is restricted to the parts that come from its document, and
 * the source of a row follows the row to its new index.  Returns 0 with an empty message or a
 * warning (other processor or library), or -1 with a reason: not a JSON object, or different
 * machines or schemas. */
int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES]);

#endif
