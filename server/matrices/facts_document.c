/* Decodes facts of a partition: counts of each process, and messages as triples. */
#include "server/matrices/matrix.h"

#include "engine/krylov/partition/partition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A whole number from 0 to `most`; else -1 with a fault. */
static int64_t whole(json_t *value, double most, const char *where, struct fr_faults *faults)
{
    const double number = fr_json_kind(value) == FR_JSON_NUMBER ? fr_json_get_number(value) : NAN;

    if (number >= 0 && number <= most && number == floor(number))
        return (int64_t)number;
    fr_fault(faults, isnan(number) ? FR_TYPE : FR_RANGE, where,
             "must be a whole number from 0 to %.0f", most);
    return -1;
}

static int64_t *read_counts(json_t *document, const char *name, int64_t processes,
                            struct fr_arena *arena, struct fr_faults *faults)
{
    json_t *list = fr_json_member(document, name);
    int64_t *out = fr_arena_zeroed(arena, (size_t)processes, sizeof *out);
    char where[48];

    snprintf(where, sizeof where, "/%s", name);
    if (!out) {
        fr_fault(faults, FR_NOMEM, where, "too many processes");
        return NULL;
    }
    if (fr_json_kind(list) != FR_JSON_ARRAY || (int64_t)fr_json_count(list) != processes) {
        fr_fault(faults, list ? FR_RELATION : FR_MISSING, where,
                 "must be an array of %lld numbers, one for each process", (long long)processes);
        return NULL;
    }
    for (int64_t p = 0; p < processes; p++) {
        snprintf(where, sizeof where, "/%s/%lld", name, (long long)p);
        out[p] = whole(fr_json_item(list, (size_t)p), KRYLOV_PARTITION_MOST_ENTRIES, where, faults);
    }
    return out;
}

static void read_message(json_t *triple, size_t i, int64_t processes, struct krylov_words *out,
                         struct fr_faults *faults)
{
    const double last = (double)processes - 1;
    char where[48];

    snprintf(where, sizeof where, "/messages/%zu", i);
    if (fr_json_kind(triple) != FR_JSON_ARRAY || fr_json_count(triple) != 3) {
        fr_fault(faults, FR_TYPE, where, "must be [from, to, words]");
        return;
    }
    out->from = (int32_t)whole(fr_json_item(triple, 0), last, where, faults);
    out->to = (int32_t)whole(fr_json_item(triple, 1), last, where, faults);
    out->words = whole(fr_json_item(triple, 2), (double)KRYLOV_PARTITION_MOST_ROWS, where, faults);
}

static void read_messages(json_t *document, struct krylov_partition *out, struct fr_arena *arena,
                          struct fr_faults *faults)
{
    json_t *list = fr_json_member(document, "messages");
    const size_t count = fr_json_count(list);

    if (fr_json_kind(list) != FR_JSON_ARRAY || count > KRYLOV_PARTITION_MOST_MESSAGES) {
        fr_fault(faults, list ? FR_RANGE : FR_MISSING, "/messages",
                 "must be an array of at most %d messages", (int)KRYLOV_PARTITION_MOST_MESSAGES);
        return;
    }
    out->message = fr_arena_zeroed(arena, count, sizeof *out->message);
    if (!out->message) {
        fr_fault(faults, FR_NOMEM, "/messages", "too many messages");
        return;
    }
    out->message_count = count;
    for (size_t i = 0; i < count; i++)
        read_message(fr_json_item(list, i), i, out->processes, &out->message[i], faults);
}

static void refuse_unknown(json_t *document, struct fr_faults *faults)
{
    static const char known[] = " processes rows diagonal offdiagonal messages ";
    const char *key;
    json_t *value;

    FR_JSON_EACH_MEMBER(document, key, value)
    {
        char word[32], where[48];

        snprintf(word, sizeof word, " %.24s ", key);
        snprintf(where, sizeof where, "/%.40s", key);
        if (!strstr(known, word))
            fr_fault(faults, FR_UNKNOWN_KEY, where,
                     "unknown key; facts have processes, rows, diagonal, offdiagonal and messages");
    }
}

const struct krylov_partition *fr_facts_decode(json_t *document, struct fr_arena *arena,
                                               struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct krylov_partition *out = fr_arena_zeroed(arena, 1, sizeof *out);

    if (!out)
        fr_fault(faults, FR_NOMEM, "", "too large");
    else if (fr_json_kind(document) != FR_JSON_OBJECT)
        fr_fault(faults, FR_TYPE, "", "must be an object");
    else
        out->processes = whole(fr_json_member(document, "processes"),
                               KRYLOV_PARTITION_MOST_PROCESSES, "/processes", faults);
    if (faults->count == before && out->processes < 1)
        fr_fault(faults, FR_RANGE, "/processes", "0; there is at least one process");
    if (faults->count > before)
        return NULL;
    out->structural_symmetry = NAN;
    out->zero_diagonals = -1;
    refuse_unknown(document, faults);
    out->rows = read_counts(document, "rows", out->processes, arena, faults);
    out->diagonal = read_counts(document, "diagonal", out->processes, arena, faults);
    out->offdiagonal = read_counts(document, "offdiagonal", out->processes, arena, faults);
    read_messages(document, out, arena, faults);
    if (faults->count == before)
        krylov_partition_check(out, faults);
    return faults->count > before ? NULL : out;
}
