/* Who wrote what and when.  A row belongs to the transaction of the write. */
#include "server/store/sql.h"

void fr_store_set_author(struct fr_store *store, const struct fr_author *author)
{
    store->author = *author;
}

int fr_audit_add(struct fr_store *store, const struct fr_audited *what)
{
    const struct fr_author *author = &store->author;

    return fr_sql_change(store, FR_SQL_AUDIT_ADD,
                         FR_SQL_VALUES(author->token, author->address, author->command,
                                       what->action, what->kind, what->id, what->machine,
                                       what->count ? what->count : 1));
}

int fr_audit_end(struct fr_store *store, int result, const struct fr_audited *what)
{
    if (result == FR_STORE_OK)
        result = fr_audit_add(store, what);
    return fr_sql_end(store, result);
}

int fr_audit_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                          const struct fr_audited *what)
{
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    /* Before the change, which may delete the row that names the machine. */
    result = fr_audit_add(store, what);
    if (result == FR_STORE_OK)
        result = fr_sql_change(store, id, values);
    return fr_sql_end(store, result);
}

/* The order of AUDIT_LIST. */
static bool read_entry(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct fr_audit_entry entry = { .sequence = fr_row_integer(row, 0),
                                    .what.count = fr_row_integer(row, 9) };

    if (!fr_sql_columns(row, 1, arena,
                        FR_SQL_COLUMNS(&entry.at, &entry.author.token, &entry.author.address,
                                       &entry.author.command, &entry.what.action, &entry.what.kind,
                                       &entry.what.id, &entry.what.machine)))
        return false;
    *(struct fr_audit_entry *)out = entry;
    return true;
}

int fr_store_list_audit(struct fr_store *store, int64_t before, size_t limit,
                        struct fr_arena *arena, struct fr_audit_entry **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_AUDIT_LIST,
                       FR_SQL_VALUES(before > 0 ? before : INT64_MAX, limit), read_entry,
                       sizeof(**out), arena, out, count);
}

int fr_store_newest_change(struct fr_store *store, int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_AUDIT_NEWEST, NULL, fr_sql_read_integer, NULL, sequence);
}

/* The order of AUDIT_CHANGES. */
static bool read_change(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct fr_news change = { .sequence = fr_row_integer(row, 2) };

    if (!fr_sql_columns(row, 0, arena, FR_SQL_COLUMNS(&change.kind, &change.machine)))
        return false;
    *(struct fr_news *)out = change;
    return true;
}

int fr_store_list_changes(struct fr_store *store, int64_t after, struct fr_arena *arena,
                          struct fr_news **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_AUDIT_CHANGES, FR_SQL_VALUES(after), read_change,
                       sizeof(**out), arena, out, count);
}

bool fr_store_has_changed(struct fr_store *store, const char *machine, int64_t after)
{
    return fr_sql_one(store, FR_SQL_AUDIT_HAS_CHANGED, FR_SQL_VALUES(machine, after),
                      fr_sql_read_nothing, NULL, NULL) != FR_STORE_NONE;
}
