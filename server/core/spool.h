/* Temporary files for what is too large for memory.  They stand in the database's folder, which has
 * room for such things, and have no name: whatever happens, nothing is left behind.
 */
#ifndef FR_SPOOL_H
#define FR_SPOOL_H

#include "engine/forerun.h"

/* An empty file beside the database, to write and read; -1 with errno. */
int fr_spool_open(const char *database);
/* Appends; 0 or an errno. */
int fr_spool_write(int file, const void *bytes, size_t length);

/* Reads a spooled file from its beginning; for fr_matrix_read. */
struct fr_spool_reader {
    int file;
    int64_t at;
};
long fr_spool_read(void *reader, char *out, size_t size);

/* An upload of either kind, plain or gzip, as it is kept: packed. */
struct fr_packed {
    char id[17];    /* the first 16 hex digits of the SHA-256 of the plain bytes */
    int64_t bytes;  /* of them */
    int file;       /* the gzip: the spool itself, or a new one */
    int64_t length; /* of the gzip */
};
/* Hashes a spooled upload and packs it where it is plain.  FR_OK, or faults at "/"; FR_NOT_FOUND
 * without a fault where a file cannot be written or read, with errno.  Close out->file where it is
 * not `spool`. */
int fr_spool_pack(int spool, const char *database, int64_t limit_bytes, struct fr_packed *out,
                  struct fr_faults *faults);

#endif
