/* Values too large for memory, read and written in pieces. */
#ifndef FR_BLOBS_H
#define FR_BLOBS_H

#include "server/store/sql.h"

/* Each function takes a table, a column and a row, whose value already has its length (zeroblob).
 * FR_STORE_OK, or FR_STORE_FAILED, which has been logged. */
int fr_blob_write(struct fr_store *store, const char *table, const char *column, int64_t row,
                  const void *bytes, size_t length);
/* The same after `add` has inserted the row with its number and the length. */
int fr_blob_add(struct fr_store *store, enum fr_sql add, const char *table, const char *column,
                int64_t row, const void *bytes, size_t length);
/* Copies a file, from its first byte. */
int fr_blob_take_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file, int64_t length);
/* Appends the value to a file. */
int fr_blob_give_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file);
/* Reads the value into *bytes, which the caller frees. */
int fr_blob_read(struct fr_store *store, const char *table, const char *column, int64_t row,
                 unsigned char **bytes, size_t *length);

#endif
