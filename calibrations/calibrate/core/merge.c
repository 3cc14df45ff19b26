/* Merges documents: splits each into parts, selects the last of each, writes them in order. */
#include "calibrations/calibrate/core/merge.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/json_scan.h"
#include "calibrations/calibrate/core/merge_environments.h"
#include "calibrations/calibrate/core/merge_sources.h"
#include "engine/forerun.h"
#include "server/json/writer.h"

enum { DOCUMENTS_MAX = 8, MEMORY_BYTES = 1 << 30 };

struct merging {
    struct fr_json_paths paths;
    struct fr_sources whole[DOCUMENTS_MAX], sources[DOCUMENTS_MAX];
    int count;
    char *message;
};

/* Splits all documents.  Returns 0, or -1 with a message that names what is not an object. */
static int take_apart(struct merging *m, const struct fr_text *documents)
{
    for (int d = 0; d < m->count; d++) {
        struct fr_sources *whole = &m->whole[d], *sources = &m->sources[d];
        struct fr_text what = { "it", 2 };
        const struct fr_member *object;

        whole->members = fr_json_paths_members(m->paths.arena, documents[d], &whole->member);
        object =
            whole->members > 0 ? fr_json_scan_find(whole->member, whole->members, "sources") : NULL;
        if (object) {
            const struct fr_text json = { object->value, object->value_length };

            what = (struct fr_text){ object->key, object->key_length };
            sources->members = fr_json_paths_members(m->paths.arena, json, &sources->member);
        }
        if (whole->members < 0 || sources->members < 0 ||
            fr_json_paths_add(&m->paths, d, whole->member, whole->members, &what)) {
            snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "document %d: %.*s is not a JSON object",
                     d + 1, (int)(what.length < 70 ? what.length : 70), what.text);
            return -1;
        }
    }
    return 0;
}

/* A path in a later document replaces those that it excludes in earlier ones. */
static void choose(struct fr_json_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        for (size_t j = i + 1; j < paths->count && !paths->row[i].is_replaced; j++)
            paths->row[i].is_replaced = paths->row[j].document > paths->row[i].document &&
                                        fr_json_paths_exclude(&paths->row[i], &paths->row[j]);
}

/* Returns the remaining paths in the order of first appearance, or NULL if out of memory. */
static struct fr_json_path **in_order(const struct fr_json_paths *paths, size_t *count)
{
    struct fr_json_path **order = fr_arena_zeroed(paths->arena, paths->count + 1, sizeof(void *));

    *count = 0;
    for (size_t i = 0; order && i < paths->count; i++) {
        struct fr_json_path *taken = &paths->row[i];
        bool is_first = true;

        for (size_t j = 0; j < i && is_first; j++)
            is_first = paths->row[j].document == taken->document ||
                       !fr_json_paths_equal(&paths->row[j], taken);
        for (size_t j = i + 1; j < paths->count && is_first && taken->is_replaced; j++)
            if (fr_json_paths_equal(&paths->row[j], taken) && !paths->row[j].is_replaced)
                taken = &paths->row[j];
        if (is_first && !taken->is_replaced)
            order[(*count)++] = taken;
    }
    return order;
}

/* Renumbers the pointers of rows. */
static int point(struct fr_arena *arena, struct fr_json_path *const *path, size_t count)
{
    char text[FR_WHERE_BYTES];
    int row = 0;

    for (size_t i = 0; i < count; i++) {
        if (!path[i]->is_row)
            continue;
        snprintf(text, sizeof text, "%.*s/%d", (int)path[i]->step_end[path[i]->depth - 2],
                 path[i]->pointer, row++);
        path[i]->new_pointer = fr_arena_text(arena, text, strlen(text));
        if (!path[i]->new_pointer)
            return -1;
    }
    return 0;
}

static void write_below(struct fr_writer *out, struct fr_json_path *const *path, size_t count,
                        const struct fr_json_path *above, int steps);

/* Writes one member or row: its value, or the parts below it. */
static void write_part(struct fr_writer *out, struct fr_json_path *const *path, size_t count,
                       const struct fr_json_path *part, int steps)
{
    const bool is_row = part->is_row && part->depth == steps;
    const bool is_table = part->is_row && part->depth == steps + 1;

    if (!is_row) {
        fr_writer_text(out, "\"");
        fr_writer_append(out, part->step[steps - 1].text, part->step[steps - 1].length);
        fr_writer_text(out, "\":");
    }
    if (part->depth == steps) {
        fr_writer_append(out, part->value.text, part->value.length);
        return;
    }
    fr_writer_text(out, is_table ? "[" : "{");
    write_below(out, path, count, part, steps);
    fr_writer_text(out, is_table ? "]" : "}");
}

