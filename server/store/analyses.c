/* The queue of analyses, and their results: the facts of an ordering and its block structure. */
#include "server/store/blobs.h"
#include "server/store/queue.h"

#include <stdio.h>
#include <string.h>

int fr_store_analysis_restart(struct fr_store *store)
{
    return fr_queue_restart(store, FR_SQL_ORDERING_LEFT, FR_SQL_ORDERING_RESTART);
}

struct next {
    int64_t sequence;
    struct fr_matrix_task task;
};

/* The constant that a column names; NULL: none. */
static const char *known(const char *const *names, struct fr_row *row, int column)
{
    while (*names && strcmp(fr_row_text(row, column), *names) != 0)
        names++;
    return *names;
}

static bool read_next(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct next *next = out;

    (void)arena;
    *next = (struct next){ .sequence = fr_row_integer(row, 0) };
    snprintf(next->task.id, sizeof next->task.id, "%s", fr_row_text(row, 1));
    next->task.ordering = known(sparse_orderings, row, 2);
    next->task.row_permutation = known(sparse_row_permutations, row, 3);
    next->task.supernode_max = fr_row_integer(row, 4);
    next->task.supernode_relax = fr_row_integer(row, 5);
    next->task.n = fr_row_integer(row, 6);
    return next->task.ordering && next->task.row_permutation;
}

static int find_next(struct fr_store *store, bool is_natural, struct next *next)
{
    return fr_sql_one(store, FR_SQL_ORDERING_NEXT, FR_SQL_VALUES(fr_sql_integer(is_natural)),
                      read_next, NULL, next);
}

int fr_store_analysis_take(struct fr_store *store, bool is_natural, struct fr_matrix_task *out)
{
    struct next next;
    int result = find_next(store, is_natural, &next);

    if (result != FR_STORE_OK) /* an empty queue keeps no writer waiting */
        return result;
    result = fr_sql_begin(store);
    if (result != FR_STORE_OK)
        return result;
    result = find_next(store, is_natural, &next); /* others may have taken it */
    if (result == FR_STORE_OK)
        result = fr_sql_change(store, FR_SQL_ORDERING_BEGIN,
                               FR_SQL_VALUES(fr_sql_integer(next.sequence)));
    result = fr_sql_end(store, result);
    if (result == FR_STORE_OK)
        *out = next.task;
    return result;
}

int fr_store_analysis_return(struct fr_store *store, const struct fr_matrix_task *task)
{
    return fr_sql_change_alone(store, FR_SQL_ORDERING_RETURN,
                               FR_SQL_VALUES(fr_sql_text(task->id), FR_SQL_KEY(task)));
}

int fr_store_analysis_lost(struct fr_store *store, const struct fr_matrix_task *task)
{
    return fr_sql_change_alone(store, FR_SQL_ORDERING_LOST,
                               FR_SQL_VALUES(fr_sql_text(task->id), FR_SQL_KEY(task),
                                             fr_sql_integer(FR_MATRIX_ATTEMPTS),
                                             fr_sql_text(fr_queue_lost)));
}

static int find_taken(struct fr_store *store, const struct fr_matrix_task *task, int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_ORDERING_TAKEN,
                      FR_SQL_VALUES(fr_sql_text(task->id), FR_SQL_KEY(task)), fr_sql_read_integer,
                      NULL, sequence);
}

bool fr_store_analysis_is_wanted(struct fr_store *store, const struct fr_matrix_task *task)
{
    int64_t sequence;

    return find_taken(store, task, &sequence) != FR_STORE_NONE;
}

static int write_result(struct fr_store *store, int64_t sequence,
                        const struct fr_matrix_ordering *r)
{
    return fr_sql_change(
        store, FR_SQL_ORDERING_END,
        FR_SQL_VALUES(fr_sql_integer(sequence), fr_sql_text(fr_matrix_status_name(r->status)),
                      fr_sql_text(r->reason), fr_sql_integer(r->supernodes),
                      fr_sql_integer(r->nnz_lu), fr_sql_integer(r->nnz_lu_unrelaxed),
                      fr_sql_integer(r->blocks), fr_sql_integer(r->updates), fr_sql_real(r->flops),
                      fr_sql_real(r->fill), fr_sql_real(r->ordering_s), fr_sql_real(r->symbolic_s),
                      fr_sql_real(r->extraction_s)));
}

static int write_structure(struct fr_store *store, int64_t sequence, const void *structure,
                           size_t length)
{
    const int result =
        fr_sql_change(store, FR_SQL_STRUCTURE_ADD,
                      FR_SQL_VALUES(fr_sql_integer(sequence), fr_sql_integer((int64_t)length)));

    if (result != FR_STORE_OK)
        return result;
    return fr_blob_write(store, "matrix_structures", "bytes", sequence, structure, length);
}

static int write_rank(struct fr_store *store, const char *id, int64_t structural_rank,
                      const char *row_permutation)
{
    const int result = fr_sql_change(store, FR_SQL_MATRIX_RANK,
                                     FR_SQL_VALUES(fr_sql_text(id), fr_sql_integer(structural_rank),
                                                   fr_sql_text(row_permutation)));

    return result == FR_STORE_NONE ? FR_STORE_OK : result; /* known already */
}

int fr_store_analysis_end(struct fr_store *store, const struct fr_matrix_task *task,
                          const struct fr_matrix_ordering *ordering, int64_t structural_rank,
                          const char *row_permutation, const void *structure, size_t length)
{
    int64_t sequence = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = find_taken(store, task, &sequence);
    if (result == FR_STORE_OK)
        result = write_result(store, sequence, ordering);
    if (result == FR_STORE_OK && ordering->status == FR_MATRIX_READY)
        result = write_structure(store, sequence, structure, length);
    if (result == FR_STORE_OK && structural_rank >= 0)
        result = write_rank(store, task->id, structural_rank, row_permutation);
    return fr_sql_end(store, result);
}

/* ---- permutations ------------------------------------------------------------------------- */

static int find_permutations(struct fr_store *store, const struct fr_matrix_task *task,
                             int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_PERMUTATIONS_FIND,
                      FR_SQL_VALUES(fr_sql_text(task->id), fr_sql_text(task->ordering),
                                    fr_sql_text(task->row_permutation)),
                      fr_sql_read_integer, NULL, sequence);
}

int fr_store_permutations_add(struct fr_store *store, const struct fr_matrix_task *task,
                              const void *bytes, size_t length)
{
    int64_t sequence = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_change(store, FR_SQL_PERMUTATIONS_ADD,
                           FR_SQL_VALUES(fr_sql_text(task->id), fr_sql_text(task->ordering),
                                         fr_sql_text(task->row_permutation),
                                         fr_sql_integer((int64_t)length)));
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

static bool read_found(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct found *found = out;

    (void)arena;
    found->sequence = fr_row_integer(row, 0);
    snprintf(found->id, sizeof found->id, "%s", fr_row_text(row, 1));
    return true;
}

int fr_store_structure_get(struct fr_store *store, const char *matrix,
                           const struct sparse_structure_key *key, char id[FR_MATRIX_ID_BYTES],
                           unsigned char **bytes, size_t *length)
{
    struct found found;
    int result =
        fr_sql_one(store, FR_SQL_STRUCTURE_FIND,
                   FR_SQL_VALUES(fr_sql_text(matrix), FR_SQL_KEY(key)), read_found, NULL, &found);

    if (result == FR_STORE_OK)
        result = fr_blob_read(store, "matrix_structures", "bytes", found.sequence, bytes, length);
    if (result == FR_STORE_OK)
        memcpy(id, found.id, sizeof found.id);
    return result;
}
