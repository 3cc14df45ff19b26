/* The fronts of matrices: one row for each ordering and number of processes. */
#include "server/store/sql.h"

static int add_one(struct fr_store *store, const char *id, const char *ordering,
                   const struct sparse_mumps *one)
{
    const struct sparse_multifrontal *tree = &one->tree;
    const struct sparse_front_share *share = &one->share;

    /* known already, or deleted */
    return fr_sql_or_none(fr_sql_change(
        store, FR_SQL_FRONTS_ADD,
        FR_SQL_VALUES(id, ordering, share->processes, tree->fronts, tree->largest_front,
                      tree->factor_entries, tree->flops, share->most_entries, share->all_entries,
                      share->most_indices, share->all_indices)));
}

int fr_store_fronts_add(struct fr_store *store, const char *id, const char *ordering,
                        const struct sparse_mumps *fronts, size_t count)
{
    int result = fr_sql_begin(store);

    for (size_t i = 0; i < count && result == FR_STORE_OK; i++)
        result = add_one(store, id, ordering, &fronts[i]);
    return fr_sql_end(store, result);
}

#define MUMPS(member) FR_SQL_MEMBER(struct sparse_mumps, member)
/* The order of FRONTS_GET. */
static const struct fr_sql_member members[] = {
    MUMPS(n),
    MUMPS(entries),
    MUMPS(share.processes),
    MUMPS(tree.fronts),
    MUMPS(tree.largest_front),
    MUMPS(tree.factor_entries),
    MUMPS(tree.flops),
    MUMPS(share.most_entries),
    MUMPS(share.all_entries),
    MUMPS(share.most_indices),
    MUMPS(share.all_indices),
    FR_SQL_MEMBERS_END,
};

int fr_store_fronts_get(struct fr_store *store, const char *id, const char *ordering,
                        int64_t processes, struct sparse_mumps *out)
{
    return fr_sql_one(store, FR_SQL_FRONTS_GET, FR_SQL_VALUES(id, ordering, processes), members,
                      NULL, out);
}
