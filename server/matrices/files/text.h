/* The bytes of a matrix file as lines of bounded length, unpacked where they are gzip's. */
#ifndef FR_MATRIX_TEXT_H
#define FR_MATRIX_TEXT_H

#include "server/matrices/files/read.h"

enum { FR_MATRIX_LINE_BYTES = 4096 };

struct fr_matrix_text;

/* Any bytes, without the line's end. */
struct fr_matrix_line {
    const char *at, *end; /* until the next line is asked for */
    bool is_ended;        /* by a line feed, or by a checksum: nothing of it can be missing */
};

/* NULL with a fault.  Free with fr_matrix_text_free. */
struct fr_matrix_text *fr_matrix_text_new(fr_read_bytes *read, void *context, int64_t limit_bytes,
                                          struct fr_faults *faults);
void fr_matrix_text_free(struct fr_matrix_text *text);

/* The first bytes, some hundred or all that there are. */
const char *fr_matrix_text_begin(struct fr_matrix_text *text, size_t *length);
/* False behind the last line, or where what follows cannot be read: fr_matrix_text_is_broken. */
bool fr_matrix_text_line(struct fr_matrix_text *text, struct fr_matrix_line *line);
/* The number of the line that was read last, from 1. */
int64_t fr_matrix_text_at(const struct fr_matrix_text *text);
/* Whether reading ended with a fault: bytes that cannot be had, a limit. */
bool fr_matrix_text_is_broken(const struct fr_matrix_text *text);

#endif
