/* Looking for damage in a database: all of it, or as much as a start can wait for. */
#include "server/store/sqlite/sqlite.h"

#include "server/core/clock.h"

#include <pthread.h>
#include <string.h>

static const char all_pages[] = "PRAGMA integrity_check";
static const char all_references[] =
    "SELECT 'row ' || COALESCE(rowid, '?') || ' of ' || \"table\" || ' refers to a row that is not "
    "in ' || parent FROM pragma_foreign_key_check LIMIT 100";
static const char all_counts[] =
    "SELECT 'run_counts of machine ' || machine || ' and model ' || model || ' is wrong' FROM "
    "(SELECT * FROM (SELECT machine, model, runs FROM run_counts WHERE runs <> 0 EXCEPT "
    "SELECT machine, model, COUNT(*) FROM runs GROUP BY machine, model) UNION ALL SELECT * FROM "
    "(SELECT machine, model, COUNT(*) FROM runs GROUP BY machine, model EXCEPT "
    "SELECT machine, model, runs FROM run_counts)) LIMIT 100";

/* Runs a query whose rows are faults, or a single `ok`, and logs them.  FR_STORE_FAILED if there
 * are any; FR_STORE_NONE if it was interrupted before it found one. */
static int list_faults(struct fr_sqlite *store, const char *query)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, query, -1, &statement, NULL);
    int result = FR_STORE_OK;

    while (code == SQLITE_OK || code == SQLITE_ROW) {
        const char *fault;

        code = sqlite3_step(statement);
        fault = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : "ok";
        if (fault && strcmp(fault, "ok") == 0)
            continue;
        fr_logf(store->base.log, FR_LOG_ERROR, "store_damaged", "%s: %s",
                sqlite3_db_filename(store->db, "main"), fault ? fault : "unreadable");
        store->base.failure = FR_STORE_DAMAGED;
        result = FR_STORE_FAILED;
    }
    if (code == SQLITE_INTERRUPT && result == FR_STORE_OK)
        result = FR_STORE_NONE;
    else if (code != SQLITE_DONE)
        result = fr_sqlite_failed(store, query);
    sqlite3_finalize(statement);
    return result;
}

int fr_sqlite_check(struct fr_sqlite *store)
{
    const int result = list_faults(store, all_pages);

    return result == FR_STORE_OK ? list_faults(store, all_references) : result;
}

/* Counts follow from the runs: a wrong one is said, and refuses no backup. */
static int check_counts(struct fr_sqlite *store)
{
    /* A backup of an earlier release has no counts. */
    const bool has_counts = sqlite3_table_column_metadata(store->db, NULL, "run_counts", NULL, NULL,
                                                          NULL, NULL, NULL, NULL) == SQLITE_OK;

    return has_counts ? list_faults(store, all_counts) : FR_STORE_OK;
}

/* Closes a connection that only looked.  A damaged file keeps its log: perhaps the log of another
 * file is all that is wrong. */
static int end_check(struct fr_sqlite *store, int result)
{
    if (store && result != FR_STORE_OK)
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    fr_sqlite_close(store);
    return result;
}

int fr_sqlite_check_file(const char *path, struct fr_log *log)
{
    struct fr_sqlite *store = fr_sqlite_connect(path, log);
    const bool is_known = store && fr_sqlite_is_known(store);
    int result = is_known ? fr_sqlite_check(store) : FR_STORE_FAILED;

    if (result == FR_STORE_OK)
        result = check_counts(store);
    return end_check(store, result);
}

/* A thread that interrupts a check at its deadline.  The lock protects `is_over`. */
struct limit {
    sqlite3 *db;
    uint64_t until_ns;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_over;
};

static void *interrupt_late(void *argument)
{
    struct limit *limit = argument;

    pthread_mutex_lock(&limit->lock);
    while (!limit->is_over && fr_clock_wait(NULL, &limit->ended, &limit->lock, limit->until_ns))
        continue;
    if (!limit->is_over)
        sqlite3_interrupt(limit->db);
    pthread_mutex_unlock(&limit->lock);
    return NULL;
}

static void end_limit(struct limit *limit, pthread_t thread)
{
    pthread_mutex_lock(&limit->lock);
    limit->is_over = true;
    pthread_cond_signal(&limit->ended);
    pthread_mutex_unlock(&limit->lock);
    pthread_join(thread, NULL);
}

/* FR_STORE_NONE: the time was over before any damage was found. */
static int check_until(struct fr_sqlite *store, unsigned most_ms)
{
    struct limit limit = { .db = store->db,
                           .until_ns = fr_clock_in_ms(NULL, most_ms),
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .ended = PTHREAD_COND_INITIALIZER };
    pthread_t thread;
    int result;

    if (!most_ms)
        return FR_STORE_NONE;
    if (pthread_create(&thread, NULL, interrupt_late, &limit) != 0) {
        fr_log(store->base.log, FR_LOG_ERROR, "store", "error", "no thread to check the database",
               NULL);
        return FR_STORE_FAILED;
    }
    result = list_faults(store, "PRAGMA quick_check(1)"); /* ends at the first fault */
    end_limit(&limit, thread);
    return result;
}

int fr_sqlite_check_quickly(const char *path, unsigned most_ms, struct fr_log *log)
{
    struct fr_sqlite *store = fr_sqlite_connect(path, log);
    int result = store ? check_until(store, most_ms) : FR_STORE_FAILED;

    if (result == FR_STORE_NONE) {
        fr_logf(log, FR_LOG_INFO, "store_checked",
                "%s: no damage found in %u ms, which are not enough for all of it; `forerund "
                "check` reads the rest",
                path, most_ms);
        result = FR_STORE_OK;
    }
    return end_check(store, result);
}
