/* Sparse matrices.  A matrix never changes, since its id is a hash of its content; analyses.c adds
 * the results of its orderings. */
#include "server/store/sql.h"

#include <string.h>

static const char *const status_names[FR_MATRIX_STATUSES] = {
    [FR_MATRIX_QUEUED] = "queued",
    [FR_MATRIX_ANALYZING] = "analyzing",
    [FR_MATRIX_READY] = "ready",
    [FR_MATRIX_FAILED] = "failed",
};

const char *fr_matrix_status_name(enum fr_matrix_status status)
{
    return status_names[status];
}

enum fr_matrix_status fr_matrix_status(const struct fr_matrix_record *record)
{
    size_t count[FR_MATRIX_STATUSES] = { 0 }, all = 0;

    for (const struct fr_matrix_ordering *o; (o = fr_matrix_structure(record, all)); all++)
        count[o->status]++;
    if (count[FR_MATRIX_QUEUED] + count[FR_MATRIX_ANALYZING])
        return count[FR_MATRIX_QUEUED] == all ? FR_MATRIX_QUEUED : FR_MATRIX_ANALYZING;
    return count[FR_MATRIX_READY] ? FR_MATRIX_READY : FR_MATRIX_FAILED;
}

const struct fr_matrix_ordering *fr_matrix_structure(const struct fr_matrix_record *record,
                                                     size_t index)
{
    if (index < record->ordering_count)
        return &record->ordering[index];
    index -= record->ordering_count;
    return index < record->other_count ? &record->other[index] : NULL;
}

const struct fr_matrix_ordering *fr_matrix_find_structure(const struct fr_matrix_record *record,
                                                          const struct sparse_structure_key *key)
{
    const struct fr_matrix_ordering *o;

    for (size_t i = 0; (o = fr_matrix_structure(record, i)); i++)
        if (o->supernode_max == key->supernode_max && o->supernode_relax == key->supernode_relax &&
            strcmp(o->ordering, key->ordering) == 0 &&
            strcmp(o->row_permutation, key->row_permutation) == 0)
            break;
    return o;
}

/* ---- reading ------------------------------------------------------------------------------ */

enum fr_matrix_status fr_matrix_status_of(const char *name)
{
    enum fr_matrix_status status = FR_MATRIX_QUEUED;

    while (status < FR_MATRIX_FAILED && strcmp(status_names[status], name) != 0)
        status++;
    return status;
}

#define MATRIX(member) FR_SQL_MEMBER(struct fr_matrix_record, member)
#define ORDERING(member) FR_SQL_MEMBER(struct fr_matrix_ordering, member)
/* MATRIX_COLUMNS: first those of the matrix, then those of one of its structures. */
static const struct fr_sql_member matrix_members[] = {
    MATRIX(sequence),
    MATRIX(id),
    MATRIX(name),
    MATRIX(uploaded_at),
    MATRIX(format),
    MATRIX(field),
    MATRIX(symmetry),
    MATRIX(title),
    MATRIX(bytes),
    MATRIX(n),
    MATRIX(entries),
    MATRIX(nnz),
    MATRIX(structural_symmetry),
    MATRIX(lower_bandwidth),
    MATRIX(upper_bandwidth),
    MATRIX(zero_diagonals),
    MATRIX(empty_rows),
    MATRIX(empty_columns),
    MATRIX(structural_rank),
    MATRIX(row_permutation),
    MATRIX(supernode_max),
    MATRIX(supernode_relax),
    FR_SQL_MEMBERS_END,
};
enum { FIRST_ORDERING_COLUMN = sizeof matrix_members / sizeof *matrix_members - 1 };
static const struct fr_sql_member ordering_members[] = {
    ORDERING(ordering),      ORDERING(status),
    ORDERING(reason),        ORDERING(supernodes),
    ORDERING(nnz_lu),        ORDERING(nnz_lu_unrelaxed),
    ORDERING(blocks),        ORDERING(updates),
    ORDERING(flops),         ORDERING(fill),
    ORDERING(ordering_s),    ORDERING(symbolic_s),
    ORDERING(extraction_s),  ORDERING(row_permutation),
    ORDERING(supernode_max), ORDERING(supernode_relax),
    FR_SQL_MEMBERS_END,
};

static bool is_of_upload(const struct fr_matrix_record *record, const struct fr_matrix_ordering *o)
{
    return o->supernode_max == record->supernode_max &&
           o->supernode_relax == record->supernode_relax &&
           strcmp(o->row_permutation, sparse_row_permutations[SPARSE_ROWS_AUTO]) == 0 &&
           record->ordering_count < SPARSE_ORDERING_COUNT;
}

