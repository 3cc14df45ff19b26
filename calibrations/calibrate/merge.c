#include "merge.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "members.h"
#include "json/writer.h"

enum { DOCUMENTS_MAX = 8 };

struct level {
    struct fr_member member[FR_MEMBERS_MAX];
    int members;
};

struct part {
    struct level whole, kernels, sources;
};

static bool same_key(const struct fr_member *a, const struct fr_member *b)
{
    return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0;
}

static bool same_value(const struct fr_member *a, const struct fr_member *b)
{
    return a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0;
}

static const struct level *level_of(const struct part *part, bool is_kernel)
{
    return is_kernel ? &part->kernels : &part->whole;
}

/* The part that a member is taken from: the last one that has it. */
static int owner(const struct part *parts, int count, const struct fr_member *member,
                 bool is_kernel)
{
    for (int d = count - 1; d >= 0; d--) {
        const struct level *level = level_of(&parts[d], is_kernel);

        for (int i = 0; i < level->members; i++)
            if (same_key(&level->member[i], member))
                return d;
    }
    return -1;
}

/* The members of the object of that key; none where it is not there. */
static int split(const struct level *whole, const char *key, struct level *out)
{
    const struct fr_member *object = fr_members_find(whole->member, whole->members, key);

    out->members =
        object ? fr_members_split(object->value, object->value_length, out->member, FR_MEMBERS_MAX)
               : 0;
    return out->members < 0 ? -1 : 0;
}

static int take_apart(struct fr_text document, struct part *part)
{
    part->whole.members =
        fr_members_split(document.text, document.length, part->whole.member, FR_MEMBERS_MAX);
    if (part->whole.members < 0)
        return -1;
    return split(&part->whole, "kernels", &part->kernels) ||
                   split(&part->whole, "sources", &part->sources)
               ? -1
               : 0;
}

/* The step of a pointer that begins at `at`. */
static struct fr_member step_of(const struct fr_member *source, size_t at)
{
    struct fr_member step = { .key = source->key + at };

    while (at + step.key_length < source->key_length && step.key[step.key_length] != '/')
        step.key_length++;
    return step;
}

/* The part whose values a source's pointer speaks of: "/network/protocols" of the group,
 * "/kernels/dgemm/square" of the kernel. */
static int owner_of_source(const struct part *parts, int count, const struct fr_member *source)
{
    const struct fr_member group = step_of(source, 1);
    const struct fr_member kernels = { .key = "kernels", .key_length = strlen("kernels") };
    const size_t below = 1 + group.key_length + 1;

    if (same_key(&group, &kernels) && below < source->key_length) {
        const struct fr_member kernel = step_of(source, below);

        return owner(parts, count, &kernel, true);
    }
    return owner(parts, count, &group, false);
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
        for (int i = 0; i < parts[d].sources.members; i++)
            if (owner_of_source(parts, count, &parts[d].sources.member[i]) == d)
                write_member(out, &is_first, &parts[d].sources.member[i]);
    fr_writer_text(out, "}");
}

static void write_kernels(struct fr_writer *out, const struct part *parts, int count);

/* Members stand in the order of their first appearance. */
static void write_level(struct fr_writer *out, const struct part *parts, int count, bool is_kernel,
                        bool *is_first)
{
    for (int d = 0; d < count; d++) {
        const struct level *here = level_of(&parts[d], is_kernel);

        for (int i = 0; i < here->members; i++) {
            const struct fr_member *member = &here->member[i];
            const struct level *from;

            if (owner(parts, d, member, is_kernel) >= 0 || fr_members_find(member, 1, "sources"))
                continue;
            if (!is_kernel && fr_members_find(member, 1, "kernels")) {
                fr_writer_text(out, *is_first ? "\"kernels\":" : ",\"kernels\":");
                write_kernels(out, parts, count);
                *is_first = false;
                continue;
            }
            from = level_of(&parts[owner(parts, count, member, is_kernel)], is_kernel);
            for (int j = 0; j < from->members; j++)
                if (same_key(&from->member[j], member))
                    write_member(out, is_first, &from->member[j]);
        }
    }
}

static void write_kernels(struct fr_writer *out, const struct part *parts, int count)
{
    bool is_first = true;

    fr_writer_text(out, "{");
    write_level(out, parts, count, true, &is_first);
    fr_writer_text(out, "}");
}

/* `sources` come last. */
static void write_parts(struct fr_writer *out, const struct part *parts, int count)
{
    bool is_first = true;

    fr_writer_text(out, "{");
    write_level(out, parts, count, false, &is_first);
    fr_writer_text(out, is_first ? "\"sources\":" : ",\"sources\":");
    write_sources(out, parts, count);
    fr_writer_text(out, "}");
}

static int check_same(const struct part *parts, int count, const char *key,
                      char message[FR_MERGE_MESSAGE_BYTES])
{
    const struct fr_member *first =
        fr_members_find(parts[0].whole.member, parts[0].whole.members, key);

    for (int d = 0; d < count; d++) {
        const struct fr_member *here =
            fr_members_find(parts[d].whole.member, parts[d].whole.members, key);

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
