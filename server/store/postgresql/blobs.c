/* Large values: rows (of, at, piece) in the table TABLE_COLUMN; the column holds the length. */
#include "server/store/postgresql/postgresql.h"

#include <stdio.h>
#include <string.h>

/* The columns by which the tables with large values are found. */
static const char *key_of(const struct fr_blob *blob)
{
    static const char *const keys[][2] = {
        { "matrix_files", "matrix" },
        { "matrix_structures", "ordering" },
        { "matrix_permutations", "sequence" },
        { "matrix_partition_facts", "partition" },
    };
    size_t i = 0;

    while (strcmp(keys[i][0], blob->table) != 0)
        i++;
    return keys[i][1];
}

/* Runs a statement with the row, and a place and a piece where it has them. */
static PGresult *run(struct fr_blob *blob, const char *text, int count, int64_t at,
                     const void *piece, size_t length)
{
    static const Oid type[] = { PG_INT8, PG_INT8, PG_BYTEA };
    static const int format[] = { 1, 1, 1 };
    struct fr_postgresql *pg = fr_postgresql_of(blob->store);
    char row[8], place[8];
    const char *const value[] = { row, place, piece };
    const int lengths[] = { 8, 8, (int)length };

    fr_postgresql_put(row, (uint64_t)blob->row);
    fr_postgresql_put(place, (uint64_t)at);
    return fr_postgresql_wait(
        pg, fr_pq.sendQueryParams(pg->connection, text, count, type, value, lengths, format, 1),
        pg->most_ms);
}

/* One row of one column, or NULL, logged. */
static PGresult *read_one(struct fr_blob *blob, const char *text, int count, int64_t at)
{
    struct fr_postgresql *pg = fr_postgresql_of(blob->store);
    PGresult *result = NULL;

    if (fr_postgresql_revive(pg) != FR_STORE_OK)
        return NULL;
    result = run(blob, text, count, at, NULL, 0);
    if (fr_postgresql_may_repeat(pg)) {
        fr_pq.clear(result);
        result = run(blob, text, count, at, NULL, 0);
    }
    if (fr_pq.resultStatus(result) == PGRES_TUPLES_OK && fr_pq.ntuples(result) == 1)
        return result;
    if (fr_pq.resultStatus(result) == PGRES_TUPLES_OK)
        fr_logf(blob->store->log, FR_LOG_ERROR, "store_failed",
                "%s: the value was deleted while it was read", blob->table);
    else
        fr_postgresql_failed(pg, blob->table, result), result = NULL;
    fr_pq.clear(result);
    return NULL;
}

/* Whatever the row holds, no byte behind it is read. */
static int read_length(struct fr_blob *blob, PGresult *result)
{
    const int64_t length =
        (int64_t)fr_postgresql_get(fr_pq.getvalue(result, 0, 0), fr_pq.getlength(result, 0, 0));

    if (fr_pq.getisnull(result, 0, 0) || length < 0) {
        fr_logf(blob->store->log, FR_LOG_ERROR, "store_failed", "%s: a value without a length",
                blob->table);
        return FR_STORE_FAILED;
    }
    blob->length = length;
    return FR_STORE_OK;
}

int fr_postgresql_blob_open(struct fr_blob *blob, bool to_write)
{
    char text[160];
    PGresult *result;
    int code;

    (void)to_write;
    snprintf(text, sizeof text, "SELECT %s FROM %s WHERE %s = $1", blob->column, blob->table,
             key_of(blob));
    result = read_one(blob, text, 1, 0);
    if (!result)
        return FR_STORE_FAILED;
    code = read_length(blob, result);
    fr_pq.clear(result);
    return code;
}

void fr_postgresql_blob_close(struct fr_blob *blob)
{
    (void)blob; /* nothing is held open */
}

int fr_postgresql_blob_put(struct fr_blob *blob, int64_t at, const void *piece, size_t length)
{
    char text[160];
    PGresult *result;

    snprintf(text, sizeof text, "INSERT INTO %s_%s (of, at, piece) VALUES ($1, $2, $3)",
             blob->table, blob->column);
    result = run(blob, text, 3, at, piece, length);
    if (fr_pq.resultStatus(result) != PGRES_COMMAND_OK)
        return fr_postgresql_failed(fr_postgresql_of(blob->store), blob->table, result);
    fr_pq.clear(result);
    return FR_STORE_OK;
}

int fr_postgresql_blob_get(struct fr_blob *blob, int64_t at, void *piece, size_t length)
{
    char text[160];
    PGresult *result;
    bool is_whole;

    snprintf(text, sizeof text, "SELECT piece FROM %s_%s WHERE of = $1 AND at = $2", blob->table,
             blob->column);
    result = read_one(blob, text, 2, at);
    if (!result)
        return FR_STORE_FAILED;
    is_whole = (size_t)fr_pq.getlength(result, 0, 0) == length;
    if (is_whole)
        memcpy(piece, fr_pq.getvalue(result, 0, 0), length);
    else
        fr_logf(blob->store->log, FR_LOG_ERROR, "store_failed", "%s: a piece has another length",
                blob->table);
    fr_pq.clear(result);
    return is_whole ? FR_STORE_OK : FR_STORE_FAILED;
}
