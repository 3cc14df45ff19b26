/* Access tokens.  The store holds only their hashes. */
#include "server/store/sql.h"

static bool read_token(sqlite3_stmt *row, struct fr_arena *arena, void *out)
{
    struct fr_token token;

    if (!fr_sql_columns(row, 0, arena,
                        FR_SQL_COLUMNS(&token.name, &token.scope, &token.created_at)))
        return false;
    *(struct fr_token *)out = token;
    return true;
}

int fr_store_add_token(struct fr_store *store, const char *name, const char *scope,
                       const char *hash)
{
    const int result = fr_sql_change_alone(
        store, FR_SQL_TOKEN_ADD,
        FR_SQL_VALUES(fr_sql_text(name), fr_sql_text(scope), fr_sql_text(hash)));

    return result == FR_STORE_NONE ? FR_STORE_EXISTS : result;
}

int fr_store_find_token(struct fr_store *store, const char *hash, struct fr_arena *arena,
                        struct fr_token *out)
{
    return fr_sql_one(store, FR_SQL_TOKEN_FIND, FR_SQL_VALUES(fr_sql_text(hash)), read_token, arena,
                      out);
}

int fr_store_list_tokens(struct fr_store *store, struct fr_arena *arena, struct fr_token **out,
                         size_t *count)
{
    return fr_sql_list(store, FR_SQL_TOKEN_LIST, NULL, read_token, sizeof(**out), arena, out,
                       count);
}

int fr_store_revoke_token(struct fr_store *store, const char *name)
{
    return fr_sql_change_alone(store, FR_SQL_TOKEN_REVOKE, FR_SQL_VALUES(fr_sql_text(name)));
}
