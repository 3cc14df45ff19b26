/* Partitions of matrices: who asks for them, their summaries and their facts. */
#include "server/store/sql.h"

#include "engine/krylov/partition/partition.h"

#include <string.h>

/* ---- asking ------------------------------------------------------------------------------- */

static int queue_one(struct fr_store *store, int64_t matrix, const char *partition,
                     int64_t processes, bool needs_facts)
{
    const struct fr_sql_value *values = FR_SQL_VALUES(matrix, partition, processes);
    int result = FR_STORE_OK;

    if (needs_facts)
        result = fr_sql_change(store, FR_SQL_PARTITION_RENEW, values);
    if (result != FR_STORE_FAILED)
        result = fr_sql_change(store, FR_SQL_PARTITION_QUEUE,
                               FR_SQL_VALUES(matrix, partition, processes, store->author.client));
    return fr_sql_or_none(result); /* it is known */
}

static int trim(struct fr_store *store, int64_t matrix)
{
    return fr_sql_or_none(
        fr_sql_change(store, FR_SQL_PARTITION_TRIM, FR_SQL_VALUES(matrix, FR_PARTITIONS_KEPT)));
}

int fr_store_partition_queue(struct fr_store *store, const char *matrix, const char *partition,
                             const int64_t *processes, size_t count, bool needs_facts)
{
    int64_t sequence = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_one(store, FR_SQL_MATRIX_SEQUENCE, FR_SQL_VALUES(matrix), fr_sql_integer_alone,
                        NULL, &sequence);
    for (size_t i = 0; i < count && result == FR_STORE_OK; i++)
        result = queue_one(store, sequence, partition, processes[i], needs_facts);
    if (result == FR_STORE_OK)
        result = trim(store, sequence);
    return fr_sql_end(store, result);
}

#define PARTITION(member) FR_SQL_MEMBER(struct fr_partition_record, member)
/* PARTITION_COLUMNS. */
static const struct fr_sql_member members[] = {
    PARTITION(partition),
    PARTITION(processes),
    PARTITION(status),
    PARTITION(reason),
    PARTITION(summary.messages),
    PARTITION(summary.words),
    PARTITION(summary.most_neighbours),
    PARTITION(summary.most_words),
    PARTITION(summary.most_rows),
    PARTITION(summary.largest_message),
    PARTITION(summary.imbalance),
    PARTITION(seconds),
    PARTITION(bytes),
    PARTITION(summary.rows),
    PARTITION(summary.entries),
    FR_SQL_MEMBERS_END,
};

int fr_store_partition_list(struct fr_store *store, const char *matrix, const char *partition,
                            struct fr_arena *arena, struct fr_partition_record **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_PARTITION_LIST, FR_SQL_VALUES(matrix, partition), members,
                       sizeof(**out), arena, out, count);
}

int fr_store_partition_get(struct fr_store *store, const char *matrix, const char *partition,
                           int64_t processes, struct fr_arena *arena,
                           struct fr_partition_record *out)
{
    return fr_sql_one(store, FR_SQL_PARTITION_GET, FR_SQL_VALUES(matrix, partition, processes),
                      members, arena, out);
}

int fr_store_partition_facts(struct fr_store *store, const char *matrix, const char *partition,
                             int64_t processes, char **text, size_t *length)
{
    unsigned char *bytes = NULL;
    int64_t sequence = 0;
    int result =
        fr_sql_one(store, FR_SQL_PARTITION_FIND, FR_SQL_VALUES(matrix, partition, processes),
                   fr_sql_integer_alone, NULL, &sequence);

    if (result == FR_STORE_OK)
        result = fr_blob_read(store, "matrix_partition_facts", "facts", sequence, &bytes, length);
    if (result == FR_STORE_OK)
        *text = (char *)bytes;
    return result;
}

int fr_store_partition_retry(struct fr_store *store, const char *matrix)
{
    return fr_sql_or_none(
        fr_sql_change_alone(store, FR_SQL_PARTITION_RETRY, FR_SQL_VALUES(matrix)));
}

/* ---- results ------------------------------------------------------------------------------ */

static int write_result(struct fr_store *store, int64_t sequence,
                        const struct fr_partition_record *r, size_t length)
{
    const struct krylov_partition_summary *s = &r->summary;

    return fr_sql_change(store, FR_SQL_PARTITION_END,
                         FR_SQL_VALUES(sequence, fr_matrix_status_name(r->status), r->reason,
                                       s->messages, s->words, s->most_neighbours, s->most_words,
                                       s->most_rows, s->largest_message, s->imbalance, r->seconds,
                                       length));
}

static int drop_facts(struct fr_store *store, const char *id, int64_t most_bytes)
{
    int64_t matrix = 0;
    int result = fr_sql_one(store, FR_SQL_MATRIX_SEQUENCE, FR_SQL_VALUES(id), fr_sql_integer_alone,
                            NULL, &matrix);

    if (result == FR_STORE_OK)
        result = fr_sql_change(store, FR_SQL_PARTITION_EMPTY, FR_SQL_VALUES(matrix, most_bytes));
    if (result == FR_STORE_OK)
        result = fr_sql_change(store, FR_SQL_PARTITION_FACTS_DROP, FR_SQL_VALUES(matrix));
    return fr_sql_or_none(result); /* there is room */
}

int fr_store_partition_end(struct fr_store *store, const struct fr_matrix_task *task, size_t part,
                           const struct fr_partition_record *record, const char *facts,
                           size_t length, int64_t most_bytes)
{
    const int64_t sequence = task->sequence[part];
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_store_task_has(store, task, part);
    if (result == FR_STORE_OK)
        result = write_result(store, sequence, record, length);
    if (result == FR_STORE_OK && record->status == FR_MATRIX_READY)
        result = fr_blob_add(store, FR_SQL_PARTITION_FACTS_ADD, "matrix_partition_facts", "facts",
                             sequence, facts, length);
    if (result == FR_STORE_OK && record->status == FR_MATRIX_READY)
        result = drop_facts(store, task->id, most_bytes);
    return fr_sql_end(store, result);
}
