/* Visits the columns of one owner after the other, so that the messages of a sender are complete
 * before those of the next begin, and nothing but these messages is sorted. */
#include "server/analyze/analyze.h"

#include "engine/krylov/partition/partition.h"

#include <stdlib.h>

struct exchange {
    const struct fr_matrix *matrix;
    const int32_t *owner;
    struct krylov_partition *facts;
    size_t room;        /* of facts->message */
    int32_t *column;    /* all columns, by owner */
    int64_t *column_at; /* of each owner, and the end */
    int32_t *seen_by;   /* by process: the last column, from 1, that it was seen to read */
    int32_t *words;     /* by process: values that the current sender sends to it */
    int32_t *reader;    /* the processes with words, in no order */
    int32_t readers;
};

static bool make(struct exchange *x, int32_t processes)
{
    const size_t count = (size_t)processes, n = (size_t)x->matrix->n;

    x->facts = krylov_partition_new(processes);
    x->column = malloc((n + 1) * sizeof *x->column);
    x->column_at = calloc(count + 2, sizeof *x->column_at);
    x->seen_by = calloc(count, sizeof *x->seen_by);
    x->words = calloc(count, sizeof *x->words);
    x->reader = malloc(count * sizeof *x->reader);
    return x->facts && x->column && x->column_at && x->seen_by && x->words && x->reader;
}

static void clear(struct exchange *x)
{
    free(x->column);
    free(x->column_at);
    free(x->seen_by);
    free(x->words);
    free(x->reader);
}

static void sort_columns(struct exchange *x, int32_t processes)
{
    for (int64_t j = 0; j < x->matrix->n; j++)
        x->facts->rows[x->owner[j]]++;
    for (int32_t p = 0; p < processes; p++)
        x->column_at[p + 2] = x->column_at[p + 1] + x->facts->rows[p];
    for (int64_t j = 0; j < x->matrix->n; j++)
        x->column[x->column_at[x->owner[j] + 1]++] = (int32_t)j;
}

static void see_column(struct exchange *x, int32_t sender, int32_t j)
{
    for (int64_t e = x->matrix->column_at[j]; e < x->matrix->column_at[j + 1]; e++) {
        const int32_t reader = x->owner[x->matrix->row[e]];

        if (reader == sender) {
            x->facts->diagonal[sender]++;
            continue;
        }
        x->facts->offdiagonal[reader]++;
        if (x->seen_by[reader] == j + 1)
            continue;
        x->seen_by[reader] = j + 1;
        if (x->words[reader]++ == 0)
            x->reader[x->readers++] = reader;
    }
}

static int ascending(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

    return (left > right) - (left < right);
}

/* Appends the messages of a sender. */
static int send_all(struct exchange *x, int32_t sender, struct fr_faults *faults)
{
    struct krylov_partition *facts = x->facts;
    const size_t needed = facts->message_count + (size_t)x->readers;

    if (needed > KRYLOV_PARTITION_MOST_MESSAGES)
        return fr_fault(faults, FR_RELATION, "/",
                        "more than %d messages; use fewer processes, or another partition",
                        KRYLOV_PARTITION_MOST_MESSAGES);
    if (needed > x->room) {
        const size_t room = 2 * needed;
        struct krylov_words *more = realloc(facts->message, room * sizeof *more);

        if (!more)
            return fr_fault(faults, FR_NOMEM, "/", "no memory for %zu messages", needed);
        facts->message = more;
        x->room = room;
    }
    qsort(x->reader, (size_t)x->readers, sizeof *x->reader, ascending);
    for (int32_t i = 0; i < x->readers; i++) {
        const int32_t to = x->reader[i];

        facts->message[facts->message_count++] = (struct krylov_words){ sender, to, x->words[to] };
        x->words[to] = 0;
    }
    x->readers = 0;
    return FR_OK;
}

struct krylov_partition *fr_exchange_find(const struct fr_matrix *matrix, const int32_t *owner,
                                          int32_t processes, struct fr_faults *faults)
{
    struct exchange x = { .matrix = matrix, .owner = owner };
    int code = FR_OK;

    if (make(&x, processes))
        sort_columns(&x, processes);
    else
        code = fr_fault(faults, FR_NOMEM, "/", "no memory for %d processes", processes);
    for (int32_t sender = 0; sender < processes && code == FR_OK; sender++) {
        for (int64_t i = x.column_at[sender]; i < x.column_at[sender + 1]; i++)
            see_column(&x, sender, x.column[i]);
        code = send_all(&x, sender, faults);
    }
    clear(&x);
    if (code == FR_OK)
        return x.facts;
    krylov_partition_free(x.facts);
    return NULL;
}
