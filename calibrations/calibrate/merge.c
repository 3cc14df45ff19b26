#include "merge.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "members.h"
#include "json/writer.h"

enum { DOCUMENTS_MAX = 8 };

struct part {
    struct fr_member member[FR_MEMBERS_MAX], source[FR_MEMBERS_MAX];
    int members, sources;
};

static bool same_key(const struct fr_member *a, const struct fr_member *b)
{
    return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0;
}

static bool same_value(const struct fr_member *a, const struct fr_member *b)
{
    return a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0;
}

/* The part that a member is taken from: the last one that has it. */
static int owner(const struct part *parts, int count, const struct fr_member *member)
{
    for (int d = count - 1; d >= 0; d--)
        for (int i = 0; i < parts[d].members; i++)
            if (same_key(&parts[d].member[i], member))
                return d;
    return -1;
}

static int take_apart(struct fr_text document, struct part *part)
{
    const struct fr_member *sources;

    part->members = fr_members_split(document.text, document.length, part->member, FR_MEMBERS_MAX);
    if (part->members < 0)
        return -1;
    sources = fr_members_find(part->member, part->members, "sources");
    part->sources = sources ? fr_members_split(sources->value, sources->value_length, part->source,
                                               FR_MEMBERS_MAX)
                            : 0;
    return part->sources < 0 ? -1 : 0;
}

/* The member that a source's pointer leads into: "/kernels/dgemm" is about "kernels". */
static struct fr_member group_of(const struct fr_member *source)
{
    struct fr_member group = { .key = source->key + 1 };

    while (group.key_length + 1 < source->key_length && group.key[group.key_length] != '/')
        group.key_length++;
    return group;
}

static void write_member(struct fr_writer *out, bool *is_first, const struct fr_member *member)
{
    fr_writer_text(out, *is_first ? "\"" : ",\"");
    fr_writer_append(out, member->key, member->key_length);
    fr_writer_text(out, "\":");
    fr_writer_append(out, member->value, member->value_length);
    *is_first = false;
}

static void write_sources(struct fr_writer *out, const struct part *parts, int count)
{
    bool is_first = true;

    fr_writer_text(out, "{");
    for (int d = 0; d < count; d++)
        for (int i = 0; i < parts[d].sources; i++) {
            const struct fr_member group = group_of(&parts[d].source[i]);

            if (owner(parts, count, &group) == d)
                write_member(out, &is_first, &parts[d].source[i]);
        }
    fr_writer_text(out, "}");
}

/* Members stand in the order of their first appearance, `sources` last. */
static void write_parts(struct fr_writer *out, const struct part *parts, int count)
{
    bool is_first = true;

    fr_writer_text(out, "{");
    for (int d = 0; d < count; d++)
        for (int i = 0; i < parts[d].members; i++) {
            const struct fr_member *member = &parts[d].member[i];
            const struct part *from;

            if (owner(parts, d, member) >= 0 || fr_members_find(member, 1, "sources"))
                continue;
            from = &parts[owner(parts, count, member)];
            for (int j = 0; j < from->members; j++)
                if (same_key(&from->member[j], member))
                    write_member(out, &is_first, &from->member[j]);
        }
    fr_writer_text(out, is_first ? "\"sources\":" : ",\"sources\":");
    write_sources(out, parts, count);
    fr_writer_text(out, "}");
}

static int check_same(const struct part *parts, int count, const char *key,
                      char message[FR_MERGE_MESSAGE_BYTES])
{
    const struct fr_member *first = fr_members_find(parts[0].member, parts[0].members, key);

    for (int d = 0; d < count; d++) {
        const struct fr_member *here = fr_members_find(parts[d].member, parts[d].members, key);

        if (!here || !first) {
            snprintf(message, FR_MERGE_MESSAGE_BYTES, "document %d has no %s", first ? d + 1 : 1,
                     key);
            return -1;
        }
        if (!same_value(here, first)) {
            snprintf(message, FR_MERGE_MESSAGE_BYTES, "%s: %.*s and %.*s; they must be the same",
                     key, (int)(first->value_length < 70 ? first->value_length : 70), first->value,
                     (int)(here->value_length < 70 ? here->value_length : 70), here->value);
            return -1;
        }
    }
    return 0;
}

static int merge_parts(const struct fr_text *documents, int count, struct part *parts,
                       struct fr_writer *out, char message[FR_MERGE_MESSAGE_BYTES])
{
    struct fr_writer joined;
    int status;

    for (int d = 0; d < count; d++)
        if (take_apart(documents[d], &parts[d])) {
            snprintf(message, FR_MERGE_MESSAGE_BYTES, "document %d is no JSON object", d + 1);
            return -1;
        }
    if (check_same(parts, count, "schema", message) || check_same(parts, count, "machine", message))
        return -1;
    fr_writer_init(&joined);
    write_parts(&joined, parts, count);
    status = joined.failed ? -1 : fr_members_layout(joined.text, joined.length, out);
    if (status)
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "a document is no valid JSON");
    fr_writer_free(&joined);
    return status;
}

int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES])
{
    struct part *parts;
    int status;

    if (count < 1 || count > DOCUMENTS_MAX) {
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "%d documents; 1 to %d can be combined", count,
                 DOCUMENTS_MAX);
        return -1;
    }
    parts = calloc((size_t)count, sizeof *parts);
    if (!parts) {
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "out of memory");
        return -1;
    }
    status = merge_parts(documents, count, parts, out, message);
    free(parts);
    return status;
}
