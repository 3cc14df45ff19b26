/* Statements of SQLite: prepared when a connection uses them first, then bound and stepped.  Most
 * connections use few. */
#include "server/store/sql.h"
#include "server/store/sqlite/sqlite.h"

#include <assert.h>
#include <string.h>

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
#define DAYS_AGO(days) "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || " days " || ' days')"
#define TIME_OF(unix_s) "strftime('%Y-%m-%dT%H:%M:%SZ', " unix_s ", 'unixepoch')"
#define MEMBERS(object) "json_each(" object ")"
/* No parameter has a quote in its name; what a filter names is known to be one (RUN_MAY_FIT). */
#define MEMBER(object, name) "json_extract(" object ", '$.\"' || " name " || '\"')"
#define ELEMENTS(array) "json_each(" array ")"
#define EMPTY_BLOB(bytes) "zeroblob(" bytes ")"
#define LENGTH_OF(large) "length(" large ")"
#define WITH_SEQUENCE
#define COUNTER_OF(table) "SELECT seq FROM sqlite_sequence WHERE name = " table
#define SET_COUNTER(table, number) "UPDATE sqlite_sequence SET seq = " number " WHERE name = " table
/* One daemon alone takes analyses; all that are under way when it starts are left. */
#define CLAIMED
#define IS_OWN
#define IS_LEFT

static const char *const texts[] = {
#define STATEMENT(name, text) text,
#include "server/store/statements.h"
#undef STATEMENT
};

sqlite3_stmt *fr_sqlite_statement(struct fr_sqlite *sqlite, enum fr_sql id)
{
    sqlite3_stmt **statement = &sqlite->statement[id];

    if (!*statement && sqlite3_prepare_v3(sqlite->db, texts[id], -1, SQLITE_PREPARE_PERSISTENT,
                                          statement, NULL) != SQLITE_OK)
        fr_sqlite_failed(sqlite, fr_sql_name(id));
    return *statement;
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
        return value->is_null ? sqlite3_bind_null(statement, position)
                              : sqlite3_bind_int64(statement, position, value->integer);
    case FR_SQL_REAL:
        return sqlite3_bind_double(statement, position, value->real);
    case FR_SQL_END:
        break;
    }
    assert(false && "a value of a known kind");
    return SQLITE_MISUSE;
}

enum fr_step fr_sqlite_next(struct fr_row *row)
{
    struct fr_sqlite *sqlite = fr_sqlite_of(row->store);

    switch (sqlite3_step(row->result)) {
    case SQLITE_ROW:
        return FR_STEP_ROW;
    case SQLITE_DONE:
        return FR_STEP_DONE;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
        return FR_STEP_REFERRED;
    default:
        fr_sqlite_failed(sqlite, fr_sql_name(row->id));
        return FR_STEP_FAILED;
    }
}

enum fr_step fr_sqlite_start(struct fr_store *store, enum fr_sql id,
                             const struct fr_sql_value *values, struct fr_row *row)
{
    struct fr_sqlite *sqlite = fr_sqlite_of(store);
    int position = 0;

    row->result = fr_sqlite_statement(sqlite, id);
    if (!row->result)
        return FR_STEP_FAILED;
    for (; values && values[position].kind != FR_SQL_END; position++)
        if (bind_one(row->result, position + 1, &values[position]) != SQLITE_OK) {
            fr_sqlite_failed(sqlite, fr_sql_name(id));
            return FR_STEP_FAILED;
        }
    assert(position == sqlite3_bind_parameter_count(row->result));
    return fr_sqlite_next(row);
}

void fr_sqlite_finish(struct fr_row *row)
{
    if (!row->result)
        return;
    sqlite3_reset(row->result);
    sqlite3_clear_bindings(row->result); /* the values are borrowed: drop them */
}

int64_t fr_sqlite_changes(const struct fr_row *row)
{
    return sqlite3_changes(fr_sqlite_of(row->store)->db);
}
