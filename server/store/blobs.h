/* Values too large for memory, read and written piece by piece in place. */
#ifndef FR_BLOBS_H
#define FR_BLOBS_H

#include "server/store/sql.h"

/* Each takes a table, its column and a row; the value has its length already (zeroblob).
 * FR_STORE_OK or FR_STORE_FAILED, logged. */
int fr_blob_write(struct fr_store *store, const char *table, const char *column, int64_t row,
                  const void *bytes, size_t length);
/* From the first byte of a file. */
int fr_blob_take_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file, int64_t length);
/* Appends to a file. */
int fr_blob_give_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file);
/* Into memory that the caller frees. */
int fr_blob_read(struct fr_store *store, const char *table, const char *column, int64_t row,
                 unsigned char **bytes, size_t *length);

#endif
