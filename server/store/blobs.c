/* Large values, copied in pieces between the database and files or memory. */
#include "server/store/sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file_failed(struct fr_store *store, const char *what)
{
    fr_logf(store->log, FR_LOG_ERROR, "store_failed", "%s: %s", what, strerrordesc_np(errno));
    return FR_STORE_FAILED;
}

size_t fr_blob_piece(const struct fr_blob *blob, int64_t at)
{
    const int64_t left = blob->length - at;

    return left < FR_BLOB_PIECE_BYTES ? (size_t)left : FR_BLOB_PIECE_BYTES;
}

int fr_blob_write(struct fr_store *store, const char *table, const char *column, int64_t row,
                  const void *bytes, size_t length)
{
    struct fr_blob blob = { .store = store, .table = table, .column = column, .row = row };
    int result = store->driver->blob_open(&blob, true);

    if (result != FR_STORE_OK)
        return result;
    blob.length = (int64_t)length;
    for (int64_t at = 0; at < blob.length && result == FR_STORE_OK; at += FR_BLOB_PIECE_BYTES)
        result =
            store->driver->blob_put(&blob, at, (const char *)bytes + at, fr_blob_piece(&blob, at));
    store->driver->blob_close(&blob);
    return result;
}

int fr_blob_add(struct fr_store *store, enum fr_sql add, const char *table, const char *column,
                int64_t row, const void *bytes, size_t length)
{
    const int result = fr_sql_change(store, add, FR_SQL_VALUES(row, length));

    return result == FR_STORE_OK ? fr_blob_write(store, table, column, row, bytes, length) : result;
}

/* Reads a whole piece of a file. */
static int read_piece(struct fr_store *store, int file, int64_t at, char *piece, size_t length)
{
    for (size_t have = 0; have < length;) {
        const ssize_t got = pread(file, piece + have, length - have, at + (int64_t)have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return file_failed(store, "reading an upload back");
        have += (size_t)got;
    }
    return FR_STORE_OK;
}

int fr_blob_take_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file, int64_t length)
{
    struct fr_blob blob = { .store = store, .table = table, .column = column, .row = row };
    char piece[FR_BLOB_PIECE_BYTES];
    int result = store->driver->blob_open(&blob, true);

    if (result != FR_STORE_OK)
        return result;
    blob.length = length;
    for (int64_t at = 0; at < length && result == FR_STORE_OK; at += FR_BLOB_PIECE_BYTES) {
        const size_t wanted = fr_blob_piece(&blob, at);

        result = read_piece(store, file, at, piece, wanted);
        if (result == FR_STORE_OK)
            result = store->driver->blob_put(&blob, at, piece, wanted);
    }
    store->driver->blob_close(&blob);
    return result;
}

static int append(struct fr_store *store, int file, const char *piece, size_t length)
{
    while (length) {
        const ssize_t written = write(file, piece, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return file_failed(store, "copying a file out");
        piece += written;
        length -= (size_t)written;
    }
    return FR_STORE_OK;
}

int fr_blob_give_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file)
{
    struct fr_blob blob = { .store = store, .table = table, .column = column, .row = row };
    char piece[FR_BLOB_PIECE_BYTES];
    int result = store->driver->blob_open(&blob, false);

    if (result != FR_STORE_OK)
        return result;
    for (int64_t at = 0; at < blob.length && result == FR_STORE_OK; at += FR_BLOB_PIECE_BYTES) {
        const size_t wanted = fr_blob_piece(&blob, at);

        result = store->driver->blob_get(&blob, at, piece, wanted);
        if (result == FR_STORE_OK)
            result = append(store, file, piece, wanted);
    }
    store->driver->blob_close(&blob);
    return result;
}

int fr_blob_read(struct fr_store *store, const char *table, const char *column, int64_t row,
                 unsigned char **bytes, size_t *length)
{
    struct fr_blob blob = { .store = store, .table = table, .column = column, .row = row };
    int result = store->driver->blob_open(&blob, false);
    unsigned char *copy;

    if (result != FR_STORE_OK)
        return result;
    copy = malloc(blob.length ? (size_t)blob.length : 1);
    if (!copy)
        result = file_failed(store, table);
    for (int64_t at = 0; at < blob.length && result == FR_STORE_OK; at += FR_BLOB_PIECE_BYTES)
        result = store->driver->blob_get(&blob, at, copy + at, fr_blob_piece(&blob, at));
    store->driver->blob_close(&blob);
    if (result == FR_STORE_OK) {
        *bytes = copy;
        *length = (size_t)blob.length;
    } else {
        free(copy);
    }
    return result;
}
