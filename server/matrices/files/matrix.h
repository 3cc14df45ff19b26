/* Files of matrices, of partitions and of permutations. */
#ifndef FR_FILES_MATRIX_H
#define FR_FILES_MATRIX_H

#include "engine/core/fault.h"
#include "engine/forerun.h"
#include "engine/krylov/partition/partition.h"
#include "server/json/writer.h"

/* ---- matrix ---------------------------------------------------------------------------- */

/* A matrix from a file, its facts, and its raster. */

/* ---- matrix ---------------------------------------------------------------------------- */

/* A sparse square matrix from a file.
 *
 * Stored by columns with ascending rows and no duplicates.  Symmetric matrices are expanded;
 * explicit zeros are entries.  Values are magnitudes, because only the row permutation uses them.
 */

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

/* ---- read ------------------------------------------------------------------------------ */

/* Reads matrix files, plain or gzip: Matrix Market (coordinate), Harwell-Boeing and
 * Rutherford-Boeing (assembled).  Files that violate their format are refused.
 *
 * Memory grows with the data received, not with the sizes in the header: at most 24 bytes per entry
 * and some per row.
 */

struct fr_matrix_limits {
    int64_t n, nnz, bytes; /* nnz: of the expanded matrix; bytes: uncompressed */
};
extern const struct fr_matrix_limits fr_matrix_usual_limits;

/* Reads up to `size` bytes into `out` and returns their number; 0 at the end, -1 on failure. */
typedef long fr_read_bytes(void *context, char *out, size_t size);

/* Reads a matrix.  NULL with faults at "/line/17", or at "/" for the whole file; free with
 * fr_matrix_free. */
struct fr_matrix *fr_matrix_read(fr_read_bytes *read, void *context,
                                 const struct fr_matrix_limits *limits, struct fr_faults *faults);

/* ---- facts ----------------------------------------------------------------------------- */

/* Structural properties of a matrix. */

struct fr_matrix_facts {
    /* Share of the off-diagonal entries (i,j) for which (j,i) is an entry; 1 if there are none. */
    double structural_symmetry;
    bool is_symmetric_in_magnitude; /* (j,i) exists and has the same magnitude */
    int64_t lower_bandwidth, upper_bandwidth;
    int64_t zero_diagonals; /* no entry, or an explicit zero */
    int64_t empty_rows, empty_columns;
    int64_t fewest_in_row, most_in_row;
};

/* Finds the properties.  FR_OK, or FR_NOMEM with `facts` unchanged. */
int fr_matrix_find_facts(const struct fr_matrix *matrix, struct fr_matrix_facts *facts);

/* ---- spy ------------------------------------------------------------------------------- */

/* The pattern of a matrix as a raster of entry counts. */

enum { FR_SPY_SIDE = 256 };

/* 256 KiB: not for the stack. */
struct fr_spy {
    int64_t n;
    int32_t side;  /* cells per side: n, at most FR_SPY_SIDE */
    uint32_t most; /* entries in the fullest cell */
    /* Entries of rows [r n / side, (r + 1) n / side), rounded up, and columns likewise. */
    uint32_t count[FR_SPY_SIDE][FR_SPY_SIDE];
};

/* Counts the entries of a matrix per cell. */
void fr_matrix_spy(const struct fr_matrix *matrix, struct fr_spy *spy);

/* Encodes a raster in few bytes.  NULL if memory is short; free with free(). */
unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length);
/* Decodes a raster; false if the bytes are not one. */
bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy);

/* The facts of a partition as text, for the output of the analysis and for the store: one JSON
 * object without blanks,
 *
 *     {"processes":P,"rows":[…],"diagonal":[…],"offdiagonal":[…],"messages":[[from,to,words],…]}
 */

/* Writes the object. */
void fr_partition_write(struct fr_writer *w, const struct krylov_partition *partition);

/* Reads the text that fr_partition_write writes, in linear time and little more memory than the
 * result takes, and checks it with krylov_partition_check.  NULL with a fault; free with
 * krylov_partition_free. */
struct krylov_partition *fr_partition_read(const char *text, size_t length,
                                           struct fr_faults *faults);

/* The permutations of a matrix before its symbolic factorization, as bytes, for the analysis and
 * for the store.
 *
 * Little-endian: "FRPM", version, order, the time of the ordering as a double, whether rows are
 * permuted, CRC-32 of everything else; then the place of each column and, if they are permuted, of
 * each row, in 4 bytes.
 */

struct fr_permutations {
    int32_t n;
    double ordering_s; /* measured when the columns were ordered */
    int32_t *place;    /* column j moves to place[j] */
    int32_t *row_to;   /* row i moves to row_to[i]; NULL: rows stay */
};

/* Whether each of 0 to n - 1 is there once. */
bool fr_is_permutation(const int32_t *place, int32_t n);

/* The most bytes for a matrix of this order. */
size_t fr_permutations_most_bytes(int64_t n);
/* NULL if memory is short; free with free(). */
unsigned char *fr_permutations_write(const struct fr_permutations *permutations, size_t *length);
/* Decodes and checks permutations of a matrix of order n.  FR_OK, or FR_SYNTAX or FR_NOMEM with a
 * fault; free with fr_permutations_free. */
int fr_permutations_read(const unsigned char *bytes, size_t length, int64_t n,
                         struct fr_permutations *out, struct fr_faults *faults);
void fr_permutations_free(struct fr_permutations *permutations);

#endif
