/* The schema of PostgreSQL as numbered migrations, migrations/NNN.sql, built into the program.
 *
 * The table forerun_schema holds their count.  Never edit a released migration: add one with the
 * next number, and its line below.
 */
#include "server/store/postgresql/postgresql.h"

#include "server/core/embed.h"

#include <stdio.h>
#include <stdlib.h>

#define EMBEDDED(number)                       \
    FR_EMBED(fr_postgresql_migration_##number, \
             "server/store/postgresql/migrations/" #number ".sql");

EMBEDDED(001)
EMBEDDED(002)
EMBEDDED(003)
EMBEDDED(004)

static const char *const migrations[] = { fr_postgresql_migration_001, fr_postgresql_migration_002,
                                          fr_postgresql_migration_003,
                                          fr_postgresql_migration_004 };
enum { NEWEST = sizeof(migrations) / sizeof(migrations[0]) };

/* The first value of a query as an integer. */
static int read_integer(struct fr_postgresql *pg, const char *query, int *out)
{
    PGresult *result = fr_postgresql_ask(pg, query);

    if (fr_pq.resultStatus(result) != PGRES_TUPLES_OK || fr_pq.ntuples(result) != 1)
        return fr_postgresql_failed(pg, query, result);
    *out = atoi(fr_pq.getvalue(result, 0, 0));
    fr_pq.clear(result);
    return FR_STORE_OK;
}

/* 0: the database has no schema of forerund. */
static int read_version(struct fr_postgresql *pg, int *version)
{
    int is_there = 0;
    int result =
        read_integer(pg, "SELECT (to_regclass('forerun_schema') IS NOT NULL)::int", &is_there);

    if (result != FR_STORE_OK || !is_there) {
        *version = 0;
        return result;
    }
    return read_integer(pg, "SELECT version FROM forerun_schema", version);
}

static int refuse_newer(struct fr_postgresql *pg, int version)
{
    fr_logf(pg->base.log, FR_LOG_ERROR, "store_too_new",
            "database %s has schema version %d, this program knows versions up to %d; use a newer "
            "forerund",
            fr_pq.db(pg->connection), version, NEWEST);
    return FR_STORE_FAILED;
}

static int apply(struct fr_postgresql *pg)
{
    char count[64];
    const unsigned usual_ms = pg->most_ms;
    int version;
    int result = read_version(pg, &version); /* again: others may have migrated meanwhile */

    if (result == FR_STORE_OK && version > NEWEST)
        return refuse_newer(pg, version);
    if (result == FR_STORE_OK)
        result = fr_postgresql_run(pg, "SET LOCAL statement_timeout = 0", "SET");
    pg->most_ms = FR_POSTGRESQL_ENDLESS_MS; /* an index of a large table takes minutes */
    if (result == FR_STORE_OK && version == 0)
        result = fr_postgresql_run(pg,
                                   "CREATE TABLE forerun_schema (version INT NOT NULL);"
                                   "INSERT INTO forerun_schema VALUES (0)",
                                   "INSERT");
    for (; result == FR_STORE_OK && version < NEWEST; version++)
        result = fr_postgresql_run(pg, migrations[version], "");
    pg->most_ms = usual_ms;
    snprintf(count, sizeof count, "UPDATE forerun_schema SET version = %d", NEWEST);
    return result == FR_STORE_OK ? fr_postgresql_run(pg, count, "UPDATE") : result;
}

int fr_postgresql_migrate(struct fr_postgresql *pg)
{
    const struct fr_driver *driver = pg->base.driver;
    int version;
    int result = read_version(pg, &version);

    if (result != FR_STORE_OK || version == NEWEST)
        return result;
    if (version > NEWEST)
        return refuse_newer(pg, version);
    result = driver->begin(&pg->base);
    if (result == FR_STORE_OK)
        result = apply(pg);
    if (result == FR_STORE_OK)
        return driver->commit(&pg->base);
    driver->rollback(&pg->base);
    return result;
}

int fr_postgresql_schema(const char *url, struct fr_log *log, int *version, int *newest)
{
    struct fr_postgresql *pg = fr_postgresql_connect(url, log);
    const int result = pg ? read_version(pg, version) : FR_STORE_FAILED;

    *newest = NEWEST;
    fr_postgresql_close(pg ? &pg->base : NULL);
    return result;
}
