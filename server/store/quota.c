#include "server/store/sql.h"

static int64_t token_of(const struct fr_store *store)
{
    return store->author.client > 0 ? store->author.client : 0;
}

struct fr_sql_value fr_quota_owner(const struct fr_store *store)
{
    return fr_sql_integer(token_of(store));
}

static const struct fr_sql_member members[] = {
    FR_SQL_MEMBER(struct fr_store_quota, kept),
    FR_SQL_MEMBER(struct fr_store_quota, limit),
    FR_SQL_MEMBERS_END,
};

int fr_quota_take(struct fr_store *store, int64_t bytes)
{
    const struct fr_sql_value token = fr_sql_integer(token_of(store));
    const struct fr_sql_value usual = fr_sql_integer(store->author.keep_bytes);
    struct fr_store_quota quota = { .more = bytes };
    int result;

    if (!token.integer || !bytes)
        return FR_STORE_OK;
    result = fr_sql_change(store, FR_SQL_TOKEN_KEEP, FR_SQL_VALUES(token, usual, bytes));
    if (result != FR_STORE_NONE)
        return result;
    result =
        fr_sql_one(store, FR_SQL_TOKEN_KEPT, FR_SQL_VALUES(token, usual), members, NULL, &quota);
    if (result != FR_STORE_OK)
        return FR_STORE_FAILED;
    store->quota = quota;
    store->failure = FR_STORE_QUOTA;
    return FR_STORE_FAILED;
}
