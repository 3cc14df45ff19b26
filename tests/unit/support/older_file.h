/* A file of SQLite as an earlier release left it. */
#ifndef FR_OLDER_FILE_H
#define FR_OLDER_FILE_H

#include "tests/unit/support/check.h"

#include <sqlite3.h>
#include <stdio.h>

static inline void run_migration(sqlite3 *db, int version)
{
    char name[80], text[8192];
    FILE *file;

    snprintf(name, sizeof name, "server/store/sqlite/migrations/%03d.sql", version);
    file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
}

/* Makes a file of this version of the schema, and runs the statements in `rows`. */
static inline void write_older_file(const char *path, int version, const char *rows)
{
    char count[60];
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 1; i <= version; i++)
        run_migration(db, i);
    snprintf(count, sizeof count, "PRAGMA foreign_keys = ON; PRAGMA user_version = %d", version);
    assert_int_equal(sqlite3_exec(db, count, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

#endif