/* Appends a structure to a record, whose list of others has room for a power of two. */
static bool add_structure(struct fr_matrix_record *record, const struct fr_matrix_ordering *o,
                          struct fr_arena *arena)
{
    const size_t count = record->other_count;

    if (is_of_upload(record, o)) {
        record->ordering[record->ordering_count++] = *o;
        return true;
    }
    if ((count & (count - 1)) == 0) {
        struct fr_matrix_ordering *more = fr_arena_zeroed(arena, 2 * count + 1, sizeof *more);

        if (!more)
            return false;
        if (count)
            memcpy(more, record->other, count * sizeof *more);
        record->other = more;
    }
    record->other[record->other_count++] = *o;
    return true;
}

/* Records while they are filled: a row is a structure of the last record or begins the next.  In a
 * database that others have written, a name may be the id of another matrix. */
struct records {
    struct fr_arena *arena;
    struct fr_matrix_record *record;
    size_t count, room;
};

static int take(struct fr_row *row, void *context)
{
    struct records *records = context;
    struct fr_matrix_record *last = &records->record[records->count];
    struct fr_matrix_ordering structure = { .status = FR_MATRIX_QUEUED };

    if (!records->count || last[-1].sequence != fr_row_integer(row, 0)) {
        if (records->count == records->room)
            return FR_STORE_NONE;
        if (!fr_sql_read(row, 0, matrix_members, records->arena, last))
            return FR_STORE_FAILED;
        records->count++;
        last++;
    }
    return fr_sql_read(row, FIRST_ORDERING_COLUMN, ordering_members, records->arena, &structure) &&
                   add_structure(last - 1, &structure, records->arena)
               ? FR_STORE_OK
               : FR_STORE_FAILED;
}

int fr_store_matrix_get(struct fr_store *store, const char *matrix, struct fr_arena *arena,
                        struct fr_matrix_record *out)
{
    struct fr_matrix_record record = { .sequence = 0 };
    struct records records = { .arena = arena, .record = &record, .room = 1 };
    const int result = fr_sql_each(store, FR_SQL_MATRIX_GET, FR_SQL_VALUES(matrix), take, &records);

    if (result != FR_STORE_OK)
        return result;
    if (!records.count)
        return FR_STORE_NONE;
    *out = record;
    return FR_STORE_OK;
}

int fr_store_matrix_list(struct fr_store *store, int64_t before, size_t limit,
                         struct fr_arena *arena, struct fr_matrix_record **out, size_t *count)
{
    struct records records = { .arena = arena,
                               .record = fr_arena_zeroed(arena, limit, sizeof(**out)),
                               .room = limit };
    int result = FR_STORE_FAILED;

    if (records.record)
        result = fr_sql_each(store, FR_SQL_MATRIX_LIST,
                             FR_SQL_VALUES(before > 0 ? before : INT64_MAX, limit), take, &records);
    if (result == FR_STORE_OK) {
        *out = records.record;
        *count = records.count;
    }
    return result;
}

static int sequence_of(struct fr_store *store, const char *matrix, int64_t *sequence)
{
    return fr_sql_one(store, FR_SQL_MATRIX_SEQUENCE, FR_SQL_VALUES(matrix), fr_sql_integer_alone,
                      NULL, sequence);
}

struct spy {
    const char *bytes;
    size_t length;
};

static const struct fr_sql_member spy_members[] = {
    FR_SQL_MEMBER(struct spy, bytes),
    FR_SQL_MEMBER(struct spy, length),
    FR_SQL_MEMBERS_END,
};

int fr_store_matrix_spy(struct fr_store *store, const char *id, struct fr_arena *arena,
                        const void **bytes, size_t *length)
{
    int64_t sequence = 0;
    struct spy spy;
    int result = sequence_of(store, id, &sequence);

    if (result == FR_STORE_OK)
        result =
            fr_sql_one(store, FR_SQL_MATRIX_SPY, FR_SQL_VALUES(sequence), spy_members, arena, &spy);
    if (result == FR_STORE_OK) {
        *bytes = spy.bytes;
        *length = spy.length;
    }
    return result;
}

int fr_store_matrix_source(struct fr_store *store, const char *id, int file)
{
    int64_t sequence = 0;
    const int result = sequence_of(store, id, &sequence);

    if (result != FR_STORE_OK)
        return result;
    return fr_blob_give_file(store, "matrix_files", "source", sequence, file);
}

static const struct fr_sql_member count_members[] = {
    { FR_SQL_WHOLE, FR_MATRIX_QUEUED * sizeof(int64_t) },
    { FR_SQL_WHOLE, FR_MATRIX_ANALYZING * sizeof(int64_t) },
    { FR_SQL_WHOLE, FR_MATRIX_READY * sizeof(int64_t) },
    { FR_SQL_WHOLE, FR_MATRIX_FAILED * sizeof(int64_t) },
    FR_SQL_MEMBERS_END,
};

