#include "tests/unit/support/database.h"

#include "server/store/postgresql/postgresql.h"
#include "server/store/sqlite/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Deleting is faster than making the tables again. */
static const char empty[] = "DO $$ DECLARE t TEXT; BEGIN "
                            "FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' "
                            "AND tablename NOT IN ('forerun_schema', 'machines', 'calibrations') "
                            "ORDER BY tablename = 'matrices', tablename "
                            "LOOP EXECUTE 'DELETE FROM ' || t; END LOOP; "
                            "IF to_regclass('machines') IS NOT NULL THEN "
                            "DELETE FROM calibrations; DELETE FROM machines; END IF; END $$";

static void run(const char *url, const char *commands)
{
    PGconn *connection = PQconnectdb(url);
    PGresult *result = PQexec(connection, commands);

    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "%s: %s\n", url, PQerrorMessage(connection));
        abort();
    }
    PQclear(result);
    PQfinish(connection);
}

const char *fr_test_database(void)
{
    const char *server = getenv("FORERUN_POSTGRESQL");
    static char url[200];

    if (!server)
        return ":memory:";
    if (!*url) { /* test programs run at the same time */
        char commands[64];

        snprintf(url, sizeof url, "%spostgres", server);
        snprintf(commands, sizeof commands, "CREATE DATABASE unit%d", (int)getpid());
        run(url, commands);
        snprintf(url, sizeof url, "%sunit%d", server, (int)getpid());
    }
    run(url, empty);
    return url;
}

void fr_test_change(struct fr_store *store, const char *sql)
{
    const bool is_good =
        store->driver == &fr_sqlite_driver
            ? sqlite3_exec(fr_sqlite_of(store)->db, sql, NULL, NULL, NULL) == SQLITE_OK
            : fr_postgresql_run(fr_postgresql_of(store), sql, "") == FR_STORE_OK;

    if (!is_good) {
        fprintf(stderr, "failed: %s\n", sql);
        abort();
    }
}
