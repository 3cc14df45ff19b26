/* Temporary files for uploads that are too large for memory.  They are in the folder of the
 * database, or in $TMPDIR or /var/tmp if a server has the database, and have no name, so that
 * nothing remains after a crash. */
#ifndef FR_SPOOL_H
#define FR_SPOOL_H

#include "engine/forerun.h"

/* Opens an empty file for a database of this name; the caller closes it.  -1 with errno. */
int fr_spool_open(const char *database);
/* Appends; 0 or an errno. */
int fr_spool_write(int file, const void *bytes, size_t length);

/* Reads a spooled file from its beginning, for fr_matrix_read. */
struct fr_spool_reader {
    int file;
    int64_t at;
};
long fr_spool_read(void *reader, char *out, size_t size);

/* An upload as it is stored: as gzip. */
struct fr_packed {
    char id[17];    /* the first 16 hex digits of the SHA-256 of the plain bytes */
    int64_t bytes;  /* plain */
    int file;       /* the gzip: the spool itself, or a new one */
    int64_t length; /* of the gzip, bytes */
};
/* Hashes a spooled upload, and compresses it unless it is gzip.  FR_OK, or the code of a fault at
 * "/"; FR_NOT_FOUND without a fault, with errno, if a file cannot be written or read.  Close
 * out->file unless it is `spool`. */
int fr_spool_pack(int spool, const char *database, int64_t limit_bytes, struct fr_packed *out,
                  struct fr_faults *faults);

#endif
