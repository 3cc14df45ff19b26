/* Runs prepared statements.  Each function resets its statement, because an unfinished statement
 * holds a snapshot and prevents checkpoints of the write-ahead log. */
#include "server/store/sql.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name, *text;
} statements[] = {
#define STATEMENT(label, sql) { .name = #label, .text = sql },
#include "server/store/statements.h"
#undef STATEMENT
};

/* Called right after a failure: the error of a write is lost by the time of a commit. */
static enum fr_store_failure failure_of(sqlite3 *db)
{
    const int code = sqlite3_extended_errcode(db);

    switch (code & 0xff) {
    case SQLITE_FULL:
        return FR_STORE_FULL;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return FR_STORE_DAMAGED;
    default:
        return code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ? FR_STORE_FULL
                                                                        : FR_STORE_SILENT;
    }
}

int fr_sql_failed(struct fr_store *store, const char *what)
{
    const char *path = sqlite3_db_filename(store->db, "main");

    store->failure = failure_of(store->db);
    fr_logf(store->log, FR_LOG_ERROR, "store_failed", "%s: %s (sqlite code %d, file %s)", what,
            sqlite3_errmsg(store->db), sqlite3_extended_errcode(store->db),
            path && *path ? path : ":memory:");
    return FR_STORE_FAILED;
}

static int out_of_memory(struct fr_store *store, enum fr_sql id)
{
    fr_logf(store->log, FR_LOG_ERROR, "store_failed",
            "%s: the answer is larger than the memory a request may use", statements[id].name);
    return FR_STORE_FAILED;
}

int fr_sql_prepare(struct fr_store *store)
{
    for (size_t i = 0; i < FR_SQL_COUNT; i++)
        if (sqlite3_prepare_v3(store->db, statements[i].text, -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statement[i], NULL) != SQLITE_OK)
            return fr_sql_failed(store, statements[i].name);
    return FR_STORE_OK;
}

void fr_sql_finalize(struct fr_store *store)
{
    for (size_t i = 0; i < FR_SQL_COUNT; i++)
        sqlite3_finalize(store->statement[i]);
}

static int bind_one(sqlite3_stmt *statement, int position, const struct fr_sql_value *value)
{
    switch (value->kind) {
    case FR_SQL_TEXT:
        return sqlite3_bind_text(statement, position, value->text, -1, SQLITE_STATIC);
    case FR_SQL_BYTES:
        return sqlite3_bind_text64(statement, position, value->text, value->length, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case FR_SQL_BLOB:
        return sqlite3_bind_blob64(statement, position, value->text, value->length, SQLITE_STATIC);
    case FR_SQL_INTEGER:
        return sqlite3_bind_int64(statement, position, value->integer);
    case FR_SQL_REAL:
        return sqlite3_bind_double(statement, position, value->real);
    case FR_SQL_END:
        break;
    }
    assert(!"a value of a known kind");
    return SQLITE_MISUSE;
}

static void finish(sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement); /* the values are borrowed: drop them */
}

/* The statement with its values bound; NULL on failure, logged. */
static sqlite3_stmt *bound(struct fr_store *store, enum fr_sql id,
                           const struct fr_sql_value *values)
{
    sqlite3_stmt *statement = store->statement[id];
    int position = 0;

    for (; values && values[position].kind != FR_SQL_END; position++)
        if (bind_one(statement, position + 1, &values[position]) != SQLITE_OK) {
            fr_sql_failed(store, statements[id].name);
            finish(statement);
            return NULL;
        }
    assert(position == sqlite3_bind_parameter_count(statement));
    return statement;
}

static int control(struct fr_store *store, enum fr_sql id)
{
    const int code = sqlite3_step(store->statement[id]);
    const int result =
        code == SQLITE_DONE ? FR_STORE_OK : fr_sql_failed(store, statements[id].name);

    sqlite3_reset(store->statement[id]);
    return result;
}

bool fr_sql_is_in_place(struct fr_store *store)
{
    int has_moved = 0;

    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    if (has_moved)
        fr_log(store->log, FR_LOG_ERROR, "store", "error",
               "the database file was moved or deleted; restart the daemon", NULL);
    return !has_moved;
}

int fr_sql_begin(struct fr_store *store)
{
    if (!fr_sql_is_in_place(store))
        return FR_STORE_FAILED;
    return control(store, FR_SQL_BEGIN);
}

