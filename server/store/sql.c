/* Runs statements and reads their rows.  Each function finishes its statement, because an
 * unfinished one holds a snapshot, and in SQLite prevents checkpoints of the write-ahead log. */
#include "server/store/sql.h"

#include <assert.h>
#include <string.h>

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

bool fr_sql_column(struct fr_row *row, int column, struct fr_arena *arena, const char **out,
                   size_t *length)
{
    size_t bytes;
    const char *text = row->store->driver->bytes(row, column, &bytes);

    *out = text ? fr_arena_text(arena, text, bytes) : NULL;
    if (length)
        *length = bytes;
    return *out || fr_row_is_null(row, column);
}

bool fr_sql_columns(struct fr_row *row, int first, struct fr_arena *arena, const char **const *out)
{
    for (; *out; out++)
        if (!fr_sql_column(row, first++, arena, *out, NULL))
            return false;
    return true;
}

bool fr_sql_read_integer(struct fr_row *row, struct fr_arena *arena, void *out)
{
    (void)arena;
    *(int64_t *)out = fr_row_integer(row, 0);
    return true;
}

bool fr_sql_read_nothing(struct fr_row *row, struct fr_arena *arena, void *out)
{
    (void)row, (void)arena, (void)out;
    return true;
}

int fr_sql_one(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
               fr_sql_reader *read, struct fr_arena *arena, void *out)
{
    struct fr_row row = { .store = store, .id = id };
    const enum fr_step step = store->driver->start(store, id, values, &row);
    int result = FR_STORE_FAILED;

    if (step == FR_STEP_ROW)
        result = read(&row, arena, out) ? FR_STORE_OK : out_of_memory(store, id);
    else if (step == FR_STEP_DONE)
        result = FR_STORE_NONE;
    store->driver->finish(&row);
    return result;
}

/* Reads all rows; the statement is at the first. */
static int read_rows(struct fr_row *row, fr_sql_reader *read, size_t row_size,
                     struct fr_arena *arena, char **out, size_t *count)
{
    const struct fr_driver *driver = row->store->driver;
    const size_t total = (size_t)driver->integer(row, driver->columns(row) - 1);
    char *rows = fr_arena_zeroed(arena, total, row_size);
    enum fr_step step = FR_STEP_ROW;

    if (!rows)
        return out_of_memory(row->store, row->id);
    for (size_t i = 0; step == FR_STEP_ROW; i++, step = driver->next(row)) {
        assert(i < total);
        if (!read(row, arena, rows + i * row_size))
            return out_of_memory(row->store, row->id);
    }
    if (step != FR_STEP_DONE)
        return FR_STORE_FAILED;
    *out = rows;
    *count = total;
    return FR_STORE_OK;
}

int fr_sql_list(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                fr_sql_reader *read, size_t row_size, struct fr_arena *arena, void *out,
                size_t *count)
{
    struct fr_row row = { .store = store, .id = id };
    const enum fr_step step = store->driver->start(store, id, values, &row);
    int result = step == FR_STEP_DONE ? FR_STORE_OK : FR_STORE_FAILED;
    char *rows = NULL;
    size_t total = 0;

    if (step == FR_STEP_ROW)
        result = read_rows(&row, read, row_size, arena, &rows, &total);
    store->driver->finish(&row);
    if (result == FR_STORE_OK) {
        memcpy(out, &rows, sizeof rows);
        *count = total;
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
