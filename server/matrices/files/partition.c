/* Writes and reads facts of partitions.  A document may have millions of messages, for which a
 * general parser takes ten times the memory. */
#include "server/matrices/files/matrix.h"

#include "engine/krylov/partition/partition.h"

#include <stdlib.h>
#include <string.h>

static void write_counts(struct fr_writer *w, const char *name, const int64_t *value, int64_t count)
{
    fr_json_key(w, name);
    fr_json_integers(w, value, (size_t)count);
}

void fr_partition_write(struct fr_writer *w, const struct krylov_partition *partition)
{
    fr_json_object(w);
    fr_json_pair_integer(w, "processes", partition->processes);
    write_counts(w, "rows", partition->rows, partition->processes);
    write_counts(w, "diagonal", partition->diagonal, partition->processes);
    write_counts(w, "offdiagonal", partition->offdiagonal, partition->processes);
    fr_json_pair_array(w, "messages");
    for (size_t i = 0; i < partition->message_count; i++) {
        const struct krylov_words *m = &partition->message[i];

        fr_json_integers(w, (int64_t[]){ m->from, m->to, m->words }, 3);
    }
    fr_json_array_end(w);
    fr_json_object_end(w);
}

struct reader {
    const char *at, *end;
    bool is_broken;
};

static bool take(struct reader *r, const char *text)
{
    const size_t length = strlen(text);
    const bool is_next =
        !r->is_broken && (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;

    if (is_next)
        r->at += length;
    return is_next;
}

static void expect(struct reader *r, const char *text)
{
    if (!take(r, text))
        r->is_broken = true;
}

/* Digits without leading zeros, at most `most`. */
static int64_t whole(struct reader *r, int64_t most)
{
    const char *begin = r->at;
    int64_t value = 0;

    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && value <= most)
        value = 10 * value + (*r->at++ - '0');
    if (r->at == begin || (*begin == '0' && r->at - begin > 1) || value > most)
        r->is_broken = true;
    return r->is_broken ? 0 : value;
}

static void read_counts(struct reader *r, const char *opening, int64_t *value, int64_t count)
{
    expect(r, opening);
    for (int64_t p = 0; p < count && !r->is_broken; p++) {
        if (p)
            expect(r, ",");
        value[p] = whole(r, KRYLOV_PARTITION_MOST_ENTRIES);
    }
    expect(r, "]");
}

static bool make_room(struct krylov_partition *partition, size_t *room)
{
    struct krylov_words *more;

    if (partition->message_count < *room)
        return true;
    *room = 2 * *room + 64;
    more = realloc(partition->message, *room * sizeof *more);
    if (more)
        partition->message = more;
    return more;
}

/* False if memory is short. */
static bool read_messages(struct reader *r, struct krylov_partition *partition)
{
    const int64_t last = partition->processes - 1;
    size_t room = 0;

    expect(r, ",\"messages\":[");
    while (!r->is_broken && !take(r, "]")) {
        struct krylov_words *m;

        if (!make_room(partition, &room))
            return false;
        m = &partition->message[partition->message_count];
        expect(r, partition->message_count++ ? ",[" : "[");
        m->from = (int32_t)whole(r, last);
        expect(r, ",");
        m->to = (int32_t)whole(r, last);
        expect(r, ",");
        m->words = whole(r, KRYLOV_PARTITION_MOST_ROWS);
        expect(r, "]");
        if (partition->message_count > KRYLOV_PARTITION_MOST_MESSAGES)
            r->is_broken = true;
    }
    expect(r, "}");
    if (r->at != r->end)
        r->is_broken = true;
    return true;
}

struct krylov_partition *fr_partition_read(const char *text, size_t length,
                                           struct fr_faults *faults)
{
    struct reader r = { text, text + length, false };
    struct krylov_partition *partition = NULL;
    bool has_memory = true;
    int64_t processes;

    expect(&r, "{\"processes\":");
    processes = whole(&r, KRYLOV_PARTITION_MOST_PROCESSES);
    if (!r.is_broken && processes > 0)
        has_memory = (partition = krylov_partition_new(processes)) != NULL;
    if (partition) {
        read_counts(&r, ",\"rows\":[", partition->rows, processes);
        read_counts(&r, ",\"diagonal\":[", partition->diagonal, processes);
        read_counts(&r, ",\"offdiagonal\":[", partition->offdiagonal, processes);
        has_memory = read_messages(&r, partition);
    }
    if (!has_memory)
        fr_fault(faults, FR_NOMEM, "/", "no memory for the facts of a partition");
    else if (!partition || r.is_broken)
        fr_fault(faults, FR_SYNTAX, "/", "the text is not the facts of a partition: byte %zu",
                 (size_t)(r.at - text) + 1);
    else if (krylov_partition_check(partition, faults) == FR_OK)
        return partition;
    krylov_partition_free(partition);
    return NULL;
}
