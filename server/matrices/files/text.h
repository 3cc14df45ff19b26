/* The bytes of a matrix file, plain or gzip, as lines of bounded length. */
#ifndef FR_MATRIX_TEXT_H
#define FR_MATRIX_TEXT_H

#include "server/matrices/files/read.h"

enum { FR_MATRIX_LINE_BYTES = 4096 };

struct fr_matrix_text;

/* A line without its line end; may contain any bytes. */
struct fr_matrix_line {
    const char *at, *end; /* valid until the next line is read */
    bool is_ended;        /* has a line feed, or gzip's checksum proves that it is complete */
};

/* Starts reading.  NULL with a fault; free with fr_matrix_text_free. */
struct fr_matrix_text *fr_matrix_text_new(fr_read_bytes *read, void *context, int64_t limit_bytes,
                                          struct fr_faults *faults);
void fr_matrix_text_free(struct fr_matrix_text *text);

/* The first 512 bytes, or all of a shorter file. */
const char *fr_matrix_text_begin(struct fr_matrix_text *text, size_t *length);
/* Reads a line; false after the last one, and on a failure: fr_matrix_text_is_broken. */
bool fr_matrix_text_line(struct fr_matrix_text *text, struct fr_matrix_line *line);
/* The number of the last line read, from 1. */
int64_t fr_matrix_text_at(const struct fr_matrix_text *text);
/* Whether reading ended with a fault: a read error, damaged gzip data or a limit. */
bool fr_matrix_text_is_broken(const struct fr_matrix_text *text);

#endif
