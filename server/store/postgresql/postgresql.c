/* The driver of PostgreSQL: opening, transactions and rows. */
#include "server/store/postgresql/postgresql.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The lock that writing transactions take in turn: a number that no other program is likely to use.
 */
#define WRITING "7381240987123453001"

static struct fr_store *open_database(const char *url, struct fr_log *log)
{
    struct fr_postgresql *pg = fr_postgresql_connect(url, log);

    if (pg && fr_postgresql_migrate(pg) == FR_STORE_OK)
        return &pg->base;
    fr_postgresql_close(pg ? &pg->base : NULL); /* the failure has been logged */
    return NULL;
}

static bool is_in_place(struct fr_store *store)
{
    (void)store; /* the server keeps its files */
    return true;
}

/* ---- the writes of others ----------------------------------------------------------------- */

static int listen_to_writes(struct fr_postgresql *pg)
{
    if (pg->is_listening)
        return FR_STORE_OK;
    if (fr_postgresql_run(pg, "LISTEN forerun", "LISTEN") != FR_STORE_OK)
        return FR_STORE_FAILED;
    pg->is_listening = true;
    pg->heard++; /* whatever was written before */
    return FR_STORE_OK;
}

static int hear(struct fr_store *store, int64_t *version)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    PGnotify *notice;

    fr_pq.consumeInput(pg->connection); /* notices a connection that was closed */
    if (fr_postgresql_revive(pg) != FR_STORE_OK || listen_to_writes(pg) != FR_STORE_OK)
        return FR_STORE_FAILED;
    while ((notice = fr_pq.notifies(pg->connection))) {
        pg->heard++;
        fr_pq.freemem(notice);
    }
    *version = pg->heard;
    return FR_STORE_OK;
}

/* ---- transactions ------------------------------------------------------------------------- */

static void rollback(struct fr_store *store)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);

    if (pg->is_in_transaction && fr_pq.status(pg->connection) == CONNECTION_OK)
        fr_postgresql_run(pg, "ROLLBACK", "ROLLBACK");
    pg->is_in_transaction = false;
}

static int try_to_begin(struct fr_postgresql *pg)
{
    return fr_postgresql_run(pg, "BEGIN; SELECT pg_advisory_xact_lock(" WRITING ")", "SELECT");
}

static int begin(struct fr_store *store)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    int result = fr_postgresql_revive(pg);

    if (result == FR_STORE_OK)
        result = try_to_begin(pg);
    if (result != FR_STORE_OK && fr_postgresql_may_repeat(pg))
        result = try_to_begin(pg);
    pg->is_in_transaction = true;
    if (result != FR_STORE_OK)
        rollback(store);
    return result;
}

static int begin_long(struct fr_store *store, bool to_write)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    int result = begin(store);

    (void)to_write; /* what others wrote is not seen, since writes happen one after the other */
    pg->most_ms = FR_POSTGRESQL_ENDLESS_MS;
    if (result == FR_STORE_OK)
        result = fr_postgresql_run(pg, "SET LOCAL statement_timeout = 0", "SET");
    if (result != FR_STORE_OK)
        rollback(store);
    return result;
}

static int commit(struct fr_store *store)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    const int result = fr_postgresql_run(pg, "NOTIFY forerun; COMMIT", "COMMIT");

    if (result == FR_STORE_OK)
        pg->is_in_transaction = false;
    else
        rollback(store);
    return result;
}

/* ---- rows --------------------------------------------------------------------------------- */

static enum fr_step next(struct fr_row *row)
{
    return ++row->at < fr_pq.ntuples(row->result) ? FR_STEP_ROW : FR_STEP_DONE;
}

static void finish(struct fr_row *row)
{
    fr_pq.clear(row->result);
}

static int64_t changes(const struct fr_row *row)
{
    const char *count = fr_pq.cmdTuples(row->result);

    return *count ? strtoll(count, NULL, 10) : 0;
}

static bool is_null(const struct fr_row *row, int column)
{
    return fr_pq.getisnull(row->result, row->at, column);
}

