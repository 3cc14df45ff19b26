/* A sparse square matrix from a file.
 *
 * Stored by columns with ascending rows and no duplicates.  Symmetric matrices are expanded;
 * explicit zeros are entries.  Values are magnitudes, because only the row permutation uses them.
 */
#ifndef FR_MATRIX_H
#define FR_MATRIX_H

#include <stdint.h>

enum fr_matrix_format { FR_MATRIX_MARKET, FR_HARWELL_BOEING, FR_RUTHERFORD_BOEING };
enum fr_matrix_field { FR_MATRIX_REAL, FR_MATRIX_INTEGER, FR_MATRIX_COMPLEX, FR_MATRIX_PATTERN };
enum fr_matrix_symmetry {
    FR_MATRIX_GENERAL,
    FR_MATRIX_SYMMETRIC,
    FR_MATRIX_SKEW,
    FR_MATRIX_HERMITIAN
};

/* Names of the enumerations above for clients, ended by NULL. */
extern const char *const fr_matrix_formats[], *const fr_matrix_fields[],
                                                  *const fr_matrix_symmetries[];

enum { FR_MATRIX_TITLE_BYTES = 128 };

/* What the head of a file tells, by the line that has it. */
enum {
    FR_MATRIX_LINE_OF_FORMAT,
    FR_MATRIX_LINE_OF_TYPE,  /* field and symmetry */
    FR_MATRIX_LINE_OF_SIZES, /* n and entries */
    FR_MATRIX_LINE_OF_TITLE,
    FR_MATRIX_LINES
};

struct fr_matrix {
    enum fr_matrix_format format;
    enum fr_matrix_field field;
    enum fr_matrix_symmetry symmetry;
    char title[FR_MATRIX_TITLE_BYTES]; /* UTF-8; empty if the file has none */
    int64_t line[FR_MATRIX_LINES];     /* from 1 */
    int64_t n, entries, nnz;           /* entries: in the file; nnz: of the expanded matrix */
    int64_t *column_at;                /* n + 1 offsets of the columns */
    int32_t *row;                      /* nnz, from 0 */
    double *value;                     /* nnz finite magnitudes; NULL for a pattern */
};

/* Accepts NULL. */
void fr_matrix_free(struct fr_matrix *matrix);

#endif
