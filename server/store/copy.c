/* Copies a database into an empty one, and compares the two row by row. */
#include "server/store/sql.h"

#include <inttypes.h>
#include <string.h>

/* A page of one database is in memory while it is compared. */
enum { PAGE = 200, PAGE_BYTES = 16 * 1024 * 1024, MOST_COLUMNS = 24 };

struct table {
    const char *name;
    enum fr_sql read, add;
    const char *types; /* tables.h */
    const char *page;  /* how a page is found */
    const char *large; /* a column, or NULL */
};

static const struct table tables[] = {
#define TABLE(NAME, name, types, page, columns, values) \
    { #name, FR_SQL_COPY_READ_##NAME, FR_SQL_COPY_ADD_##NAME, types, page, NULL },
#define LARGE(NAME, name, types, page, columns, values, large, place) \
    { #name, FR_SQL_COPY_READ_##NAME, FR_SQL_COPY_ADD_##NAME, types, page, large },
#include "server/store/tables.h"
#undef TABLE
#undef LARGE
};
enum { TABLES = sizeof tables / sizeof *tables };

struct copy {
    struct fr_store *from, *to;
    const struct table *table;
    int64_t rows, last; /* copied or compared so far; the first column of the last one */
};

/* ---- values ------------------------------------------------------------------------------- */

static struct fr_sql_value value_of(const struct fr_row *row, int column, char type)
{
    struct fr_sql_value value = { .kind = FR_SQL_INTEGER };

    switch (type) {
    case 't':
    case 'b':
        value.kind = type == 't' ? FR_SQL_BYTES : FR_SQL_BLOB;
        value.text = row->store->driver->bytes(row, column, &value.length);
        return value;
    case 'r':
        return fr_sql_real(fr_row_real(row, column));
    default:
        value.is_null = fr_row_is_null(row, column);
        value.integer = value.is_null ? 0 : fr_row_integer(row, column);
        return value;
    }
}

/* Members of other kinds are 0. */
static bool is_same(const struct fr_sql_value *a, const struct fr_sql_value *b)
{
    return a->is_null == b->is_null && a->integer == b->integer &&
           memcmp(&a->real, &b->real, sizeof a->real) == 0 && !a->text == !b->text &&
           a->length == b->length && (!a->text || memcmp(a->text, b->text, a->length) == 0);
}

/* ---- large values ------------------------------------------------------------------------- */

/* Copies a piece, or compares it where `is_there`. */
static int take_piece(struct fr_blob *from, struct fr_blob *to, int64_t at, bool is_there)
{
    char piece[FR_BLOB_PIECE_BYTES], other[FR_BLOB_PIECE_BYTES];
    const size_t length = fr_blob_piece(from, at);

    if (from->store->driver->blob_get(from, at, piece, length) != FR_STORE_OK)
        return FR_STORE_FAILED;
    if (!is_there)
        return to->store->driver->blob_put(to, at, piece, length);
    if (to->store->driver->blob_get(to, at, other, length) != FR_STORE_OK)
        return FR_STORE_FAILED;
    return memcmp(piece, other, length) == 0 ? FR_STORE_OK : FR_STORE_NONE;
}

/* The same for a whole value.  FR_STORE_NONE: it differs. */
static int take_large(const struct copy *copy, int64_t row, bool is_there)
{
    const struct table *table = copy->table;
    struct fr_blob from = { copy->from, table->name, table->large, row, 0, NULL };
    struct fr_blob to = { copy->to, table->name, table->large, row, 0, NULL };
    int result = copy->from->driver->blob_open(&from, false);

    if (result != FR_STORE_OK)
        return result;
    result = copy->to->driver->blob_open(&to, !is_there);
    if (result == FR_STORE_OK) {
        for (int64_t at = 0; at < from.length && result == FR_STORE_OK; at += FR_BLOB_PIECE_BYTES)
            result = take_piece(&from, &to, at, is_there);
        copy->to->driver->blob_close(&to);
    }
    copy->from->driver->blob_close(&from);
    return result;
}

/* ---- rows --------------------------------------------------------------------------------- */

static int add_row(struct copy *copy, const struct fr_row *row)
{
    const char *types = copy->table->types;
    struct fr_sql_value values[MOST_COLUMNS + 1];
    size_t count = strlen(types);
    int result;

    for (size_t i = 0; i < count; i++)
        values[i] = value_of(row, (int)i, types[i]);
    values[count].kind = FR_SQL_END;
    copy->last = values[0].integer;
    result = fr_sql_change(copy->to, copy->table->add, values);
    if (result == FR_STORE_OK && copy->table->large)
        result = take_large(copy, copy->last, false);
    return result;
}

/* FR_STORE_NONE: they differ. */
static int compare_row(struct copy *copy, const struct fr_row *row, const struct fr_row *other)
{
    const char *types = copy->table->types;

    for (size_t i = 0; types[i]; i++) {
        const struct fr_sql_value a = value_of(row, (int)i, types[i]),
                                  b = value_of(other, (int)i, types[i]);

        if (!is_same(&a, &b))
            return FR_STORE_NONE;
    }
    copy->last = value_of(row, 0, types[0]).integer;
    return copy->table->large ? take_large(copy, copy->last, true) : FR_STORE_OK;
}

static size_t bytes_of(const struct copy *copy, const struct fr_row *row)
{
    const char *types = copy->table->types;
    size_t bytes = 0;

    for (size_t i = 0; types[i]; i++)
        bytes += value_of(row, (int)i, types[i]).length;
    return bytes;
}

/* Where a page begins: after the row `last`, or after the first `rows`. */
static struct fr_sql_value start_of(const struct copy *copy)
{
    return fr_sql_integer(strstr(copy->table->page, "OFFSET") ? copy->rows : copy->last);
}

/* How many rows the next page may have, at least one, since documents may be large: the rows of the
 * copied database come one by one. */
static int measure_page(const struct copy *copy, int64_t *rows)
{
    const struct fr_driver *driver = copy->from->driver;
    struct fr_row row = { .store = copy->from, .id = copy->table->read };
    enum fr_step step =
        driver->start(copy->from, row.id, FR_SQL_VALUES(start_of(copy), PAGE), &row);
    size_t bytes = 0;

    for (*rows = 0; step == FR_STEP_ROW; ++*rows) {
        bytes += bytes_of(copy, &row);
        if (bytes > PAGE_BYTES && *rows)
            break;
        step = driver->next(&row);
    }
    if (step == FR_STEP_DONE)
        *rows = PAGE; /* also to find rows that should not be there */
    driver->finish(&row);
    return step == FR_STEP_FAILED ? FR_STORE_FAILED : FR_STORE_OK;
}

/* The next rows: copies them, or compares them where `is_there`. */
static int take_page(struct copy *copy, bool is_there, int64_t most, bool *is_end)
{
    const struct fr_sql_value *values = FR_SQL_VALUES(start_of(copy), most);
    struct fr_row from = { .store = copy->from, .id = copy->table->read };
    struct fr_row to = { .store = copy->to, .id = copy->table->read };
    const int64_t before = copy->rows;
    enum fr_step step = copy->from->driver->start(copy->from, from.id, values, &from), other = step;
    int result = FR_STORE_OK;

    if (is_there)
        other = copy->to->driver->start(copy->to, to.id, values, &to);
    while (step == FR_STEP_ROW && other == FR_STEP_ROW) {
        result = is_there ? compare_row(copy, &from, &to) : add_row(copy, &from);
        if (result != FR_STORE_OK)
            break;
        copy->rows++;
        step = copy->from->driver->next(&from);
        other = is_there ? copy->to->driver->next(&to) : step;
    }
    copy->from->driver->finish(&from);
    if (is_there)
        copy->to->driver->finish(&to);
    *is_end = copy->rows - before < most;
    if (step == FR_STEP_FAILED || other == FR_STEP_FAILED)
        return FR_STORE_FAILED;
    return result == FR_STORE_OK && step != other ? FR_STORE_NONE : result;
}

/* ---- tables ------------------------------------------------------------------------------- */

static int take_table(struct copy *copy, const struct table *table, bool is_there)
{
    bool is_end = false;
    int result = FR_STORE_OK;

    copy->table = table;
    copy->rows = copy->last = 0;
    while (!is_end && result == FR_STORE_OK) {
        int64_t most = PAGE;

        if (is_there)
            result = measure_page(copy, &most);
        if (result == FR_STORE_OK)
            result = take_page(copy, is_there, most, &is_end);
    }
    if (result != FR_STORE_OK && result != FR_STORE_FAILED)
        fr_logf(copy->to->log, FR_LOG_ERROR, "migrate_failed",
                "%s: row %" PRId64 " %s; nothing was changed", table->name, copy->rows + 1,
                is_there ? "differs after the copy" : "was not taken");
    return result == FR_STORE_OK ? FR_STORE_OK : FR_STORE_FAILED;
}

/* A number that a deleted row had is not given again. */
static int keep_counter(const struct copy *copy)
{
    const struct fr_sql_value name = fr_sql_text(copy->table->name);
    int64_t counter = 0;

    if (!strstr(copy->table->page, "sequence >"))
        return FR_STORE_OK;
    if (fr_sql_one(copy->from, FR_SQL_COPY_COUNTER, FR_SQL_VALUES(name), fr_sql_integer_alone, NULL,
                   &counter) == FR_STORE_FAILED)
        return FR_STORE_FAILED;
    if (counter < copy->last)
        counter = copy->last;
    if (counter && fr_sql_one(copy->to, FR_SQL_COPY_COUNTER_SET, FR_SQL_VALUES(name, counter), NULL,
                              NULL, NULL) == FR_STORE_FAILED)
        return FR_STORE_FAILED;
    return FR_STORE_OK;
}

/* What follows from the runs (their number follows by triggers); there may be none. */
static int derive(struct copy *copy)
{
    return fr_sql_change(copy->to, FR_SQL_COPY_RUN_VALUES, NULL) == FR_STORE_FAILED
               ? FR_STORE_FAILED
               : FR_STORE_OK;
}

static int take_all(struct copy *copy, fr_store_copied *tell, void *context)
{
    int result = FR_STORE_OK;

    for (size_t i = 0; i < TABLES && result == FR_STORE_OK; i++) {
        result = take_table(copy, &tables[i], false);
        if (result == FR_STORE_OK)
            result = keep_counter(copy);
    }
    if (result == FR_STORE_OK)
        result = derive(copy);
    for (size_t i = 0; i < TABLES && result == FR_STORE_OK; i++) {
        result = take_table(copy, &tables[i], true);
        if (result == FR_STORE_OK)
            tell(context, tables[i].name, copy->rows);
    }
    return result;
}

static int fill(struct copy *copy, fr_store_copied *tell, void *context)
{
    const int found = fr_sql_one(copy->to, FR_SQL_COPY_IS_USED, NULL, NULL, NULL, NULL);

    if (found == FR_STORE_NONE)
        return take_all(copy, tell, context);
    if (found == FR_STORE_OK)
        fr_logf(copy->to->log, FR_LOG_ERROR, "migrate_failed",
                "the database to fill is not empty; make a new one, or drop this one");
    return found == FR_STORE_OK ? FR_STORE_EXISTS : found;
}

int fr_store_migrate(struct fr_store *from, struct fr_store *to, fr_store_copied *tell,
                     void *context)
{
    struct copy copy = { .from = from, .to = to };
    int result = from->driver->begin_long(from, false);

    if (result != FR_STORE_OK)
        return result;
    result = to->driver->begin_long(to, true);
    if (result == FR_STORE_OK)
        result = fr_sql_end(to, fill(&copy, tell, context));
    from->driver->rollback(from);
    return result;
}
