/* Access tokens.  The store holds only their hashes. */
#include "server/store/sql.h"

#define TOKEN(member) FR_SQL_MEMBER(struct fr_token, member)
/* TOKEN_COLUMNS. */
static const struct fr_sql_member members[] = {
    TOKEN(sequence),   TOKEN(name),       TOKEN(scope),        TOKEN(machines),   TOKEN(note),
    TOKEN(created_at), TOKEN(expires_at), TOKEN(last_used_at), TOKEN(revoked_at), TOKEN(is_expired),
    TOKEN(keep_bytes), TOKEN(kept_bytes), FR_SQL_MEMBERS_END,
};

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
    return fr_sql_one(store, FR_SQL_TOKEN_FIND, FR_SQL_VALUES(hash), members, arena, out);
}

int fr_store_list_tokens(struct fr_store *store, struct fr_arena *arena, struct fr_token **out,
                         size_t *count)
{
    return fr_sql_list(store, FR_SQL_TOKEN_LIST, NULL, members, sizeof(**out), arena, out, count);
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
