/* The schema as numbered migrations, migrations/NNN.sql, built into the program.
 *
 * PRAGMA user_version counts the migrations of a file.  Each migration and its number are one
 * transaction.  Never edit a released migration: add one with the next number, and its line below.
 */
#include "server/store/sqlite/sqlite.h"

#include "server/core/embed.h"

#include <stdio.h>

#define EMBEDDED(number) \
    FR_EMBED(fr_migration_##number, "server/store/sqlite/migrations/" #number ".sql");

EMBEDDED(001)
EMBEDDED(002)
EMBEDDED(003)
EMBEDDED(004)
EMBEDDED(005)
EMBEDDED(006)
EMBEDDED(007)
EMBEDDED(008)
EMBEDDED(009)
EMBEDDED(010)
EMBEDDED(011)
EMBEDDED(012)

static const char *const migrations[] = {
    fr_migration_001, fr_migration_002, fr_migration_003, fr_migration_004,
    fr_migration_005, fr_migration_006, fr_migration_007, fr_migration_008,
    fr_migration_009, fr_migration_010, fr_migration_011, fr_migration_012,
};
enum { NEWEST = sizeof(migrations) / sizeof(migrations[0]) };

static int read_version(struct fr_sqlite *store, int *version)
{
    int64_t number = 0;
    const int result = fr_sqlite_ask(store, "PRAGMA user_version", &number);

    if (result == FR_STORE_OK)
        *version = (int)number;
    return result;
}

static int run(struct fr_sqlite *store, const char *text, const char *what)
{
    if (sqlite3_exec(store->db, text, NULL, NULL, NULL) == SQLITE_OK)
        return FR_STORE_OK;
    return fr_sqlite_failed(store, what);
}

static int refuse_newer(struct fr_sqlite *store, int version)
{
    fr_logf(store->base.log, FR_LOG_ERROR, "store_too_new",
            "%s has schema version %d, this program knows versions up to %d; use a newer forerund",
            sqlite3_db_filename(store->db, "main"), version, NEWEST);
    return FR_STORE_FAILED;
}

/* Applies the missing migrations.  Reads the version again inside the transaction, because another
 * process may have migrated the file meanwhile. */
static int apply(struct fr_sqlite *store)
{
    int version = 0;
    int result = read_version(store, &version);

    if (result == FR_STORE_OK && version > NEWEST)
        return refuse_newer(store, version);
    for (; result == FR_STORE_OK && version < NEWEST; version++) {
        char what[32], count[64];

        snprintf(what, sizeof(what), "migration %03d", version + 1);
        snprintf(count, sizeof(count), "PRAGMA user_version = %d", version + 1);
        result = run(store, migrations[version], what);
        if (result == FR_STORE_OK)
            result = run(store, count, what);
    }
    return result;
}

int fr_sqlite_schema(const char *path, struct fr_log *log, int *version, int *newest)
{
    struct fr_sqlite *store = fr_sqlite_connect(path, log);
    const int result = store ? read_version(store, version) : FR_STORE_FAILED;

    *newest = NEWEST;
    fr_sqlite_close(store);
    return result;
}

bool fr_sqlite_is_known(struct fr_sqlite *store)
{
    int version = 0;

    if (read_version(store, &version) != FR_STORE_OK)
        return false;
    if (version > NEWEST)
        return refuse_newer(store, version) == FR_STORE_OK;
    if (version == 0)
        fr_logf(store->base.log, FR_LOG_ERROR, "store_not_opened", "%s: not a database of forerund",
                sqlite3_db_filename(store->db, "main"));
    return version > 0;
}

int fr_sqlite_migrate(struct fr_sqlite *store)
{
    int version = 0;

    if (read_version(store, &version) != FR_STORE_OK)
        return FR_STORE_FAILED;
    if (version == NEWEST)
        return FR_STORE_OK;
    if (fr_sqlite_run(store, "BEGIN IMMEDIATE") != FR_STORE_OK)
        return FR_STORE_FAILED;
    if (apply(store) == FR_STORE_OK && fr_sqlite_run(store, "COMMIT") == FR_STORE_OK)
        return FR_STORE_OK;
    if (!sqlite3_get_autocommit(store->db))
        fr_sqlite_run(store, "ROLLBACK");
    return FR_STORE_FAILED;
}
