/* Matrix files, plain or gzip: Matrix Market (coordinate), Harwell-Boeing and Rutherford-Boeing
 * (assembled).  Everything that is not exactly such a file is refused.
 *
 * Memory grows with what arrives, not with what a header announces, to 24 bytes an entry at most,
 * besides some for each row.
 */
#ifndef FR_MATRIX_READ_H
#define FR_MATRIX_READ_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

struct fr_matrix_limits {
    int64_t n, nnz, bytes; /* nnz once expanded; bytes once unpacked */
};
extern const struct fr_matrix_limits fr_matrix_usual_limits;

/* Writes up to `size` bytes to `out` and returns how many; 0: the end, -1: failed. */
typedef long fr_read_bytes(void *context, char *out, size_t size);

/* NULL with faults, whose `where` is "/line/17", or "/" for the whole; free with fr_matrix_free. */
struct fr_matrix *fr_matrix_read(fr_read_bytes *read, void *context,
                                 const struct fr_matrix_limits *limits, struct fr_faults *faults);

#endif
