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

/* The columns of a matrix; the order of MATRIX_COLUMNS. */
static bool read_matrix(struct fr_row *row, struct fr_arena *arena, struct fr_matrix_record *out)
{
    int64_t *const integers[] = { &out->bytes, &out->n, &out->entries, &out->nnz };
    int64_t *const shape[] = { &out->lower_bandwidth, &out->upper_bandwidth, &out->zero_diagonals,
                               &out->empty_rows, &out->empty_columns };
    int column = 8;

    out->sequence = fr_row_integer(row, 0);
    if (!fr_sql_columns(row, 1, arena,
                        FR_SQL_COLUMNS(&out->id, &out->name, &out->uploaded_at, &out->format,
                                       &out->field, &out->symmetry, &out->title)))
        return false;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        *integers[i] = fr_row_integer(row, column++);
    out->structural_symmetry = fr_row_real(row, column++);
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        *shape[i] = fr_row_integer(row, column++);
    out->structural_rank = fr_row_is_null(row, column) ? -1 : fr_row_integer(row, column);
    if (!fr_sql_column(row, ++column, arena, &out->row_permutation, NULL))
        return false;
    out->supernode_max = fr_row_integer(row, ++column);
    out->supernode_relax = fr_row_integer(row, ++column);
    return true;
}

enum { FIRST_ORDERING_COLUMN = 22 };

static bool read_ordering(struct fr_row *row, struct fr_arena *arena,
                          struct fr_matrix_ordering *out)
{
    int64_t *const integers[] = { &out->supernodes, &out->nnz_lu, &out->nnz_lu_unrelaxed,
                                  &out->blocks, &out->updates };
    double *const reals[] = { &out->flops, &out->fill, &out->ordering_s, &out->symbolic_s,
                              &out->extraction_s };
    int column = FIRST_ORDERING_COLUMN;
    const char *status;

    if (!fr_sql_column(row, column++, arena, &out->ordering, NULL) ||
        !fr_sql_column(row, column++, arena, &status, NULL) ||
        !fr_sql_column(row, column++, arena, &out->reason, NULL))
        return false;
    out->status = fr_matrix_status_of(status);
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        *integers[i] = fr_row_integer(row, column++);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        *reals[i] = fr_row_real(row, column++);
    if (!fr_sql_column(row, column++, arena, &out->row_permutation, NULL))
        return false;
    out->supernode_max = fr_row_integer(row, column++);
    out->supernode_relax = fr_row_integer(row, column);
    return true;
}

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
        if (!read_matrix(row, records->arena, last))
            return FR_STORE_FAILED;
        records->count++;
        last++;
    }
    return read_ordering(row, records->arena, &structure) &&
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
    return fr_sql_one(store, FR_SQL_MATRIX_SEQUENCE, FR_SQL_VALUES(matrix), fr_sql_read_integer,
                      NULL, sequence);
}

struct spy {
    const char *bytes;
    size_t length;
};

static bool read_spy(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct spy spy;

    if (!fr_sql_column(row, 0, arena, &spy.bytes, &spy.length))
        return false;
    *(struct spy *)out = spy;
    return true;
}

int fr_store_matrix_spy(struct fr_store *store, const char *id, struct fr_arena *arena,
                        const void **bytes, size_t *length)
{
    int64_t sequence = 0;
    struct spy spy;
    int result = sequence_of(store, id, &sequence);

    if (result == FR_STORE_OK)
        result =
            fr_sql_one(store, FR_SQL_MATRIX_SPY, FR_SQL_VALUES(sequence), read_spy, arena, &spy);
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

static bool read_counts(struct fr_row *row, struct fr_arena *arena, void *out)
{
    int64_t *count = out;

    (void)arena;
    for (int i = 0; i < FR_MATRIX_STATUSES; i++)
        count[i] = fr_row_integer(row, i);
    return true;
}

int fr_store_matrix_count(struct fr_store *store, int64_t count[FR_MATRIX_STATUSES])
{
    return fr_sql_one(store, FR_SQL_MATRIX_COUNT, NULL, read_counts, NULL, count);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Why a matrix was not stored: it exists, or another has its name. */
static int explain(struct fr_store *store, const char *id)
{
    const int result = fr_sql_one(store, FR_SQL_MATRIX_IS_KNOWN, FR_SQL_VALUES(id),
                                  fr_sql_read_nothing, NULL, NULL);

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
                            fr_sql_read_integer, NULL, &others);
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
