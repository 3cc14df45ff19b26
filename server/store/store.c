/* Connections to the database: opening, closing, checking and copying it. */
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

/* Creates an empty file that only its owner may read; returns 0 or an errno.  It avoids open() and
 * close(), because closing any descriptor of a file drops all locks of this process on it. */
static int create_private(const char *path)
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
    /* NORMAL: a power failure may lose the last writes, but never damages the file.  Foreign keys
     * are enabled after the migrations, which may rebuild a table. */
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->db,
                            "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
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

struct fr_store *fr_store_open(const char *path, struct fr_log *log)
{
    const int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    struct fr_store *store = calloc(1, sizeof(*store));

    if (!store) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, strerror(ENOMEM));
        return NULL;
    }
    store->log = log;
    if (path[0] == '\0') /* SQLite would open a temporary database */
        return refuse(store, path, "an empty file name; give a path, or :memory:");
    if (strcmp(path, ":memory:") != 0) {
        const int error = create_private(path);

        if (error != 0 && error != EEXIST)
            return refuse(store, path, strerror(error));
    }
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        return refuse(store, path, sqlite3_errmsg(store->db));
    sqlite3_busy_timeout(store->db, BUSY_MS);
    if (fr_store_migrate(store) != FR_STORE_OK || settings(store) != FR_STORE_OK ||
        fr_sql_prepare(store) != FR_STORE_OK) {
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

bool fr_store_is_ready(struct fr_store *store)
{
    return fr_sql_is_in_place(store) &&
           fr_sql_one(store, FR_SQL_READY, NULL, nothing, NULL, NULL) != FR_STORE_FAILED;
}

bool fr_store_is_full(const struct fr_store *store)
{
    return store->is_full;
}

int64_t fr_store_version(struct fr_store *store)
{
    int64_t version = 0;

    fr_sql_one(store, FR_SQL_VERSION, NULL, fr_sql_read_integer, NULL, &version);
    return version;
}

/* Copies everything in one step: a copy in small steps starts again after each write of another
 * connection.  With a write-ahead log no writer has to wait. */
static int copy_into(struct fr_store *store, sqlite3 *copy)
{
    sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store->db, "main");
    int code;

    if (!backup)
        return sqlite3_errcode(copy);
    code = sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int fr_store_backup(struct fr_store *store, const char *path)
{
    const int error = create_private(path);
    sqlite3 *copy = NULL;
    int code;

    if (error != 0) {
        fr_logf(store->log, FR_LOG_ERROR, "backup_failed", "%s: %s", path, strerror(error));
        return error == EEXIST ? FR_STORE_EXISTS : FR_STORE_FAILED;
    }
    code = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = copy_into(store, copy);
    sqlite3_close(copy);
    if (code == SQLITE_OK)
        return FR_STORE_OK;
    fr_logf(store->log, FR_LOG_ERROR, "backup_failed", "%s: %s", path, sqlite3_errstr(code));
    unlink(path); /* leave no incomplete copy */
    return FR_STORE_FAILED;
}
