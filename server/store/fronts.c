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

/* The order of FRONTS_GET. */
static bool read_fronts(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct sparse_mumps *found = out;

    (void)arena;
    *found = (struct sparse_mumps){
        .n = fr_row_integer(row, 0),
        .entries = fr_row_integer(row, 1),
        .tree = { .fronts = fr_row_integer(row, 3),
                  .largest_front = fr_row_integer(row, 4),
                  .factor_entries = fr_row_integer(row, 5),
                  .flops = fr_row_real(row, 6) },
        .share = { .processes = fr_row_integer(row, 2),
                   .most_entries = fr_row_integer(row, 7),
                   .all_entries = fr_row_integer(row, 8),
                   .most_indices = fr_row_integer(row, 9),
                   .all_indices = fr_row_integer(row, 10) },
    };
    return true;
}

int fr_store_fronts_get(struct fr_store *store, const char *id, const char *ordering,
                        int64_t processes, struct sparse_mumps *out)
{
    return fr_sql_one(store, FR_SQL_FRONTS_GET, FR_SQL_VALUES(id, ordering, processes), read_fronts,
                      NULL, out);
}
