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

#define ENTRY(member) FR_SQL_MEMBER(struct fr_audit_entry, member)
/* The order of AUDIT_LIST. */
static const struct fr_sql_member entry_members[] = {
    ENTRY(sequence),       ENTRY(at),          ENTRY(author.token), ENTRY(author.address),
    ENTRY(author.command), ENTRY(what.action), ENTRY(what.kind),    ENTRY(what.id),
    ENTRY(what.machine),   ENTRY(what.count),  FR_SQL_MEMBERS_END,
};

int fr_store_list_audit(struct fr_store *store, int64_t before, size_t limit,
                        struct fr_arena *arena, struct fr_audit_entry **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_AUDIT_LIST,
                       FR_SQL_VALUES(before > 0 ? before : INT64_MAX, limit), entry_members,
                       sizeof(**out), arena, out, count);
}

int fr_store_newest_change(struct fr_store *store, int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_AUDIT_NEWEST, NULL, fr_sql_integer_alone, NULL, sequence);
}

/* The order of AUDIT_CHANGES. */
static const struct fr_sql_member change_members[] = {
    FR_SQL_MEMBER(struct fr_news, kind),
    FR_SQL_MEMBER(struct fr_news, machine),
    FR_SQL_MEMBER(struct fr_news, sequence),
    FR_SQL_MEMBERS_END,
};

int fr_store_list_changes(struct fr_store *store, int64_t after, struct fr_arena *arena,
                          struct fr_news **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_AUDIT_CHANGES, FR_SQL_VALUES(after), change_members,
                       sizeof(**out), arena, out, count);
}

bool fr_store_has_changed(struct fr_store *store, const char *machine, int64_t after)
{
    return fr_sql_one(store, FR_SQL_AUDIT_HAS_CHANGED, FR_SQL_VALUES(machine, after), NULL, NULL,
                      NULL) != FR_STORE_NONE;
}