int fr_sql_end(struct fr_store *store, int result)
{
    if (result == FR_STORE_OK)
        result = control(store, FR_SQL_COMMIT);
    /* After some failures, such as a full disk, SQLite has already rolled back. */
    if (result != FR_STORE_OK && !sqlite3_get_autocommit(store->db))
        control(store, FR_SQL_ROLLBACK);
    return result;
}

int fr_sql_change(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values)
{
    sqlite3_stmt *statement = bound(store, id, values);
    int code, result;

    if (!statement)
        return FR_STORE_FAILED;
    code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
        result = sqlite3_changes(store->db) > 0 ? FR_STORE_OK : FR_STORE_NONE;
    else if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
        result = FR_STORE_IN_USE;
    else
        result = fr_sql_failed(store, statements[id].name);
    finish(statement);
    return result;
}

int fr_sql_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values)
{
    const int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    return fr_sql_end(store, fr_sql_change(store, id, values));
}

bool fr_sql_column(sqlite3_stmt *row, int column, struct fr_arena *arena, const char **out,
                   size_t *length)
{
    const bool is_null = sqlite3_column_type(row, column) == SQLITE_NULL;
    const unsigned char *text = sqlite3_column_text(row, column);
    const size_t bytes = (size_t)sqlite3_column_bytes(row, column);

    *out = text ? fr_arena_text(arena, (const char *)text, bytes) : NULL;
    if (length)
        *length = bytes;
    return is_null || *out;
}

bool fr_sql_columns(sqlite3_stmt *row, int first, struct fr_arena *arena, const char **const *out)
{
    for (; *out; out++)
        if (!fr_sql_column(row, first++, arena, *out, NULL))
            return false;
    return true;
}

bool fr_sql_read_integer(sqlite3_stmt *row, struct fr_arena *arena, void *out)
{
    (void)arena;
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    return true;
}

int fr_sql_one(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
               fr_sql_reader *read, struct fr_arena *arena, void *out)
{
    sqlite3_stmt *statement = bound(store, id, values);
    int code, result;

    if (!statement)
        return FR_STORE_FAILED;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        result = read(statement, arena, out) ? FR_STORE_OK : out_of_memory(store, id);
    else if (code == SQLITE_DONE)
        result = FR_STORE_NONE;
    else
        result = fr_sql_failed(store, statements[id].name);
    finish(statement);
    return result;
}

/* Reads all rows; the statement has stepped to the first. */
static int read_rows(struct fr_store *store, enum fr_sql id, fr_sql_reader *read, size_t row_size,
                     struct fr_arena *arena, char **out, size_t *count)
{
    sqlite3_stmt *statement = store->statement[id];
    const int last = sqlite3_column_count(statement) - 1;
    const size_t total = (size_t)sqlite3_column_int64(statement, last);
    char *rows = fr_arena_zeroed(arena, total, row_size);
    int code = SQLITE_ROW;

    if (!rows)
        return out_of_memory(store, id);
    for (size_t i = 0; code == SQLITE_ROW; i++, code = sqlite3_step(statement)) {
        assert(i < total);
        if (!read(statement, arena, rows + i * row_size))
            return out_of_memory(store, id);
    }
    if (code != SQLITE_DONE)
        return fr_sql_failed(store, statements[id].name);
    *out = rows;
    *count = total;
    return FR_STORE_OK;
}

int fr_sql_list(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                fr_sql_reader *read, size_t row_size, struct fr_arena *arena, void *out,
                size_t *count)
{
    sqlite3_stmt *statement = bound(store, id, values);
    int code, result = FR_STORE_OK;
    char *rows = NULL;
    size_t total = 0;

    if (!statement)
        return FR_STORE_FAILED;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        result = read_rows(store, id, read, row_size, arena, &rows, &total);
    else if (code != SQLITE_DONE)
        result = fr_sql_failed(store, statements[id].name);
    finish(statement);
    if (result == FR_STORE_OK) {
        memcpy(out, &rows, sizeof rows);
        *count = total;
    }
    return result;
}

int fr_sql_each(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                int (*visit)(sqlite3_stmt *row, void *context), void *context)
{
    sqlite3_stmt *statement = bound(store, id, values);
    int code, result = FR_STORE_OK;

    if (!statement)
        return FR_STORE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && result == FR_STORE_OK)
        result = visit(statement, context);
    if (result == FR_STORE_FAILED)
        out_of_memory(store, id);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        result = fr_sql_failed(store, statements[id].name);
    finish(statement);
    return result == FR_STORE_NONE ? FR_STORE_OK : result;
}
