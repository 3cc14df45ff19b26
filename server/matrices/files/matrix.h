/* A sparse square matrix as a file tells it: where its entries are, and how large they are.
 *
 * Column-wise, rows ascending, no entry twice; symmetric kinds are expanded, explicit zeros are
 * entries.  Values are magnitudes: what a row permutation is chosen by.
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

/* The names that clients see, ended by NULL: matrix_market, real, skew-symmetric. */
extern const char *const fr_matrix_formats[], *const fr_matrix_fields[],
                                                  *const fr_matrix_symmetries[];

enum { FR_MATRIX_TITLE_BYTES = 128 };

struct fr_matrix {
    enum fr_matrix_format format;
    enum fr_matrix_field field;
    enum fr_matrix_symmetry symmetry;
    char title[FR_MATRIX_TITLE_BYTES]; /* UTF-8; empty where the file has none */
    int64_t n, entries, nnz;           /* entries of the file; nnz once they are expanded */
    int64_t *column_at;                /* n + 1; rows and values of column j begin there */
    int32_t *row;                      /* nnz, from 0 */
    double *value;                     /* nnz magnitudes, finite; NULL of a pattern */
};

void fr_matrix_free(struct fr_matrix *matrix);

#endif
