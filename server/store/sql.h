/* Running prepared statements with bound values; results of SQLite become an enum fr_store_result.
 *
 * The file of a resource has a reader of its rows and, for each call, a statement and its values.
 * To add a resource, add its table in a new migration and its statements in statements.h.
 */
#ifndef FR_SQL_H
#define FR_SQL_H

#include "server/core/log.h"
#include "server/store/store.h"

#include <sqlite3.h>

enum fr_sql {
#define STATEMENT(name, text) FR_SQL_##name,
#include "server/store/statements.h"
#undef STATEMENT
    FR_SQL_COUNT
};

struct fr_store {
    sqlite3 *db;
    struct fr_log *log;
    sqlite3_stmt *statement[FR_SQL_COUNT];
    enum fr_store_failure failure; /* the last one */
    struct fr_author author;       /* of what is written */
};

/* A value to bind; texts are borrowed until the statement has run. */
struct fr_sql_value {
    enum { FR_SQL_END, FR_SQL_TEXT, FR_SQL_BYTES, FR_SQL_BLOB, FR_SQL_INTEGER, FR_SQL_REAL } kind;
    const char *text; /* NULL: SQL's NULL */
    size_t length;    /* of FR_SQL_BYTES and FR_SQL_BLOB */
    int64_t integer;
    double real;
};
#define FR_SQL_VALUES(...) ((const struct fr_sql_value[]){ __VA_ARGS__, { .kind = FR_SQL_END } })

static inline struct fr_sql_value fr_sql_text(const char *text)
{
    return (struct fr_sql_value){ .kind = FR_SQL_TEXT, .text = text };
}

static inline struct fr_sql_value fr_sql_bytes(const char *text, size_t length)
{
    return (struct fr_sql_value){ .kind = FR_SQL_BYTES, .text = text, .length = length };
}

static inline struct fr_sql_value fr_sql_blob(const void *bytes, size_t length)
{
    return (struct fr_sql_value){ .kind = FR_SQL_BLOB, .text = bytes, .length = length };
}

static inline struct fr_sql_value fr_sql_integer(int64_t integer)
{
    return (struct fr_sql_value){ .kind = FR_SQL_INTEGER, .integer = integer };
}

static inline struct fr_sql_value fr_sql_real(double real)
{
    return (struct fr_sql_value){ .kind = FR_SQL_REAL, .real = real };
}

/* The values of a struct sparse_structure_key, or of what has the same members. */
#define FR_SQL_KEY(key)                                                \
    fr_sql_text((key)->ordering), fr_sql_text((key)->row_permutation), \
        fr_sql_integer((key)->supernode_max), fr_sql_integer((key)->supernode_relax)

/* Creates an empty file that only its owner may read; returns 0 or an errno.  It avoids open() and
 * close(), because closing any descriptor of a file drops SQLite's locks of this process on it. */
int fr_sql_create(const char *path);
/* Opens an existing file, whatever its schema, without statements; NULL on failure, logged. */
struct fr_store *fr_sql_connect(const char *path, struct fr_log *log);
/* Whether a file has a schema that this program can use or migrate; else logged. */
bool fr_store_is_known(struct fr_store *store);

/* fr_store_check of an open file. */
int fr_sql_check(struct fr_store *store);

/* Prepares every statement; FR_STORE_OK or FR_STORE_FAILED. */
int fr_sql_prepare(struct fr_store *store);
void fr_sql_finalize(struct fr_store *store);

/* Logs the error of the last call to SQLite and returns FR_STORE_FAILED. */
int fr_sql_failed(struct fr_store *store, const char *what);

/* Whether the file still exists at its path: writes to an unlinked file are lost. */
bool fr_sql_is_in_place(struct fr_store *store);
/* Begins a transaction that writes; waits for other writers. */
int fr_sql_begin(struct fr_store *store);
/* Commits if `result` is FR_STORE_OK, else rolls back.  Returns `result`, or FR_STORE_FAILED if the
 * commit fails. */
int fr_sql_end(struct fr_store *store, int result);

/* FR_STORE_OK if rows changed, FR_STORE_NONE if none did, FR_STORE_IN_USE if other rows refer to
 * one. Call it between fr_sql_begin and fr_sql_end. */
int fr_sql_change(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values);
/* The same as a transaction of its own. */
int fr_sql_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values);

/* Copies a column into the arena; false if out of memory.  NULL stays NULL; `length` may be NULL.
 */
bool fr_sql_column(sqlite3_stmt *row, int column, struct fr_arena *arena, const char **out,
                   size_t *length);
/* The same for consecutive columns, from `first`; the list of destinations ends with NULL. */
bool fr_sql_columns(sqlite3_stmt *row, int first, struct fr_arena *arena, const char **const *out);
#define FR_SQL_COLUMNS(...) ((const char **const[]){ __VA_ARGS__, NULL })

/* Writes one row into the struct of the resource; false, and nothing is written, if out of memory.
 */
typedef bool fr_sql_reader(sqlite3_stmt *row, struct fr_arena *arena, void *out);
/* Reads the first column as an int64_t. */
fr_sql_reader fr_sql_read_integer;

/* Reads at most one row: FR_STORE_OK, FR_STORE_NONE or FR_STORE_FAILED. */
int fr_sql_one(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
               fr_sql_reader *read, struct fr_arena *arena, void *out);
/* All rows as an array in the arena, each of `row_size` bytes; `out` is the address of the caller's
 * pointer to it, which becomes NULL without rows. */
int fr_sql_list(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                fr_sql_reader *read, size_t row_size, struct fr_arena *arena, void *out,
                size_t *count);

/* Calls `visit` for each row until it returns FR_STORE_NONE (enough) or FR_STORE_FAILED (out of
 * memory: logged and returned). */
int fr_sql_each(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                int (*visit)(sqlite3_stmt *row, void *context), void *context);

/* Migrates the file to the schema of this release; refuses a newer schema. */
int fr_store_migrate(struct fr_store *store);

#endif
