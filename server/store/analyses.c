/* The results of analyses of orderings: facts, block structure, permutations. */
#include "server/store/sql.h"

#include <string.h>

static int write_result(struct fr_store *store, int64_t sequence,
                        const struct fr_matrix_ordering *r)
{
    return fr_sql_change(store, FR_SQL_ORDERING_END,
                         FR_SQL_VALUES(sequence, fr_matrix_status_name(r->status), r->reason,
                                       r->supernodes, r->nnz_lu, r->nnz_lu_unrelaxed, r->blocks,
                                       r->updates, r->flops, r->fill, r->ordering_s, r->symbolic_s,
                                       r->extraction_s));
}

/* Does nothing if it is known already. */
static int write_rank(struct fr_store *store, const char *id, int64_t structural_rank,
                      const char *row_permutation)
{
    return fr_sql_or_none(fr_sql_change(store, FR_SQL_MATRIX_RANK,
                                        FR_SQL_VALUES(id, structural_rank, row_permutation)));
}

int fr_store_analysis_end(struct fr_store *store, const struct fr_matrix_task *task,
                          const struct fr_matrix_ordering *ordering, int64_t structural_rank,
                          const char *row_permutation, const void *structure, size_t length)
{
    const int64_t sequence = task->sequence[0];
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_store_task_has(store, task, 0);
    if (result == FR_STORE_OK)
        result = write_result(store, sequence, ordering);
    if (result == FR_STORE_OK && ordering->status == FR_MATRIX_READY)
        result = fr_blob_add(store, FR_SQL_STRUCTURE_ADD, "matrix_structures", "bytes", sequence,
                             structure, length);
    if (result == FR_STORE_OK && structural_rank >= 0)
        result = write_rank(store, task->id, structural_rank, row_permutation);
    return fr_sql_end(store, result);
}

/* ---- permutations ------------------------------------------------------------------------- */

static int find_permutations(struct fr_store *store, const struct fr_matrix_task *task,
                             int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_PERMUTATIONS_FIND,
                      FR_SQL_VALUES(task->id, task->ordering, task->row_permutation),
                      fr_sql_integer_alone, NULL, sequence);
}

int fr_store_permutations_add(struct fr_store *store, const struct fr_matrix_task *task,
                              const void *bytes, size_t length)
{
    int64_t sequence = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_change(store, FR_SQL_PERMUTATIONS_ADD,
                           FR_SQL_VALUES(task->id, task->ordering, task->row_permutation, length));
    if (result == FR_STORE_OK)
        result = find_permutations(store, task, &sequence);
    if (result == FR_STORE_OK)
        result = fr_blob_write(store, "matrix_permutations", "bytes", sequence, bytes, length);
    return fr_sql_end(store, result);
}

int fr_store_permutations_give(struct fr_store *store, const struct fr_matrix_task *task, int file)
{
    int64_t sequence = 0;
    const int result = find_permutations(store, task, &sequence);

    if (result != FR_STORE_OK)
        return result;
    return fr_blob_give_file(store, "matrix_permutations", "bytes", sequence, file);
}

/* ---- structures --------------------------------------------------------------------------- */

struct found {
    int64_t sequence;
    char id[FR_MATRIX_ID_BYTES];
};

static const struct fr_sql_member found_members[] = {
    FR_SQL_MEMBER(struct found, sequence),
    FR_SQL_MEMBER(struct found, id),
    FR_SQL_MEMBERS_END,
};

int fr_store_structure_get(struct fr_store *store, const char *matrix,
                           const struct sparse_structure_key *key, char id[FR_MATRIX_ID_BYTES],
                           unsigned char **bytes, size_t *length)
{
    struct found found;
    int result = fr_sql_one(store, FR_SQL_STRUCTURE_FIND, FR_SQL_VALUES(matrix, FR_SQL_KEY(key)),
                            found_members, NULL, &found);

    if (result == FR_STORE_OK)
        result = fr_blob_read(store, "matrix_structures", "bytes", found.sequence, bytes, length);
    if (result == FR_STORE_OK)
        memcpy(id, found.id, sizeof found.id);
    return result;
}
