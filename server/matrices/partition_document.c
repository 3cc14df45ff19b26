#include "server/matrices/partition_document.h"

#include "engine/krylov/partitions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_NUMBERS = 3 };

static void check_keys(json_t *document, struct fr_faults *faults)
{
    static const char *const known[] = { "processes", "rows", "diagonal", "offdiagonal",
                                         "messages" };
    const char *key;
    json_t *value;

    FR_JSON_EACH_MEMBER(document, key, value)
    {
        char pointer[80];
        size_t i = 0;

        while (i < sizeof known / sizeof *known && strcmp(known[i], key) != 0)
            i++;
        snprintf(pointer, sizeof pointer, "/%.70s", key);
        if (i == sizeof known / sizeof *known)
            fr_fault(faults, FR_UNKNOWN_KEY, pointer,
                     "unknown; facts have processes, rows, diagonal, offdiagonal and messages");
    }
}

/* A whole number up to `most`; 0 with a fault. */
static int64_t whole(json_t *value, int64_t most, const char *pointer, struct fr_faults *faults)
{
    const double number = fr_json_get_number(value);

    if (fr_json_kind(value) != FR_JSON_NUMBER || number != floor(number))
        fr_fault(faults, FR_TYPE, pointer, "must be a whole number");
    else if (number < 0 || number > (double)most)
        fr_fault(faults, FR_RANGE, pointer, "%.15g; it must lie between 0 and %" PRId64, number,
                 most);
    else
        return (int64_t)number;
    return 0;
}

/* The array of this name, of `count` members (SIZE_MAX: any number); NULL with a fault. */
static json_t *list_of(json_t *document, const char *key, size_t count, struct fr_faults *faults)
{
    json_t *list = fr_json_member(document, key);
    char pointer[40];

    snprintf(pointer, sizeof pointer, "/%s", key);
    if (!list)
        fr_fault(faults, FR_MISSING, pointer, "required");
    else if (fr_json_kind(list) != FR_JSON_ARRAY)
        fr_fault(faults, FR_TYPE, pointer, "must be an array");
    else if (count != SIZE_MAX && fr_json_count(list) != count)
        fr_fault(faults, FR_RELATION, pointer, "%zu numbers for %zu processes; each needs one",
                 fr_json_count(list), count);
    else
        return list;
    return NULL;
}

static void read_counts(json_t *document, const char *key, int64_t *out, size_t count,
                        struct fr_faults *faults)
{
    json_t *list = list_of(document, key, count, faults), *value;
    size_t p;

    FR_JSON_EACH_ITEM(list, p, value)
    {
        char pointer[60];

        snprintf(pointer, sizeof pointer, "/%s/%zu", key, p);
        out[p] = whole(value, KRYLOV_PARTITION_MOST_ENTRIES, pointer, faults);
    }
}

static void read_message(json_t *message, size_t i, int64_t last, struct krylov_words *out,
                         struct fr_faults *faults)
{
    char pointer[60];

    snprintf(pointer, sizeof pointer, "/messages/%zu", i);
    if (fr_json_kind(message) != FR_JSON_ARRAY || fr_json_count(message) != MESSAGE_NUMBERS) {
        fr_fault(faults, FR_TYPE, pointer, "must be an array of sender, receiver and values");
        return;
    }
    out->from = (int32_t)whole(fr_json_item(message, 0), last, pointer, faults);
    out->to = (int32_t)whole(fr_json_item(message, 1), last, pointer, faults);
    out->words = whole(fr_json_item(message, 2), KRYLOV_PARTITION_MOST_ROWS, pointer, faults);
}

static void read_messages(json_t *document, struct krylov_partition *out, struct fr_faults *faults)
{
    json_t *list = list_of(document, "messages", SIZE_MAX, faults), *message;
    const size_t count = fr_json_count(list);
    size_t i;

    if (count > KRYLOV_PARTITION_MOST_MESSAGES) {
        fr_fault(faults, FR_RANGE, "/messages", "%zu messages; at most %d are possible", count,
                 KRYLOV_PARTITION_MOST_MESSAGES);
        return;
    }
    out->message = calloc(count + 1, sizeof *out->message);
    if (!out->message) {
        fr_fault(faults, FR_NOMEM, "/messages", "no memory for %zu messages", count);
        return;
    }
    out->message_count = count;
    FR_JSON_EACH_ITEM(list, i, message)
    {
        read_message(message, i, out->processes - 1, &out->message[i], faults);
    }
}

struct krylov_partition *fr_partition_decode(json_t *document, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct krylov_partition *partition = NULL;
    int64_t processes;

    if (fr_json_kind(document) != FR_JSON_OBJECT) {
        fr_fault(faults, FR_TYPE, "/", "the facts of a partition must be an object");
        return NULL;
    }
    check_keys(document, faults);
    processes = whole(fr_json_member(document, "processes"), KRYLOV_PARTITION_MOST_PROCESSES,
                      "/processes", faults);
    if (processes < 1) {
        if (faults->count == before)
            fr_fault(faults, FR_RANGE, "/processes", "0; at least 1 is needed");
        return NULL;
    }
    partition = krylov_partition_new(processes);
    if (!partition) {
        fr_fault(faults, FR_NOMEM, "/", "no memory for %" PRId64 " processes", processes);
        return NULL;
    }
    read_counts(document, "rows", partition->rows, (size_t)processes, faults);
    read_counts(document, "diagonal", partition->diagonal, (size_t)processes, faults);
    read_counts(document, "offdiagonal", partition->offdiagonal, (size_t)processes, faults);
    read_messages(document, partition, faults);
    if (faults->count == before && krylov_partition_check(partition, faults) == FR_OK)
        return partition;
    krylov_partition_free(partition);
    return NULL;
}
