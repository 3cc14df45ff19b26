/* Matrix files for the reader: complete, truncated and modified. */
#ifndef FR_MATRIX_FILES_H
#define FR_MATRIX_FILES_H

#include "tests/unit/support/question.h"

#include "server/matrices/files/matrix.h"

/* A file of tests/samples/matrices; the caller frees it. */
char *matrix_file(const char *name, size_t *length);
/* The text compressed by gzip; the caller frees it. */
char *packed(const char *text, size_t length, size_t *packed_length);

/* How the reader receives a text. */
struct giving {
    const char *text;
    size_t length, chunk; /* maximum bytes at once; 0: all */
    bool fails;           /* at the end */
    struct fr_matrix_limits limits;
};
struct giving given(const char *text, size_t length);
struct fr_matrix *read_given(const struct giving *giving, struct fr_faults *faults);

/* Fails the test if the text is refused. Free with fr_matrix_free. */
struct fr_matrix *matrix_of(const char *text, size_t length);
struct fr_matrix *matrix_of_file(const char *name);
struct fr_matrix *matrix_of_text(const char *text);
/* Fails the test if the text is accepted. */
struct fr_faults matrix_refused(const char *text, size_t length);
struct fr_faults text_refused(const char *text);

/* Fails the test unless the matrix satisfies the guarantees of matrix.h. */
void check_matrix(const struct fr_matrix *matrix);
/* The magnitude at a position, counted from 1; -1: no entry, 1 for a pattern. */
double entry_of(const struct fr_matrix *matrix, int64_t row, int64_t column);
/* Fails the test unless the matrix has the entries of the small matrix in several samples; frees
 * it. */
void check_five(struct fr_matrix *matrix);
/* Fails the test unless both matrices have the same entries. */
void check_same(const struct fr_matrix *a, const struct fr_matrix *b);

/* How a truncation is detected: by a checksum; by fields of fixed width, except for blanks and line
 * ends; or not within the last word. */
enum matrix_end { MATRIX_CHECKED, MATRIX_FIXED, MATRIX_FREE };
/* Checks that each proper prefix of the text is refused, unless it can be complete. */
void check_cuts(const char *text, size_t length, enum matrix_end end);
/* Checks that each random modification is refused with a reason or gives a valid matrix. */
void check_changes(const char *text, size_t length, int rounds, uint64_t seed);

#endif
