/* The driver of SQLite: connections, transactions, rows and large values. */
#include "server/store/sqlite/sqlite.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The time a connection waits for the write of another one. */
enum { BUSY_MS = 5000 };

/* Called right after a failure: the error of a write is lost by the time of a commit. */
static enum fr_store_failure failure_of(sqlite3 *db)
{
    const int code = sqlite3_extended_errcode(db);

    switch (code & 0xff) {
    case SQLITE_FULL:
        return FR_STORE_FULL;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return FR_STORE_DAMAGED;
    default:
        return code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ? FR_STORE_FULL
                                                                        : FR_STORE_SILENT;
    }
}

int fr_sqlite_failed(struct fr_sqlite *sqlite, const char *what)
{
    const char *path = sqlite3_db_filename(sqlite->db, "main");

    sqlite->base.failure = failure_of(sqlite->db);
    fr_logf(sqlite->base.log, FR_LOG_ERROR, "store_failed", "%s: %s (sqlite code %d, file %s)",
            what, sqlite3_errmsg(sqlite->db), sqlite3_extended_errcode(sqlite->db),
            path && *path ? path : ":memory:");
    return FR_STORE_FAILED;
}

int fr_sqlite_run(struct fr_sqlite *sqlite, const char *text)
{
    if (sqlite3_exec(sqlite->db, text, NULL, NULL, NULL) == SQLITE_OK)
        return FR_STORE_OK;
    return fr_sqlite_failed(sqlite, text);
}

int fr_sqlite_ask(struct fr_sqlite *sqlite, const char *pragma, int64_t *out)
{
    sqlite3_stmt *statement = NULL;
    int result = FR_STORE_OK;

    if (sqlite3_prepare_v2(sqlite->db, pragma, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        result = fr_sqlite_failed(sqlite, pragma);
    sqlite3_finalize(statement);
    return result;
}

/* ---- connections -------------------------------------------------------------------------- */

int fr_sqlite_create(const char *path)
{
    return mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0) == 0 ? 0 : errno;
}

static int settings(struct fr_sqlite *sqlite)
{
    /* The change to write-ahead logging needs exclusive access, and SQLite does not wait for it:
     * another process may be opening the new file at the same time. */
    const struct timespec pause = { .tv_nsec = 10000000 };
    int code = SQLITE_BUSY;

    for (int left_ms = BUSY_MS; code == SQLITE_BUSY && left_ms > 0; left_ms -= 10) {
        code = sqlite3_exec(sqlite->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        code &= 0xff; /* the primary code of SQLITE_BUSY_* */
        if (code == SQLITE_BUSY)
            nanosleep(&pause, NULL);
    }
    /* FULL: what was acknowledged outlasts a power failure.  Foreign keys are enabled after the
     * migrations, which may rebuild a table. */
    if (code == SQLITE_OK)
        code = sqlite3_exec(sqlite->db,
                            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                            /* else the log keeps its size after a large matrix */
                            "PRAGMA journal_size_limit = 16777216;"
                            "PRAGMA trusted_schema = OFF",
                            NULL, NULL, NULL);
    return code == SQLITE_OK ? FR_STORE_OK : fr_sqlite_failed(sqlite, "settings");
}

void fr_sqlite_close(struct fr_sqlite *sqlite)
{
    if (!sqlite)
        return;
    for (size_t i = 0; i < FR_SQL_COUNT; i++)
        sqlite3_finalize(sqlite->statement[i]);
    sqlite3_close(sqlite->db);
    free(sqlite);
}

static struct fr_sqlite *refuse(struct fr_sqlite *sqlite, const char *path, const char *why)
{
    fr_logf(sqlite->base.log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, why);
    fr_sqlite_close(sqlite);
    return NULL;
}

static struct fr_sqlite *connect_to(const char *path, int more_flags, struct fr_log *log)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    struct fr_sqlite *sqlite = calloc(1, sizeof(*sqlite));
    /* A file may have such a name, which SQLite as Debian builds it would take for a URI. */
    const bool is_like_uri = strncmp(path, "file:", 5) == 0;
    char here[PATH_MAX];

    if (!sqlite) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, strerror(ENOMEM));
        return NULL;
    }
    sqlite->base.driver = &fr_sqlite_driver;
    sqlite->base.log = log;
    sqlite->base.author.command = "forerund";
    snprintf(here, sizeof here, "./%s", path);
    if (sqlite3_open_v2(is_like_uri ? here : path, &sqlite->db, flags | more_flags, NULL) !=
        SQLITE_OK)
        return refuse(sqlite, path, sqlite3_errmsg(sqlite->db));
    sqlite3_busy_timeout(sqlite->db, BUSY_MS);
    return sqlite;
}

struct fr_sqlite *fr_sqlite_connect(const char *path, struct fr_log *log)
{
    if (*path)
        return connect_to(path, 0, log);
    fr_logf(log, FR_LOG_ERROR, "store_not_opened", "an empty file name; give a path");
    return NULL;
}

struct fr_sqlite *fr_sqlite_connect_temporary(struct fr_log *log)
{
    return connect_to("", SQLITE_OPEN_CREATE, log);
}

static void hurry(bool is_ending)
{
    (void)is_ending; /* a file does not hang, and its locks are waited for no longer than BUSY_MS */
}

