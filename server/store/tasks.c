/* The queues of analyses. */
#include "server/store/sql.h"

#include "engine/krylov/partition/partition.h"

#include <stdio.h>
#include <string.h>

#define QUEUE(name)                                                             \
    {                                                                           \
        FR_SQL_##name##_LEFT, FR_SQL_##name##_RESTART, FR_SQL_##name##_BEGIN,   \
            FR_SQL_##name##_RETURN, FR_SQL_##name##_LOST, FR_SQL_##name##_TAKEN \
    }
static const struct queue {
    enum fr_sql left, restart, begin, give_back, lost, taken;
} orderings = QUEUE(ORDERING), partitions = QUEUE(PARTITION);

static const struct queue *queue_of(const struct fr_matrix_task *task)
{
    return task->partition ? &partitions : &orderings;
}

static int restart(struct fr_store *store, const struct queue *queue)
{
    char reason[120];
    int result = fr_sql_one(store, queue->left, NULL, NULL, NULL, NULL);

    if (result != FR_STORE_OK)
        return fr_sql_or_none(result);
    snprintf(reason, sizeof reason,
             "begun %d times, and each time the daemon ended before it; upload the file again to "
             "try once more",
             FR_MATRIX_ATTEMPTS);
    return fr_sql_or_none(
        fr_sql_change_alone(store, queue->restart, FR_SQL_VALUES(FR_MATRIX_ATTEMPTS, reason)));
}

int fr_store_task_restart(struct fr_store *store)
{
    const int result = restart(store, &orderings);

    return result == FR_STORE_OK ? restart(store, &partitions) : result;
}

/* ---- taking ------------------------------------------------------------------------------- */

/* The constant that a column names; NULL: none. */
static const char *known(const char *const *names, const struct fr_row *row, int column)
{
    while (*names && strcmp(fr_row_text(row, column), *names) != 0)
        names++;
    return *names;
}

static void read_head(const struct fr_row *row, struct fr_matrix_task *task)
{
    task->sequence[task->parts] = fr_row_integer(row, 0);
    snprintf(task->id, sizeof task->id, "%s", fr_row_text(row, 1));
    task->n = fr_row_integer(row, 2);
}

static int read_ordering(struct fr_row *row, void *context)
{
    struct fr_matrix_task *task = context;

    read_head(row, task);
    task->ordering = known(sparse_orderings, row, 3);
    task->row_permutation = known(sparse_row_permutations, row, 4);
    task->supernode_max = fr_row_integer(row, 5);
    task->supernode_relax = fr_row_integer(row, 6);
    task->parts += task->ordering && task->row_permutation;
    return FR_STORE_OK;
}

static int read_partition(struct fr_row *row, void *context)
{
    struct fr_matrix_task *task = context;

    read_head(row, task);
    task->partition = known(krylov_partitions, row, 3);
    task->processes[task->parts] = fr_row_integer(row, 4);
    task->parts += task->partition != NULL;
    return FR_STORE_OK;
}

static int find_next(struct fr_store *store, enum fr_task_queue queue, struct fr_matrix_task *task)
{
    int result;

    *task = (struct fr_matrix_task){ .n = 0 };
    if (queue == FR_TASKS_PARTITIONS)
        result = fr_sql_each(store, FR_SQL_PARTITION_NEXT, FR_SQL_VALUES(FR_PARTITIONS_AT_ONCE),
                             read_partition, task);
    else
        result = fr_sql_each(store, FR_SQL_ORDERING_NEXT, FR_SQL_VALUES(queue == FR_TASKS_NATURAL),
                             read_ordering, task);
    return result == FR_STORE_OK && !task->parts ? FR_STORE_NONE : result;
}

int fr_store_task_take(struct fr_store *store, enum fr_task_queue queue, struct fr_matrix_task *out)
{
    struct fr_matrix_task task;
    int result = find_next(store, queue, &task);

    if (result != FR_STORE_OK) /* an empty queue keeps no writer waiting */
        return result;
    result = fr_sql_begin(store);
    if (result != FR_STORE_OK)
        return result;
    result = find_next(store, queue, &task); /* others may have taken it */
    for (size_t i = 0; result == FR_STORE_OK && i < task.parts; i++)
        result = fr_sql_change(store, queue_of(&task)->begin, FR_SQL_VALUES(task.sequence[i]));
    result = fr_sql_end(store, result);
    if (result == FR_STORE_OK)
        *out = task;
    return result;
}

/* ---- giving back -------------------------------------------------------------------------- */

int fr_store_task_return(struct fr_store *store, const struct fr_matrix_task *task)
{
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    for (size_t i = 0; i < task->parts && result != FR_STORE_FAILED; i++)
        result = fr_sql_change(store, queue_of(task)->give_back, FR_SQL_VALUES(task->sequence[i]));
    return fr_sql_end(store, fr_sql_or_none(result));
}

int fr_store_task_lost(struct fr_store *store, const struct fr_matrix_task *task, size_t part)
{
    static const char reason[] =
        "the database refused the result each time that it was found, as the log of the daemon "
        "says; upload the file again to try once more";

    return fr_sql_change_alone(store, queue_of(task)->lost,
                               FR_SQL_VALUES(task->sequence[part], FR_MATRIX_ATTEMPTS, reason));
}

int fr_store_task_has(struct fr_store *store, const struct fr_matrix_task *task, size_t part)
{
    return fr_sql_one(store, queue_of(task)->taken, FR_SQL_VALUES(task->sequence[part]), NULL, NULL,
                      NULL);
}

bool fr_store_task_is_wanted(struct fr_store *store, const struct fr_matrix_task *task)
{
    for (size_t i = 0; i < task->parts; i++)
        if (fr_store_task_has(store, task, i) != FR_STORE_NONE)
            return true;
    return false;
}
