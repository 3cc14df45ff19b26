/* Access tokens.  The store holds only their hashes. */
#include "server/store/sql.h"

/* The order of TOKEN_COLUMNS. */
static bool read_token(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct fr_token token = { .sequence = fr_row_integer(row, 0),
                              .is_expired = fr_row_integer(row, 9) != 0,
                              .keep_bytes = fr_row_integer(row, 10),
                              .kept_bytes = fr_row_integer(row, 11) };

    if (!fr_sql_columns(row, 1, arena,
                        FR_SQL_COLUMNS(&token.name, &token.scope, &token.machines, &token.note,
                                       &token.created_at, &token.expires_at, &token.last_used_at,
                                       &token.revoked_at)))
        return false;
    *(struct fr_token *)out = token;
    return true;
}

int fr_store_add_token(struct fr_store *store, const struct fr_token *token, const char *hash)
{
    const int result = fr_audit_change_alone(
        store, FR_SQL_TOKEN_ADD,
        FR_SQL_VALUES(token->name, token->scope, hash, token->machines, token->note,
                      token->expires_at, token->keep_bytes),
        &(struct fr_audited){ .action = "add", .kind = "token", .id = token->name });

    return result == FR_STORE_NONE ? FR_STORE_EXISTS : result;
}

int fr_store_find_token(struct fr_store *store, const char *hash, struct fr_arena *arena,
                        struct fr_token *out)
{
    return fr_sql_one(store, FR_SQL_TOKEN_FIND, FR_SQL_VALUES(hash), read_token, arena, out);
}

int fr_store_list_tokens(struct fr_store *store, struct fr_arena *arena, struct fr_token **out,
                         size_t *count)
{
    return fr_sql_list(store, FR_SQL_TOKEN_LIST, NULL, read_token, sizeof(**out), arena, out,
                       count);
}

int fr_store_revoke_token(struct fr_store *store, const char *name)
{
    return fr_audit_change_alone(
        store, FR_SQL_TOKEN_REVOKE, FR_SQL_VALUES(name),
        &(struct fr_audited){ .action = "delete", .kind = "token", .id = name });
}

int fr_store_note_token_uses(struct fr_store *store, const struct fr_token_use *uses, size_t count)
{
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    for (size_t i = 0; i < count && result == FR_STORE_OK; i++)
        if (fr_sql_change(store, FR_SQL_TOKEN_USED,
                          FR_SQL_VALUES(uses[i].sequence, uses[i].at_s)) == FR_STORE_FAILED)
            result = FR_STORE_FAILED;
    return fr_sql_end(store, result);
}
