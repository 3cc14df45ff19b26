/* Statements of PostgreSQL: prepared when first used on a connection.  Values and rows are binary,
 * so that numbers are exact and large values are not converted. */
#include "server/store/postgresql/postgresql.h"
#include "server/store/sql.h"

#include <assert.h>
#include <string.h>

#define UTC(time, fraction) \
    "to_char((" time ") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS" fraction "\"Z\"')"
/* Not the start of the transaction, which may have waited for others. */
#define NOW UTC("statement_timestamp()", ".MS")
#define DAYS_AGO(days) UTC("statement_timestamp() - make_interval(days => (" days ")::int)", ".MS")
#define TIME_OF(unix_s) UTC("to_timestamp(" unix_s ")", "")
#define MEMBERS(object) "json_members(" object ")"
#define MEMBER(object, name) "(" object "::jsonb -> " name ")"
#define ELEMENTS(array) "jsonb_array_elements(" array ")"
#define EMPTY_BLOB(bytes) bytes
#define LENGTH_OF(large) large
#define WITH_SEQUENCE "OVERRIDING SYSTEM VALUE "
#define COUNTER(table) "pg_get_serial_sequence(" table ", 'sequence')::regclass"
#define COUNTER_OF(table) "SELECT COALESCE(pg_sequence_last_value(" COUNTER(table) "), 0)"
#define SET_COUNTER(table, number) "SELECT setval(" COUNTER(table) ", " number ")"
#define OWN_CLAIM "NULLIF(current_setting('forerun.claim', true), '')::bigint"
#define CLAIMED ", claim = " OWN_CLAIM
#define IS_OWN " AND claim IS NOT DISTINCT FROM " OWN_CLAIM
/* When a server starts, or a standby takes its place, all daemons are without locks for some
 * seconds: who is back first waits for the others. */
#define IS_LEFT                                                                                \
    " AND (claim IS NULL OR ((SELECT backend_start FROM "                                      \
    "pg_stat_get_activity(pg_backend_pid())) < clock_timestamp() - interval '8 s' "            \
    "AND NOT EXISTS (SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database " \
    "WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted "          \
    "AND l.classid::bigint << 32 | l.objid::bigint = claim)))"

static const char *const texts[] = {
#define STATEMENT(name, text) text,
#include "server/store/statements.h"
#undef STATEMENT
};

enum { MOST_VALUES = 24, MOST_TEXT_BYTES = 4096 };

/* Values in the form that libpq takes. */
struct bound {
    Oid type[MOST_VALUES];
    const char *value[MOST_VALUES];
    int length[MOST_VALUES], format[MOST_VALUES];
    char number[MOST_VALUES][8];
    int count;
};

static void bind_number(struct bound *b, Oid type, uint64_t bits)
{
    b->type[b->count] = type;
    fr_postgresql_put(b->number[b->count], bits);
    b->value[b->count] = b->number[b->count];
    b->length[b->count] = 8;
}

static void bind_text(struct bound *b, Oid type, const char *text, size_t length)
{
    b->type[b->count] = type;
    b->value[b->count] = text;
    b->length[b->count] = (int)length;
}

static void bind_one(struct bound *b, const struct fr_sql_value *value)
{
    uint64_t bits;

    assert(b->count < MOST_VALUES);
    b->format[b->count] = 1;
    switch (value->kind) {
    case FR_SQL_TEXT:
        bind_text(b, PG_TEXT, value->text, value->text ? strlen(value->text) : 0);
        break;
    case FR_SQL_BYTES:
        bind_text(b, PG_TEXT, value->text, value->length);
        break;
    case FR_SQL_BLOB:
        bind_text(b, PG_BYTEA, value->text, value->length);
        break;
    case FR_SQL_INTEGER:
        bind_number(b, PG_INT8, (uint64_t)value->integer);
        if (value->is_null)
            b->value[b->count] = NULL;
        break;
    case FR_SQL_REAL:
        memcpy(&bits, &value->real, sizeof bits);
        bind_number(b, PG_FLOAT8, bits);
        break;
    case FR_SQL_END:
        assert(false && "a value of a known kind");
    }
    b->count++;
}

/* The text with $1 for ?1; no statement has a question mark in a constant. */
static void translate(const char *text, char out[MOST_TEXT_BYTES])
{
    size_t length = strlen(text);

    assert(length < MOST_TEXT_BYTES);
    for (size_t i = 0; i <= length; i++)
        out[i] = text[i] == '?' ? '$' : text[i];
}

/* Whether the server answers at all has to be known soon. */
enum { READY_MS = 3000 };

static PGresult *execute(struct fr_postgresql *pg, enum fr_sql id, const struct bound *b)
{
    const unsigned most_ms = id == FR_SQL_READY ? READY_MS : pg->most_ms;

    if (!pg->is_prepared[id]) {
        char text[MOST_TEXT_BYTES];
        PGresult *result;

        translate(texts[id], text);
        result = fr_postgresql_wait(
            pg, fr_pq.sendPrepare(pg->connection, fr_sql_name(id), text, b->count, b->type),
            most_ms);
        if (fr_pq.resultStatus(result) != PGRES_COMMAND_OK)
            return result;
        fr_pq.clear(result);
        pg->is_prepared[id] = true;
    }
    return fr_postgresql_wait(pg,
                              fr_pq.sendQueryPrepared(pg->connection, fr_sql_name(id), b->count,
                                                      b->value, b->length, b->format, 1),
                              most_ms);
}

static bool is_reference(const PGresult *result)
{
    const char *state = fr_pq.resultErrorField(result, PG_DIAG_SQLSTATE);

    return state && strcmp(state, "23503") == 0; /* foreign_key_violation */
}

enum fr_step fr_postgresql_start(struct fr_store *store, enum fr_sql id,
                                 const struct fr_sql_value *values, struct fr_row *row)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);
    struct bound b = { .count = 0 };
    PGresult *result;

    for (; values && values->kind != FR_SQL_END; values++)
        bind_one(&b, values);
    if (fr_postgresql_revive(pg) != FR_STORE_OK)
        return FR_STEP_FAILED;
    result = execute(pg, id, &b);
    if (fr_postgresql_may_repeat(pg)) {
        fr_pq.clear(result);
        result = execute(pg, id, &b);
    }
    if (fr_pq.resultStatus(result) == PGRES_TUPLES_OK ||
        fr_pq.resultStatus(result) == PGRES_COMMAND_OK) {
        row->result = result;
        return fr_pq.ntuples(result) ? FR_STEP_ROW : FR_STEP_DONE;
    }
    if (is_reference(result)) {
        fr_pq.clear(result);
        return FR_STEP_REFERRED;
    }
    fr_postgresql_failed(pg, fr_sql_name(id), result);
    return FR_STEP_FAILED;
}