static void limit(struct fr_store *store, unsigned most_ms)
{
    (void)store, (void)most_ms; /* as above */
}

static struct fr_store *open_file(const char *path, struct fr_log *log)
{
    const int error = *path && strcmp(path, ":memory:") != 0 ? fr_sqlite_create(path) : 0;
    struct fr_sqlite *sqlite;

    if (error != 0 && error != EEXIST) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, strerror(error));
        return NULL;
    }
    sqlite = fr_sqlite_connect(path, log);
    if (sqlite && fr_sqlite_migrate(sqlite) == FR_STORE_OK && settings(sqlite) == FR_STORE_OK)
        return &sqlite->base;
    fr_sqlite_close(sqlite); /* the failure has been logged */
    return NULL;
}

static void close_file(struct fr_store *store)
{
    fr_sqlite_close(fr_sqlite_of(store));
}

static bool is_in_place(struct fr_store *store)
{
    int has_moved = 0;

    sqlite3_file_control(fr_sqlite_of(store)->db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    if (has_moved)
        fr_log(store->log, FR_LOG_ERROR, "store", "error",
               "the database file was moved or deleted; restart the daemon", NULL);
    return !has_moved;
}

static int hear(struct fr_store *store, int64_t *version)
{
    return fr_sqlite_ask(fr_sqlite_of(store), "PRAGMA data_version", version);
}

static int claim(struct fr_store *store)
{
    (void)store; /* the lock of the file says enough */
    return FR_STORE_OK;
}

/* ---- transactions ------------------------------------------------------------------------- */

static int begin(struct fr_store *store)
{
    return fr_sqlite_run(fr_sqlite_of(store), "BEGIN IMMEDIATE");
}

static int begin_long(struct fr_store *store, bool to_write)
{
    return fr_sqlite_run(fr_sqlite_of(store), to_write ? "BEGIN IMMEDIATE" : "BEGIN");
}

static void rollback(struct fr_store *store)
{
    /* After some failures, such as a full disk, SQLite has already rolled back. */
    if (!sqlite3_get_autocommit(fr_sqlite_of(store)->db))
        fr_sqlite_run(fr_sqlite_of(store), "ROLLBACK");
}

static int commit(struct fr_store *store)
{
    const int result = fr_sqlite_run(fr_sqlite_of(store), "COMMIT");

    if (result != FR_STORE_OK)
        rollback(store);
    return result;
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool is_null(const struct fr_row *row, int column)
{
    return sqlite3_column_type(row->result, column) == SQLITE_NULL;
}

static const char *bytes(const struct fr_row *row, int column, size_t *length)
{
    const char *text = (const char *)sqlite3_column_text(row->result, column);

    *length = (size_t)sqlite3_column_bytes(row->result, column);
    return text;
}

static int64_t integer(const struct fr_row *row, int column)
{
    return sqlite3_column_int64(row->result, column);
}

static double real(const struct fr_row *row, int column)
{
    return sqlite3_column_double(row->result, column);
}

/* ---- large values ------------------------------------------------------------------------- */

static int blob_open(struct fr_blob *blob, bool to_write)
{
    struct fr_sqlite *sqlite = fr_sqlite_of(blob->store);
    sqlite3_blob *handle;

    if (sqlite3_blob_open(sqlite->db, "main", blob->table, blob->column, blob->row, to_write,
                          &handle) != SQLITE_OK)
        return fr_sqlite_failed(sqlite, blob->table);
    blob->handle = handle;
    blob->length = sqlite3_blob_bytes(handle);
    return FR_STORE_OK;
}

static void blob_close(struct fr_blob *blob)
{
    sqlite3_blob_close(blob->handle);
}

static int blob_put(struct fr_blob *blob, int64_t at, const void *piece, size_t length)
{
    if (sqlite3_blob_write(blob->handle, piece, (int)length, (int)at) == SQLITE_OK)
        return FR_STORE_OK;
    return fr_sqlite_failed(fr_sqlite_of(blob->store), blob->table);
}

static int blob_get(struct fr_blob *blob, int64_t at, void *piece, size_t length)
{
    if (sqlite3_blob_read(blob->handle, piece, (int)length, (int)at) == SQLITE_OK)
        return FR_STORE_OK;
    return fr_sqlite_failed(fr_sqlite_of(blob->store), blob->table);
}

const struct fr_driver fr_sqlite_driver = {
    .open = open_file,
    .open_unchanged = fr_sqlite_open_unchanged,
    .close = close_file,
    .hear = hear,
    .claim = claim,
    .hurry = hurry,
    .limit = limit,
    .lock = fr_sqlite_lock,
    .schema = fr_sqlite_schema,
    .check_quickly = fr_sqlite_check_quickly,
    .check = fr_sqlite_check_file,
    .backup = fr_sqlite_backup,
    .restore = fr_sqlite_restore,
    .is_in_place = is_in_place,
    .begin = begin,
    .begin_long = begin_long,
    .commit = commit,
    .rollback = rollback,
    .start = fr_sqlite_start,
    .next = fr_sqlite_next,
    .finish = fr_sqlite_finish,
    .changes = fr_sqlite_changes,
    .is_null = is_null,
    .bytes = bytes,
    .integer = integer,
    .real = real,
    .blob_open = blob_open,
    .blob_close = blob_close,
    .blob_put = blob_put,
    .blob_get = blob_get,
};
