/* Runs statements and reads their rows.  Each function finishes its statement, because an
 * unfinished one holds a snapshot, and in SQLite prevents checkpoints of the write-ahead log. */
#include "server/store/sql.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 24, FIRST_ROWS = 16 };

static const char *const names[] = {
#define STATEMENT(name, text) #name,
#include "server/store/statements.h"
#undef STATEMENT
};

const char *fr_sql_name(enum fr_sql id)
{
    return names[id];
}

static int out_of_memory(struct fr_store *store, enum fr_sql id)
{
    fr_logf(store->log, FR_LOG_ERROR, "store_failed",
            "%s: the answer is larger than the memory a request may use", names[id]);
    store->failure = FR_STORE_SILENT;
    return FR_STORE_FAILED;
}

int fr_sql_begin(struct fr_store *store)
{
    store->failure = FR_STORE_SILENT;
    return store->driver->is_in_place(store) ? store->driver->begin(store) : FR_STORE_FAILED;
}

int fr_sql_end(struct fr_store *store, int result)
{
    if (result == FR_STORE_OK)
        return store->driver->commit(store);
    store->driver->rollback(store);
    return result;
}

int fr_sql_change(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values)
{
    struct fr_row row = { .store = store, .id = id };
    const enum fr_step step = store->driver->start(store, id, values, &row);
    int result = FR_STORE_FAILED;

    if (step == FR_STEP_DONE)
        result = store->driver->changes(&row) > 0 ? FR_STORE_OK : FR_STORE_NONE;
    else if (step == FR_STEP_REFERRED)
        result = FR_STORE_IN_USE;
    else
        assert(step == FR_STEP_FAILED); /* a change returns no rows */
    store->driver->finish(&row);
    return result;
}

int fr_sql_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values)
{
    const int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    return fr_sql_end(store, fr_sql_change(store, id, values));
}

const struct fr_sql_member fr_sql_integer_alone[] = { { FR_SQL_WHOLE, 0 }, FR_SQL_MEMBERS_END };

/* Copies the texts, of which each may find no memory. */
static bool copy_texts(struct fr_row *row, int first, const struct fr_sql_member *members,
                       struct fr_arena *arena, const char *out[MOST_COLUMNS])
{
    for (int column = 0; members->kind != FR_SQL_LAST_MEMBER; members++) {
        size_t length;
        const char *text;

        if (members->kind == FR_SQL_LENGTH)
            continue;
        assert(column < MOST_COLUMNS);
        if (members->kind == FR_SQL_COPY) {
            text = row->store->driver->bytes(row, first + column, &length);
            out[column] = text ? fr_arena_text(arena, text, length) : NULL;
            if (!out[column] && !fr_row_is_null(row, first + column))
                return false;
        }
        column++;
    }
    return true;
}

bool fr_sql_read(struct fr_row *row, int first, const struct fr_sql_member *members,
                 struct fr_arena *arena, void *out)
{
    const char *texts[MOST_COLUMNS];
    int column = first;

    if (!copy_texts(row, first, members, arena, texts))
        return false;
    for (; members->kind != FR_SQL_LAST_MEMBER; members++) {
        void *to = (char *)out + members->offset;

        if (members->kind == FR_SQL_LENGTH) {
            *(size_t *)to = fr_row_bytes(row, column - 1);
            continue;
        }
        if (members->kind == FR_SQL_COPY)
            *(const char **)to = texts[column - first];
        else if (members->kind == FR_SQL_ID)
            snprintf(to, FR_MATRIX_ID_BYTES, "%s", fr_row_text(row, column));
        else if (members->kind == FR_SQL_STATUS)
            *(enum fr_matrix_status *)to = fr_matrix_status_of(fr_row_text(row, column));
        else if (members->kind == FR_SQL_WHOLE)
            *(int64_t *)to = fr_row_integer(row, column);
        else if (members->kind == FR_SQL_NUMBER)
            *(double *)to = fr_row_real(row, column);
        else
            *(bool *)to = fr_row_integer(row, column) != 0;
        column++;
    }
    return true;
}

int fr_sql_one(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
               const struct fr_sql_member *members, struct fr_arena *arena, void *out)
{
    struct fr_row row = { .store = store, .id = id };
    const enum fr_step step = store->driver->start(store, id, values, &row);
    int result = FR_STORE_FAILED;

    if (step == FR_STEP_ROW)
        result = !members || fr_sql_read(&row, 0, members, arena, out) ? FR_STORE_OK
                                                                       : out_of_memory(store, id);
    else if (step == FR_STEP_DONE)
        result = FR_STORE_NONE;
    store->driver->finish(&row);
    return result;
}

/* Rows while they are read. */
struct rows {
    const struct fr_sql_member *members;
    struct fr_arena *arena;
    char *at;
    size_t size, count, room;
};

static int take_row(struct fr_row *row, void *context)
{
    struct rows *rows = context;

    if (rows->count == rows->room) {
        char *longer = fr_arena_longer(rows->arena, rows->at, rows->count,
                                       rows->room ? 2 * rows->room : FIRST_ROWS, rows->size);

        if (!longer)
            return FR_STORE_FAILED;
        rows->at = longer;
        rows->room = rows->room ? 2 * rows->room : FIRST_ROWS;
    }
    if (!fr_sql_read(row, 0, rows->members, rows->arena, rows->at + rows->count * rows->size))
        return FR_STORE_FAILED;
    rows->count++;
    return FR_STORE_OK;
}

int fr_sql_list(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                const struct fr_sql_member *members, size_t row_size, struct fr_arena *arena,
                void *out, size_t *count)
{
    struct rows rows = { .members = members, .arena = arena, .size = row_size };
    const int result = fr_sql_each(store, id, values, take_row, &rows);

    if (result == FR_STORE_OK) {
        memcpy(out, &rows.at, sizeof rows.at);
        *count = rows.count;
    }
    return result;
}

int fr_sql_each(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                int (*visit)(struct fr_row *row, void *context), void *context)
{
    struct fr_row row = { .store = store, .id = id };
    enum fr_step step = store->driver->start(store, id, values, &row);
    int result = FR_STORE_OK;

    while (step == FR_STEP_ROW && (result = visit(&row, context)) == FR_STORE_OK)
        step = store->driver->next(&row);
    if (result == FR_STORE_FAILED)
        out_of_memory(store, id);
    else if (step != FR_STEP_ROW && step != FR_STEP_DONE)
        result = FR_STORE_FAILED; /* logged */
    store->driver->finish(&row);
    return fr_sql_or_none(result);
}