/* Writes all parts that share the first steps of `above`. */
static void write_below(struct fr_writer *out, struct fr_json_path *const *path, size_t count,
                        const struct fr_json_path *above, int steps)
{
    bool is_first = true;

    for (size_t i = 0; i < count; i++) {
        bool is_written = steps && !fr_json_paths_share(path[i], above, steps);

        for (size_t j = 0; j < i && !is_written; j++)
            is_written = !(path[i]->is_row && path[i]->depth == steps + 1) &&
                         fr_json_paths_share(path[j], path[i], steps + 1);
        if (is_written)
            continue;
        if (!is_first)
            fr_writer_text(out, ",");
        write_part(out, path, count, path[i], steps + 1);
        is_first = false;
    }
}

/* Writes the document, with `sources` last. */
static int write_merged(struct merging *m, struct fr_writer *out)
{
    struct fr_writer joined;
    struct fr_json_path **order;
    size_t count;
    int status;
    bool has_environments;

    choose(&m->paths);
    order = in_order(&m->paths, &count);
    if (!order || point(m->paths.arena, order, count)) {
        snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "out of memory");
        return -1;
    }
    fr_writer_init(&joined);
    fr_writer_text(&joined, "{");
    write_below(&joined, order, count, NULL, 0);
    has_environments = !fr_merge_environments(m->whole, m->count, &joined);
    fr_writer_text(&joined, count ? ",\"sources\":" : "\"sources\":");
    fr_merge_sources(&m->paths, m->sources, m->count, &joined);
    fr_writer_text(&joined, "}");
    status = joined.failed || !has_environments
                 ? -1
                 : fr_json_scan_layout(joined.text, joined.length, out);
    if (status)
        snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "a document is not valid JSON");
    fr_writer_free(&joined);
    return status;
}

static bool same_value(const struct fr_member *a, const struct fr_member *b)
{
    return a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0;
}

static int check_same(const struct merging *m, const char *key)
{
    const struct fr_member *first = fr_json_scan_find(m->whole[0].member, m->whole[0].members, key);

    for (int d = 0; d < m->count; d++) {
        const struct fr_member *here =
            fr_json_scan_find(m->whole[d].member, m->whole[d].members, key);

        if (!here || !first) {
            snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "document %d has no %s", first ? d + 1 : 1,
                     key);
            return -1;
        }
        if (!same_value(here, first)) {
            snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "%s: %.*s and %.*s; they must be the same",
                     key, (int)(first->value_length < 70 ? first->value_length : 70), first->value,
                     (int)(here->value_length < 70 ? here->value_length : 70), here->value);
            return -1;
        }
    }
    return 0;
}

/* Writes a warning for each document whose environment differs from the first one stated. */
static void compare_environments(struct merging *m)
{
    static const char *const keys[] = { "cpu", "blas", "mpi" };
    const struct fr_member *first[sizeof keys / sizeof *keys] = { NULL };
    size_t used = 0;

    for (int d = 0; d < m->count; d++) {
        const struct fr_member *environment =
            fr_json_scan_find(m->whole[d].member, m->whole[d].members, "environment");
        struct fr_member *member;
        const int members =
            environment
                ? fr_json_paths_members(
                      m->paths.arena,
                      (struct fr_text){ environment->value, environment->value_length }, &member)
                : 0;

        for (size_t k = 0; members > 0 && k < sizeof keys / sizeof *keys; k++) {
            const struct fr_member *here = fr_json_scan_find(member, members, keys[k]);

            if (here && first[k] && !same_value(here, first[k]) && used < FR_MERGE_MESSAGE_BYTES)
                used += (size_t)snprintf(m->message + used, FR_MERGE_MESSAGE_BYTES - used,
                                         "%sdocument %d has another environment.%s",
                                         used ? ", " : "", d + 1, keys[k]);
            first[k] = first[k] ? first[k] : here;
        }
    }
}

int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES])
{
    struct merging m = { .count = count, .message = message };
    int status = -1;

    if (count < 1 || count > DOCUMENTS_MAX) {
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "%d documents; 1 to %d can be combined", count,
                 DOCUMENTS_MAX);
        return -1;
    }
    m.paths.arena = fr_arena_new(MEMORY_BYTES);
    if (!m.paths.arena) {
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "out of memory");
        return -1;
    }
    if (!take_apart(&m, documents) && !check_same(&m, "schema") && !check_same(&m, "machine"))
        status = write_merged(&m, out);
    if (!status) {
        *message = '\0';
        compare_environments(&m);
    }
    fr_arena_free(m.paths.arena);
    return status;
}
