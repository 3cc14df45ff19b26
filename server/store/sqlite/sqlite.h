/* The store in a file of SQLite: what its sources share. */
#ifndef FR_SQLITE_H
#define FR_SQLITE_H

#include "server/store/driver.h"

#include <sqlite3.h>

struct fr_sqlite {
    struct fr_store base; /* first: the store is this object */
    sqlite3 *db;
    sqlite3_stmt *statement[FR_SQL_COUNT]; /* NULL: not used yet */
};

static inline struct fr_sqlite *fr_sqlite_of(struct fr_store *store)
{
    return (struct fr_sqlite *)store;
}

/* Functions that return an int return an enum fr_store_result. */

/* Creates an empty file that only its owner may read; returns 0 or an errno.  It avoids open() and
 * close(), because closing any descriptor of a file drops SQLite's locks of this process on it. */
int fr_sqlite_create(const char *path);
/* Opens an existing file, whatever its schema, without statements; NULL on failure, logged. */
struct fr_sqlite *fr_sqlite_connect(const char *path, struct fr_log *log);
/* The same of a new database that ends with the connection, in a file of its own once it is large
 * (in SQLITE_TMPDIR, TMPDIR, /var/tmp or /tmp). */
struct fr_sqlite *fr_sqlite_connect_temporary(struct fr_log *log);
void fr_sqlite_close(struct fr_sqlite *sqlite);
/* A prepared statement; NULL on failure, logged. */
sqlite3_stmt *fr_sqlite_statement(struct fr_sqlite *sqlite, enum fr_sql id);
/* Runs statements without rows, separated by semicolons. */
int fr_sqlite_run(struct fr_sqlite *sqlite, const char *text);
/* The number that a pragma returns. */
int fr_sqlite_ask(struct fr_sqlite *sqlite, const char *pragma, int64_t *out);
/* Logs the error of the last call to SQLite and returns FR_STORE_FAILED. */
int fr_sqlite_failed(struct fr_sqlite *sqlite, const char *what);

/* Migrates the file to the schema of this release; refuses a newer schema. */
int fr_sqlite_migrate(struct fr_sqlite *sqlite);
/* Whether a file has a schema that this program can use or migrate; else logged. */
bool fr_sqlite_is_known(struct fr_sqlite *sqlite);
/* Looks for damage in every page and reference of an open file. */
int fr_sqlite_check(struct fr_sqlite *sqlite);

/* The functions of the driver that have files of their own. */
int fr_sqlite_lock(const char *path, enum fr_store_use use, struct fr_log *log, int *lock);
int fr_sqlite_schema(const char *path, struct fr_log *log, int *version, int *newest);
int fr_sqlite_check_file(const char *path, struct fr_log *log);
int fr_sqlite_check_quickly(const char *path, unsigned most_ms, struct fr_log *log);
struct fr_store *fr_sqlite_open_unchanged(const char *path, struct fr_log *log);
int fr_sqlite_backup(const char *name, const char *path, struct fr_log *log);
int fr_sqlite_restore(const char *backup, const char *path, struct fr_log *log);
enum fr_step fr_sqlite_start(struct fr_store *store, enum fr_sql id,
                             const struct fr_sql_value *values, struct fr_row *row);
enum fr_step fr_sqlite_next(struct fr_row *row);
void fr_sqlite_finish(struct fr_row *row);
int64_t fr_sqlite_changes(const struct fr_row *row);

#endif
