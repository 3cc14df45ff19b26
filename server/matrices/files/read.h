/* Reads matrix files, plain or gzip: Matrix Market (coordinate), Harwell-Boeing and
 * Rutherford-Boeing (assembled).  Files that violate their format are refused.
 *
 * Memory grows with the data received, not with the sizes in the header: at most 24 bytes per entry
 * and some per row.
 */
#ifndef FR_MATRIX_READ_H
#define FR_MATRIX_READ_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

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

#endif
