/* Large values, copied in pieces between the database and files or memory. */
#include "server/store/blobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 * 1024 };

static int open_blob(struct fr_store *store, const char *table, const char *column, int64_t row,
                     bool to_write, sqlite3_blob **blob)
{
    if (sqlite3_blob_open(store->db, "main", table, column, row, to_write, blob) == SQLITE_OK)
        return FR_STORE_OK;
    return fr_sql_failed(store, table);
}

static int file_failed(struct fr_store *store, const char *what)
{
    fr_logf(store->log, FR_LOG_ERROR, "store_failed", "%s: %s", what, strerrordesc_np(errno));
    return FR_STORE_FAILED;
}

int fr_blob_write(struct fr_store *store, const char *table, const char *column, int64_t row,
                  const void *bytes, size_t length)
{
    sqlite3_blob *blob;
    int result = open_blob(store, table, column, row, true, &blob);

    if (result != FR_STORE_OK)
        return result;
    if (sqlite3_blob_write(blob, bytes, (int)length, 0) != SQLITE_OK)
        result = fr_sql_failed(store, table);
    sqlite3_blob_close(blob);
    return result;
}

static int take_pieces(struct fr_store *store, sqlite3_blob *blob, int file, int64_t length)
{
    char piece[PIECE_BYTES];

    for (int64_t at = 0; at < length;) {
        const size_t wanted = length - at < PIECE_BYTES ? (size_t)(length - at) : PIECE_BYTES;
        const ssize_t got = pread(file, piece, wanted, at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return file_failed(store, "reading an upload back");
        if (sqlite3_blob_write(blob, piece, (int)got, (int)at) != SQLITE_OK)
            return fr_sql_failed(store, "storing an upload");
        at += got;
    }
    return FR_STORE_OK;
}

int fr_blob_take_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file, int64_t length)
{
    sqlite3_blob *blob;
    int result = open_blob(store, table, column, row, true, &blob);

    if (result != FR_STORE_OK)
        return result;
    result = take_pieces(store, blob, file, length);
    sqlite3_blob_close(blob);
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
    char piece[PIECE_BYTES];
    sqlite3_blob *blob;
    int result = open_blob(store, table, column, row, false, &blob);
    int length;

    if (result != FR_STORE_OK)
        return result;
    length = sqlite3_blob_bytes(blob);
    for (int at = 0; at < length && result == FR_STORE_OK;) {
        const int wanted = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;

        if (sqlite3_blob_read(blob, piece, wanted, at) != SQLITE_OK)
            result = fr_sql_failed(store, table);
        else
            result = append(store, file, piece, (size_t)wanted);
        at += wanted;
    }
    sqlite3_blob_close(blob);
    return result;
}

int fr_blob_read(struct fr_store *store, const char *table, const char *column, int64_t row,
                 unsigned char **bytes, size_t *length)
{
    sqlite3_blob *blob;
    int result = open_blob(store, table, column, row, false, &blob);
    unsigned char *copy;

    if (result != FR_STORE_OK)
        return result;
    *length = (size_t)sqlite3_blob_bytes(blob);
    copy = malloc(*length ? *length : 1);
    if (!copy)
        result = file_failed(store, table);
    else if (sqlite3_blob_read(blob, copy, (int)*length, 0) != SQLITE_OK)
        result = fr_sql_failed(store, table);
    sqlite3_blob_close(blob);
    if (result == FR_STORE_OK)
        *bytes = copy;
    else
        free(copy);
    return result;
}
