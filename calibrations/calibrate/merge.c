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

/* Null says the same as nothing, so it replaces nothing either. */
static void leave_out_null(struct level *level)
{
    int kept = 0;

    for (int i = 0; i < level->members; i++) {
        const struct fr_member *member = &level->member[i];

        if (member->value_length != 4 || memcmp(member->value, "null", 4) != 0)
            level->member[kept++] = *member;
    }
    level->members = kept;
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

/* Returns 0, or -1 with what is no object in `what`. */
static int take_apart(struct fr_text document, struct part *part, const char **what)
{
    part->whole.members =
        fr_members_split(document.text, document.length, part->whole.member, FR_MEMBERS_MAX);
    *what = "it";
    if (part->whole.members < 0)
        return -1;
    leave_out_null(&part->whole);
    *what = "kernels";
    if (split(&part->whole, *what, &part->kernels))
        return -1;
    leave_out_null(&part->kernels);
    *what = "sources";
    if (split(&part->whole, *what, &part->sources))
        return -1;
    leave_out_null(&part->sources);
    return 0;
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

/* The sources being written: those of the part `d` of `count`. */
struct narrowing {
    struct fr_writer *out;
    const struct part *parts;
    int count, d;
    bool is_first;
};

/* An entry for a member below `above`, unless the part says something more particular itself. */
static void write_narrowed(struct narrowing *n, const char *above, const struct fr_member *member,
                           const struct fr_member *source)
{
    const struct level *own = &n->parts[n->d].sources;
    const size_t length = strlen(above);

    for (int i = 0; i < own->members; i++)
        if (own->member[i].key_length == length + member->key_length &&
            memcmp(own->member[i].key, above, length) == 0 &&
            memcmp(own->member[i].key + length, member->key, member->key_length) == 0)
            return;
    fr_writer_text(n->out, n->is_first ? "\"" : ",\"");
    fr_writer_text(n->out, above);
    fr_writer_append(n->out, member->key, member->key_length);
    fr_writer_text(n->out, "\":");
    fr_writer_append(n->out, source->value, source->value_length);
    n->is_first = false;
}

static bool has_all_kernels(const struct narrowing *n)
{
    for (int d = 0; d < n->count; d++)
        for (int i = 0; i < n->parts[d].kernels.members; i++)
            if (owner(n->parts, n->count, &n->parts[d].kernels.member[i], true) != n->d)
                return false;
    return n->parts[n->d].kernels.members > 0;
}

/* What is said of all kernels, of those that the part has given. */
static void narrow_kernels(struct narrowing *n, const struct fr_member *source)
{
    static const struct fr_member all = { .key = "kernels", .key_length = 7 };
    const struct level *own = &n->parts[n->d].kernels;

    if (has_all_kernels(n)) {
        write_narrowed(n, "/", &all, source);
        return;
    }
    for (int i = 0; i < own->members; i++)
        if (owner(n->parts, n->count, &own->member[i], true) == n->d)
            write_narrowed(n, "/kernels/", &own->member[i], source);
}

/* What is said of the document, of the groups that the part has given. */
static void narrow_whole(struct narrowing *n, const struct fr_member *source)
{
    static const char *const other[] = { "tool", "environment", "kernels", "sources" };
    const struct part *part = &n->parts[n->d];
    const bool says_kernels =
        fr_members_find(part->sources.member, part->sources.members, "/kernels") != NULL;

    for (int i = 0; i < part->whole.members; i++) {
        const struct fr_member *group = &part->whole.member[i];
        bool is_group = *group->value == '{' || *group->value == '[';

        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            is_group = is_group && !fr_members_find(group, 1, other[k]);
        if (is_group && owner(n->parts, n->count, group, false) == n->d)
            write_narrowed(n, "/", group, source);
        else if (fr_members_find(group, 1, "kernels") && !says_kernels)
            narrow_kernels(n, source);
    }
}

/* A source goes with the values that it is of and with no others. */
static void write_source(struct narrowing *n, const struct fr_member *source)
{
    const bool is_kernels = fr_members_find(source, 1, "/kernels") != NULL;

    if (!source->key_length)
        narrow_whole(n, source);
    else if (is_kernels && !has_all_kernels(n))
        narrow_kernels(n, source);
    else if (is_kernels || owner_of_source(n->parts, n->count, source) == n->d)
        write_member(n->out, &n->is_first, source);
}

static void write_sources(struct fr_writer *out, const struct part *parts, int count)
{
    struct narrowing n = { .out = out, .parts = parts, .count = count, .is_first = true };

    fr_writer_text(out, "{");
    for (n.d = 0; n.d < count; n.d++)
        for (int i = 0; i < parts[n.d].sources.members; i++)
            write_source(&n, &parts[n.d].sources.member[i]);
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
    const char *what;
    int status;

    for (int d = 0; d < count; d++)
        if (take_apart(documents[d], &parts[d], &what)) {
            snprintf(message, FR_MERGE_MESSAGE_BYTES, "document %d: %s is no JSON object", d + 1,
                     what);
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