int fr_store_matrix_count(struct fr_store *store, int64_t count[FR_MATRIX_STATUSES])
{
    return fr_sql_one(store, FR_SQL_MATRIX_COUNT, NULL, count_members, NULL, count);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Why a matrix was not stored: it exists, or another has its name. */
static int explain(struct fr_store *store, const char *id)
{
    const int result =
        fr_sql_one(store, FR_SQL_MATRIX_IS_KNOWN, FR_SQL_VALUES(id), NULL, NULL, NULL);

    return result == FR_STORE_OK     ? FR_STORE_EXISTS
           : result == FR_STORE_NONE ? FR_STORE_IN_USE
                                     : result;
}

static int add_record(struct fr_store *store, const struct fr_matrix_record *m, int64_t kept_bytes)
{
    const int result = fr_sql_change(
        store, FR_SQL_MATRIX_ADD,
        FR_SQL_VALUES(m->id, m->name, m->format, m->field, m->symmetry, m->title, m->bytes, m->n,
                      m->entries, m->nnz, m->structural_symmetry, m->lower_bandwidth,
                      m->upper_bandwidth, m->zero_diagonals, m->empty_rows, m->empty_columns,
                      m->supernode_max, m->supernode_relax, fr_quota_owner(store), kept_bytes));

    return result == FR_STORE_NONE ? explain(store, m->id) : result;
}

static int queue(struct fr_store *store, int64_t sequence, const struct sparse_structure_key *key)
{
    return fr_sql_change(store, FR_SQL_ORDERING_QUEUE,
                         FR_SQL_VALUES(sequence, FR_SQL_KEY(key), store->author.client));
}

int fr_store_matrix_add(struct fr_store *store, const struct fr_matrix_record *record,
                        const void *spy, size_t spy_length, int source, int64_t source_length)
{
    int64_t sequence = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = add_record(store, record, source_length);
    if (result == FR_STORE_OK)
        result = fr_quota_take(store, source_length);
    if (result == FR_STORE_OK)
        result = sequence_of(store, record->id, &sequence);
    if (result == FR_STORE_OK)
        result =
            fr_sql_change(store, FR_SQL_MATRIX_FILE_ADD,
                          FR_SQL_VALUES(sequence, fr_sql_blob(spy, spy_length), source_length));
    if (result == FR_STORE_OK)
        result =
            fr_blob_take_file(store, "matrix_files", "source", sequence, source, source_length);
    for (size_t i = 0; i < record->ordering_count && result == FR_STORE_OK; i++)
        result = queue(store, sequence,
                       &(struct sparse_structure_key){
                           record->ordering[i].ordering, sparse_row_permutations[SPARSE_ROWS_AUTO],
                           record->supernode_max, record->supernode_relax });
    return fr_audit_end(
        store, result, &(struct fr_audited){ .action = "add", .kind = "matrix", .id = record->id });
}

int fr_store_matrix_queue(struct fr_store *store, const char *id,
                          const struct sparse_structure_key *key)
{
    int64_t sequence = 0, others = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = sequence_of(store, id, &sequence);
    if (result == FR_STORE_OK)
        result = fr_sql_one(store, FR_SQL_ORDERING_LIMITS,
                            FR_SQL_VALUES(sequence, key->supernode_max, key->supernode_relax),
                            fr_sql_integer_alone, NULL, &others);
    if (result == FR_STORE_OK && others >= FR_MATRIX_LIMITS)
        result = FR_STORE_IN_USE;
    if (result == FR_STORE_OK)
        result = queue(store, sequence, key);
    return fr_audit_end(store, result,
                        &(struct fr_audited){ .action = "change", .kind = "matrix", .id = id });
}

int fr_store_matrix_rename(struct fr_store *store, const char *id, const char *name)
{
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_change(store, FR_SQL_MATRIX_RENAME, FR_SQL_VALUES(id, name));
    if (result == FR_STORE_NONE && explain(store, id) == FR_STORE_EXISTS)
        result = FR_STORE_IN_USE;
    return fr_audit_end(store, result,
                        &(struct fr_audited){ .action = "change", .kind = "matrix", .id = id });
}

int fr_store_matrix_delete(struct fr_store *store, const char *id)
{
    return fr_audit_change_alone(
        store, FR_SQL_MATRIX_DELETE, FR_SQL_VALUES(id),
        &(struct fr_audited){ .action = "delete", .kind = "matrix", .id = id });
}
