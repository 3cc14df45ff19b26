/* Matrix files for the reader: complete, truncated and changed. */
#ifndef FR_MATRIX_FILES_H
#define FR_MATRIX_FILES_H

#include "tests/unit/support/question.h"

#include "server/matrices/files/read.h"

/* A file of tests/samples/matrices; free it. */
char *matrix_file(const char *name, size_t *length);
/* Compressed by gzip; free it. */
char *packed(const char *text, size_t length, size_t *packed_length);

/* How the reader receives a text. */
struct giving {
    const char *text;
    size_t length, chunk; /* at most so many bytes at once; 0: all */
    bool fails;           /* at the end */
    struct fr_matrix_limits limits;
};
struct giving given(const char *text, size_t length);
struct fr_matrix *read_given(const struct giving *giving, struct fr_faults *faults);

/* Fails where it is refused.  Free with fr_matrix_free. */
struct fr_matrix *matrix_of(const char *text, size_t length);
struct fr_matrix *matrix_of_file(const char *name);
struct fr_matrix *matrix_of_text(const char *text);
/* Fails where it is taken. */
struct fr_faults matrix_refused(const char *text, size_t length);
struct fr_faults text_refused(const char *text);

/* Fails unless it is what matrix.h promises. */
void check_matrix(const struct fr_matrix *matrix);
/* The magnitude at a place, from 1; -1: no entry, 1 of a pattern. */
double entry_of(const struct fr_matrix *matrix, int64_t row, int64_t column);
/* Fails unless the entries are those of the small matrix that several samples hold, and frees it.
 */
void check_five(struct fr_matrix *matrix);
/* Fails unless the entries of both are the same. */
void check_same(const struct fr_matrix *a, const struct fr_matrix *b);

/* How a truncation is detected: by a checksum; by fields of fixed width, except for blanks and line
 * ends; or not within the last word. */
enum matrix_end { MATRIX_CHECKED, MATRIX_FIXED, MATRIX_FREE };
/* Checks that each prefix of the text is refused, unless it may be complete. */
void check_cuts(const char *text, size_t length, enum matrix_end end);
/* Checks random changes: each is refused with a reason or gives a valid matrix. */
void check_changes(const char *text, size_t length, int rounds, uint64_t seed);

#endif
