/* Calibration documents of one machine as one: kernels from here, network from there. */
#ifndef FR_MERGE_H
#define FR_MERGE_H

#include <stddef.h>

struct fr_writer;

struct fr_text {
    const char *text;
    size_t length;
};

enum { FR_MERGE_MESSAGE_BYTES = 200 };

/* Appends the combined document, laid out.  A later document's member replaces an earlier one's
 * whole, and of `kernels` each kernel by itself; null replaces nothing.  Of `sources` each document
 * gives the entries of what comes from it; one of more than that ("" or "/kernels") is narrowed to
 * the members that do.
 * Returns 0, or -1 with a reason: no JSON object, or different machines or schemas. */
int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES]);

#endif
