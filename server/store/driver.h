/* What a database does for the store: opening, transactions, statements, rows and large values.
 *
 * A driver keeps its connection behind a struct fr_store.  Statements are those of statements.h, in
 * the words of the driver's dialect.  Writing transactions happen one after the other, in every
 * database: sequence numbers are committed in their order, and what a transaction has read stays
 * true until its end.
 */
#ifndef FR_DRIVER_H
#define FR_DRIVER_H

#include "server/core/log.h"
#include "server/store/lock.h"
#include "server/store/store.h"

enum fr_sql {
#define STATEMENT(name, text) FR_SQL_##name,
#include "server/store/statements.h"
#undef STATEMENT
    FR_SQL_COUNT
};

/* A value to bind; texts are borrowed until the statement has run. */
struct fr_sql_value {
    enum { FR_SQL_END, FR_SQL_TEXT, FR_SQL_BYTES, FR_SQL_BLOB, FR_SQL_INTEGER, FR_SQL_REAL } kind;
    const char *text; /* NULL: SQL's NULL */
    size_t length;    /* of FR_SQL_BYTES and FR_SQL_BLOB */
    int64_t integer;
    double real;
    bool is_null; /* of FR_SQL_INTEGER */
};

struct fr_store {
    const struct fr_driver *driver;
    struct fr_log *log;
    enum fr_store_failure failure; /* the last one */
    struct fr_store_quota quota;   /* of the last FR_STORE_QUOTA */
    struct fr_author author;       /* of what is written */
    struct fr_page_limits limits;
};

/* The current row of a statement that runs. */
struct fr_row {
    struct fr_store *store;
    enum fr_sql id;
    void *result; /* of the driver */
    int at;       /* for the driver */
};

enum fr_step {
    FR_STEP_ROW,
    FR_STEP_DONE,
    FR_STEP_REFERRED, /* other rows refer to one that would go, or one does not exist */
    FR_STEP_FAILED,   /* logged */
};

/* A large value that is read or written in pieces. */
struct fr_blob {
    struct fr_store *store;
    const char *table, *column;
    int64_t row, length;
    void *handle; /* of the driver */
};
/* The size of a piece of a large value. */
enum { FR_BLOB_PIECE_BYTES = 64 * 1024 };

/* Functions that return an int return FR_STORE_OK or FR_STORE_FAILED, which has been logged. */
struct fr_driver {
    /* The functions of store.h without `fr_store_`, for the names of databases of this driver. */
    struct fr_store *(*open)(const char *name, struct fr_log *log);
    struct fr_store *(*open_unchanged)(const char *name, struct fr_log *log);
    void (*close)(struct fr_store *store);
    bool is_shared;
    int (*hear)(struct fr_store *store, int64_t *version);
    int (*claim)(struct fr_store *store);
    void (*hurry)(bool is_ending);
    void (*limit)(struct fr_store *store, unsigned most_ms);
    int (*lock)(const char *name, enum fr_store_use use, struct fr_log *log, int *lock);
    int (*schema)(const char *name, struct fr_log *log, int *version, int *newest);
    int (*check_quickly)(const char *name, unsigned most_ms, struct fr_log *log);
    int (*check)(const char *name, struct fr_log *log);
    int (*backup)(const char *name, const char *path, struct fr_log *log);
    int (*restore)(const char *backup, const char *name, struct fr_log *log);

    /* Whether writes would last: the file has not been unlinked. */
    bool (*is_in_place)(struct fr_store *store);
    int (*begin)(struct fr_store *store);
    /* Begins a transaction of any length, which reads one moment of the database or writes. */
    int (*begin_long)(struct fr_store *store, bool to_write);
    /* After a failed commit the transaction has been rolled back. */
    int (*commit)(struct fr_store *store);
    void (*rollback)(struct fr_store *store);

    /* Runs a statement until its first row.  `values` may be NULL.  Each start needs a finish. */
    enum fr_step (*start)(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                          struct fr_row *row);
    enum fr_step (*next)(struct fr_row *row);
    void (*finish)(struct fr_row *row);
    /* Rows changed by a statement that is done. */
    int64_t (*changes)(const struct fr_row *row);

    /* Columns from 0.  A text or a blob ends with a NUL byte beyond its length, is NULL for SQL's
     * NULL, and lives until the next step. */
    bool (*is_null)(const struct fr_row *row, int column);
    const char *(*bytes)(const struct fr_row *row, int column, size_t *length);
    int64_t (*integer)(const struct fr_row *row, int column);
    double (*real)(const struct fr_row *row, int column);

    /* Opens the value that `blob` names, and sets its length. */
    int (*blob_open)(struct fr_blob *blob, bool to_write);
    void (*blob_close)(struct fr_blob *blob);
    /* A piece: `at` is a multiple of FR_BLOB_PIECE_BYTES, and only the last may be shorter. */
    int (*blob_put)(struct fr_blob *blob, int64_t at, const void *bytes, size_t length);
    int (*blob_get)(struct fr_blob *blob, int64_t at, void *bytes, size_t length);
};

extern const struct fr_driver fr_sqlite_driver, fr_postgresql_driver;

#endif