static const char *bytes(const struct fr_row *row, int column, size_t *length)
{
    *length = (size_t)fr_pq.getlength(row->result, row->at, column);
    return is_null(row, column) ? NULL : fr_pq.getvalue(row->result, row->at, column);
}

static int64_t integer(const struct fr_row *row, int column)
{
    const char *value = fr_pq.getvalue(row->result, row->at, column);

    if (fr_pq.ftype(row->result, column) == PG_INT4)
        return (int32_t)fr_postgresql_get(value, fr_pq.getlength(row->result, row->at, column));
    assert(fr_pq.ftype(row->result, column) == PG_INT8);
    return (int64_t)fr_postgresql_get(value, fr_pq.getlength(row->result, row->at, column));
}

static double real(const struct fr_row *row, int column)
{
    const uint64_t bits = fr_postgresql_get(fr_pq.getvalue(row->result, row->at, column),
                                            fr_pq.getlength(row->result, row->at, column));
    double value;

    assert(fr_pq.ftype(row->result, column) == PG_FLOAT8);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- what the tools of PostgreSQL do ------------------------------------------------------ */

static int leave(struct fr_log *log, const char *what, const char *tool)
{
    fr_logf(log, FR_LOG_ERROR, "store_not_opened", "forerund does not %s PostgreSQL: use %s", what,
            tool);
    return FR_STORE_FAILED;
}

static struct fr_store *open_unchanged(const char *url, struct fr_log *log)
{
    (void)url;
    leave(log, "copy", "pg_dump");
    return NULL;
}

static int check(const char *url, struct fr_log *log)
{
    (void)url;
    return leave(log, "check", "pg_amcheck, and data checksums");
}

static int check_quickly(const char *url, unsigned most_ms, struct fr_log *log)
{
    (void)url, (void)most_ms, (void)log; /* the server does when it starts */
    return FR_STORE_OK;
}

static int backup(const char *url, const char *path, struct fr_log *log)
{
    (void)url, (void)path;
    return leave(log, "back up", "pg_dump");
}

static int restore(const char *backup_path, const char *url, struct fr_log *log)
{
    (void)backup_path, (void)url;
    return leave(log, "restore", "pg_restore");
}

static int lock(const char *url, enum fr_store_use use, struct fr_log *log, int *held)
{
    (void)url, (void)use, (void)log; /* several daemons may serve */
    *held = -1;
    return FR_STORE_OK;
}

int fr_postgresql_claim(struct fr_store *store)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    char commands[160];

    if (!pg->claim && getrandom(&pg->claim, sizeof pg->claim, 0) != sizeof pg->claim)
        return FR_STORE_FAILED;
    pg->claim = (pg->claim & INT64_MAX) | 1; /* positive */
    snprintf(commands, sizeof commands,
             "SET forerun.claim = '%" PRId64 "'; SELECT pg_advisory_lock(%" PRId64 ")", pg->claim,
             pg->claim);
    pg->has_claim = fr_postgresql_run(pg, commands, "SELECT") == FR_STORE_OK;
    return pg->has_claim ? FR_STORE_OK : FR_STORE_FAILED;
}

const struct fr_driver fr_postgresql_driver = {
    .open = open_database,
    .open_unchanged = open_unchanged,
    .close = fr_postgresql_close,
    .hear = hear,
    .lock = lock,
    .is_shared = true,
    .claim = fr_postgresql_claim,
    .hurry = fr_postgresql_hurry,
    .limit = fr_postgresql_limit,
    .schema = fr_postgresql_schema,
    .check_quickly = check_quickly,
    .check = check,
    .backup = backup,
    .restore = restore,
    .is_in_place = is_in_place,
    .begin = begin,
    .begin_long = begin_long,
    .commit = commit,
    .rollback = rollback,
    .start = fr_postgresql_start,
    .next = next,
    .finish = finish,
    .changes = changes,
    .is_null = is_null,
    .bytes = bytes,
    .integer = integer,
    .real = real,
    .blob_open = fr_postgresql_blob_open,
    .blob_close = fr_postgresql_blob_close,
    .blob_put = fr_postgresql_blob_put,
    .blob_get = fr_postgresql_blob_get,
};
