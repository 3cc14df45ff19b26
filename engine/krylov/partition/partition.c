/* Facts of a partition: memory, validity, summary. */
#include "engine/krylov/partition/partition.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct krylov_partition *krylov_partition_new(int64_t processes)
{
    struct krylov_partition *made = calloc(1, sizeof *made);
    const size_t count = (size_t)processes;

    if (!made)
        return NULL;
    made->processes = processes;
    made->structural_symmetry = NAN;
    made->zero_diagonals = -1;
    made->rows = calloc(count, sizeof *made->rows);
    made->diagonal = calloc(count, sizeof *made->diagonal);
    made->offdiagonal = calloc(count, sizeof *made->offdiagonal);
    if (made->rows && made->diagonal && made->offdiagonal)
        return made;
    krylov_partition_free(made);
    return NULL;
}

void krylov_partition_free(struct krylov_partition *partition)
{
    if (!partition)
        return;
    free(partition->rows);
    free(partition->diagonal);
    free(partition->offdiagonal);
    free(partition->message);
    free(partition);
}

/* One of the three arrays. */
static void check_counts(const char *name, const int64_t *value, int64_t count, int64_t least,
                         int64_t most, struct fr_faults *faults)
{
    char where[48];

    for (int64_t p = 0; p < count; p++) {
        if (value[p] >= least && value[p] <= most)
            continue;
        snprintf(where, sizeof where, "/%s/%" PRId64, name, p);
        fr_fault(faults, FR_RANGE, where, "%" PRId64 "; %" PRId64 " to %" PRId64 " are possible",
                 value[p], least, most);
    }
}

/* A message by itself and after the one before it; NULL if it is sound. */
static const char *flaw(const struct krylov_partition *partition, size_t i)
{
    const struct krylov_words *m = &partition->message[i];

    if (m->from < 0 || m->from >= partition->processes || m->to < 0 ||
        m->to >= partition->processes)
        return "its sender and receiver must be processes, counted from 0";
    if (m->from == m->to)
        return "a process sends nothing to itself; omit the message";
    if (m->words < 1 || m->words > partition->rows[m->from])
        return "it carries 1 value or more, at most one for each row of the sender";
    if (i && (m[-1].from > m->from || (m[-1].from == m->from && m[-1].to >= m->to)))
        return "messages ascend by sender, then by receiver, each pair once";
    return NULL;
}

/* A received value is read by an entry off the diagonal block, and such an entry reads one. */
static int check_received(const struct krylov_partition *partition, struct fr_faults *faults)
{
    int64_t *received = calloc((size_t)partition->processes, sizeof *received);
    char where[48];

    if (!received)
        return fr_fault(faults, FR_NOMEM, "/", "no memory to check the messages");
    for (size_t i = 0; i < partition->message_count; i++)
        received[partition->message[i].to] += partition->message[i].words;
    for (int64_t p = 0; p < partition->processes; p++) {
        const int64_t entries = partition->offdiagonal[p];

        if (received[p] <= entries && (received[p] > 0 || entries == 0))
            continue;
        snprintf(where, sizeof where, "/offdiagonal/%" PRId64, p);
        fr_fault(faults, FR_RELATION, where,
                 "%" PRId64 " entries off the diagonal block, but %" PRId64 " values received; "
                 "each value is read by an entry, and each entry reads one",
                 entries, received[p]);
    }
    free(received);
    return FR_OK;
}

int krylov_partition_check(const struct krylov_partition *partition, struct fr_faults *faults)
{
    const size_t before = faults->count;
    char where[48];

    if (partition->processes < 1 || partition->processes > KRYLOV_PARTITION_MOST_PROCESSES)
        return fr_fault(faults, FR_RANGE, "/processes", "%" PRId64 "; 1 to %d are possible",
                        partition->processes, KRYLOV_PARTITION_MOST_PROCESSES);
    if (partition->message_count > KRYLOV_PARTITION_MOST_MESSAGES)
        return fr_fault(faults, FR_RANGE, "/messages", "%zu messages; at most %d are possible",
                        partition->message_count, KRYLOV_PARTITION_MOST_MESSAGES);
    check_counts("rows", partition->rows, partition->processes, 1, KRYLOV_PARTITION_MOST_ROWS,
                 faults);
    check_counts("diagonal", partition->diagonal, partition->processes, 0,
                 KRYLOV_PARTITION_MOST_ENTRIES, faults);
    check_counts("offdiagonal", partition->offdiagonal, partition->processes, 0,
                 KRYLOV_PARTITION_MOST_ENTRIES, faults);
    for (size_t i = 0; i < partition->message_count; i++) {
        const char *why = flaw(partition, i);

        if (!why)
            continue;
        snprintf(where, sizeof where, "/messages/%zu", i);
        fr_fault(faults, FR_RELATION, where, "%s", why);
    }
    if (faults->count == before)
        check_received(partition, faults);
    return faults->count == before ? FR_OK : FR_RELATION;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What one process sends or receives. */
struct traffic {
    int64_t messages, words;
};

static void add(struct traffic *traffic, int64_t words)
{
    traffic->messages++;
    traffic->words += words;
}

int krylov_partition_summarize(const struct krylov_partition *partition,
                               struct krylov_partition_summary *out)
{
    const int64_t processes = partition->processes;
    struct traffic *sent = calloc(2 * (size_t)processes, sizeof *sent), *received;
    struct krylov_partition_summary s = { .messages = (int64_t)partition->message_count };
    int64_t most_entries = 0;

    if (!sent)
        return FR_NOMEM;
    received = sent + processes;
    for (size_t i = 0; i < partition->message_count; i++) {
        const struct krylov_words *m = &partition->message[i];

        add(&sent[m->from], m->words);
        add(&received[m->to], m->words);
        s.words += m->words;
        s.largest_message = larger(s.largest_message, m->words);
    }
    for (int64_t p = 0; p < processes; p++) {
        const int64_t entries = partition->diagonal[p] + partition->offdiagonal[p];

        s.rows += partition->rows[p];
        s.entries += entries;
        s.most_rows = larger(s.most_rows, partition->rows[p]);
        most_entries = larger(most_entries, entries);
        s.most_neighbours =
            larger(s.most_neighbours, larger(sent[p].messages, received[p].messages));
        s.most_words = larger(s.most_words, larger(sent[p].words, received[p].words));
    }
    s.imbalance = s.entries ? (double)most_entries * (double)processes / (double)s.entries : 1;
    free(sent);
    *out = s;
    return FR_OK;
}
