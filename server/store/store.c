/* Connections to the database: opening and closing it, and whether it works. */
#include "server/store/sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The time a connection waits for the write of another one. */
enum { BUSY_MS = 5000 };

int fr_sql_create(const char *path)
{
    return mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0) == 0 ? 0 : errno;
}

static int settings(struct fr_store *store)
{
    /* The change to write-ahead logging needs exclusive access, and SQLite does not wait for it:
     * another process may be opening the new file at the same time. */
    const struct timespec pause = { .tv_nsec = 10000000 };
    int code = SQLITE_BUSY;

    for (int left_ms = BUSY_MS; code == SQLITE_BUSY && left_ms > 0; left_ms -= 10) {
        code = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        code &= 0xff; /* the primary code of SQLITE_BUSY_* */
        if (code == SQLITE_BUSY)
            nanosleep(&pause, NULL);
    }
    /* FULL: what was acknowledged outlasts a power failure.  Foreign keys are enabled after the
     * migrations, which may rebuild a table. */
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->db,
                            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                            /* else the log keeps its size after a large matrix */
                            "PRAGMA journal_size_limit = 16777216;"
                            "PRAGMA trusted_schema = OFF",
                            NULL, NULL, NULL);
    return code == SQLITE_OK ? FR_STORE_OK : fr_sql_failed(store, "settings");
}

static struct fr_store *refuse(struct fr_store *store, const char *path, const char *why)
{
    fr_logf(store->log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, why);
    fr_store_close(store);
    return NULL;
}

struct fr_store *fr_sql_connect(const char *path, struct fr_log *log)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    struct fr_store *store = calloc(1, sizeof(*store));

    if (!store) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, strerror(ENOMEM));
        return NULL;
    }
    store->log = log;
    store->author.command = "forerund";
    if (path[0] == '\0') /* SQLite would open a temporary database */
        return refuse(store, path, "an empty file name; give a path, or :memory:");
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        return refuse(store, path, sqlite3_errmsg(store->db));
    sqlite3_busy_timeout(store->db, BUSY_MS);
    return store;
}

struct fr_store *fr_store_open(const char *path, struct fr_log *log)
{
    const int error = *path && strcmp(path, ":memory:") != 0 ? fr_sql_create(path) : 0;
    struct fr_store *store;

    if (error != 0 && error != EEXIST) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, strerror(error));
        return NULL;
    }
    store = fr_sql_connect(path, log);
    if (store && (fr_store_migrate(store) != FR_STORE_OK || settings(store) != FR_STORE_OK ||
                  fr_sql_prepare(store) != FR_STORE_OK)) {
        fr_store_close(store); /* the failure has been logged */
        return NULL;
    }
    return store;
}

void fr_store_close(struct fr_store *store)
{
    if (!store)
        return;
    fr_sql_finalize(store);
    sqlite3_close(store->db);
    free(store);
}

static bool nothing(sqlite3_stmt *row, struct fr_arena *arena, void *out)
{
    (void)row, (void)arena, (void)out;
    return true;
}

const char *fr_store_trouble(struct fr_store *store)
{
    if (!fr_sql_is_in_place(store))
        return "The database file was moved or deleted; put it back and restart the daemon.";
    if (fr_sql_one(store, FR_SQL_READY, NULL, nothing, NULL, NULL) != FR_STORE_FAILED)
        return NULL;
    return store->failure == FR_STORE_DAMAGED
               ? "The database is damaged; stop the daemon and restore a backup."
               : "The database does not answer; the log says why.";
}

enum fr_store_failure fr_store_failure(const struct fr_store *store)
{
    return store->failure;
}

int64_t fr_store_version(struct fr_store *store)
{
    int64_t version = 0;

    fr_sql_one(store, FR_SQL_VERSION, NULL, fr_sql_read_integer, NULL, &version);
    return version;
}
