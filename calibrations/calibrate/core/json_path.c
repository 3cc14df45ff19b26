/* Splits a calibration document into the paths of the parts that are merged separately. */
#include "calibrations/calibrate/core/json_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/forerun.h"
#include "server/json/writer.h"

/* Groups whose members are independent of each other.  Those of node are not: its peak depends on
 * its cores. */
static const char *const divided[] = {
    "kernels", "network", "contention", "memory", "sparse", "cnc"
};

/* Members that come from one measurement and are therefore merged together. */
static const struct {
    const char *group, *member[4];
} bundles[] = {
    { "contention", { "message_bytes", "average", "maximum" } },
    { "memory", { "memory_latency_s", "memory_latency_tlb_miss_s" } },
    { "network", { "protocols", "latency_by_distance" } },
    { "memory", { "streams", "call_s" } },
};

static struct fr_text text_of(const char *text)
{
    return (struct fr_text){ text, strlen(text) };
}

static bool is_text(struct fr_text a, const char *b)
{
    return a.length == strlen(b) && memcmp(a.text, b, a.length) == 0;
}

static bool is_same_text(struct fr_text a, struct fr_text b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static struct fr_text key_of(const struct fr_member *member)
{
    return (struct fr_text){ member->key, member->key_length };
}

static struct fr_text value_of(const struct fr_member *member)
{
    return (struct fr_text){ member->value, member->value_length };
}

/* Allocates members for an object or array: it has at most one more than its commas. */
static struct fr_member *room_for(struct fr_arena *arena, struct fr_text json, int *max)
{
    size_t commas = 0;

    for (size_t i = 0; i < json.length; i++)
        commas += json.text[i] == ',';
    *max = (int)commas + 1;
    return fr_arena_zeroed(arena, commas + 1, sizeof(struct fr_member));
}

int fr_json_paths_members(struct fr_arena *arena, struct fr_text object, struct fr_member **members)
{
    int max, count, kept = 0;

    *members = room_for(arena, object, &max);
    count = *members ? fr_json_scan_split(object.text, object.length, *members, max) : -1;
    for (int i = 0; i < count; i++)
        if (!is_text(value_of(&(*members)[i]), "null"))
            (*members)[kept++] = (*members)[i];
    return count < 0 ? -1 : kept;
}

/* Appends a step to a JSON pointer. */
static void write_step(struct fr_writer *out, struct fr_text key)
{
    fr_writer_text(out, "/");
    for (size_t i = 0; i < key.length; i++) {
        if (key.text[i] == '~' || key.text[i] == '/')
            fr_writer_text(out, key.text[i] == '~' ? "~0" : "~1");
        else
            fr_writer_append(out, key.text + i, 1);
    }
}

static const char *kept_text(struct fr_arena *arena, struct fr_writer *writer)
{
    const char *text = writer->failed ? NULL : fr_arena_text(arena, writer->text, writer->length);

    fr_writer_free(writer);
    return text;
}

/* The path one step below `above`. */
static struct fr_json_path below(const struct fr_json_path *above, struct fr_text step,
                                 const struct fr_member *member)
{
    struct fr_json_path path = *above;

    path.step[path.depth++] = step;
    path.value = value_of(member);
    return path;
}

/* Appends a path and sets its pointer; `row` is the index of the last step in a table, or -1. */
static int add(struct fr_json_paths *paths, struct fr_json_path path, int row)
{
    struct fr_writer pointer;
    char index[16];

    if (paths->count == paths->capacity) {
        const size_t capacity = paths->capacity ? 2 * paths->capacity : 64;
        struct fr_json_path *grown = fr_arena_zeroed(paths->arena, capacity, sizeof *grown);

        if (!grown)
            return -1;
        if (paths->count)
            memcpy(grown, paths->row, paths->count * sizeof *grown);
        paths->row = grown;
        paths->capacity = capacity;
    }
    path.is_row = row >= 0;
    snprintf(index, sizeof index, "%d", row);
    fr_writer_init(&pointer);
    for (int i = 0; i < path.depth; i++) {
        write_step(&pointer, path.is_row && i + 1 == path.depth ? text_of(index) : path.step[i]);
        path.step_end[i] = pointer.length;
    }
    path.pointer = path.new_pointer = kept_text(paths->arena, &pointer);
    if (!path.pointer)
        return -1;
    paths->row[paths->count++] = path;
    return 0;
}

/* Appends a string without its quotation marks, and a newline. */
static void write_plain(struct fr_writer *out, const struct fr_member *member)
{
    const bool is_quoted = member && *member->value == '"';

    if (member)
        fr_writer_append(out, member->value + is_quoted, member->value_length - 2 * is_quoted);
    fr_writer_text(out, "\n");
}

/* The values that identify a model to the daemon (is_same in engine/blocked/check.c); empty if the
 * row is not a model. */
static struct fr_text identity(struct fr_arena *arena, const struct fr_member *row)
{
    static const char *const names[] = { "side", "uplo", "trans", "transA", "transB", "diag" };
    struct fr_member *member, *flag = NULL;
    const int members = fr_json_paths_members(arena, value_of(row), &member);
    const struct fr_member *flags =
        members > 0 ? fr_json_scan_find(member, members, "flags") : NULL;
    const int flag_count = flags ? fr_json_paths_members(arena, value_of(flags), &flag) : 0;
    const struct fr_member *threads;
    struct fr_writer out;
    const char *text;

    if (members <= 0 || flag_count < 0 || !fr_json_scan_find(member, members, "routine"))
        return text_of("");
    fr_writer_init(&out);
    write_plain(&out, fr_json_scan_find(member, members, "routine"));
    write_plain(&out, fr_json_scan_find(member, members, "locality"));
    threads = fr_json_scan_find(member, members, "threads");
    fr_writer_printf(&out, "%.17g\n", threads ? strtod(threads->value, NULL) : 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_plain(&out, fr_json_scan_find(flag, flag_count, names[i]));
    text = kept_text(arena, &out);
    return text_of(text ? text : "");
}

/* Adds each row; a table with an invalid row becomes one path, which the daemon refuses. */
static int add_rows(struct fr_json_paths *paths, const struct fr_json_path *table,
                    const struct fr_member *member)
{
    const struct fr_text json = value_of(member);
    int max, rows, status = 0;
    struct fr_member *row = room_for(paths->arena, json, &max);
    struct fr_text *name = row ? fr_arena_zeroed(paths->arena, (size_t)max, sizeof *name) : NULL;

    if (!name)
        return -1;
    rows = fr_json_scan_rows(json.text, json.length, row, max);
    for (int i = 0; i < rows; i++) {
        name[i] = identity(paths->arena, &row[i]);
        if (!name[i].length)
            rows = -1;
    }
    if (rows < 0)
        return add(paths, *table, -1);
    for (int i = 0; i < rows && !status; i++)
        status = add(paths, below(table, name[i], &row[i]), i);
    return status;
}

static bool is_divided(struct fr_text group)
{
    for (size_t i = 0; i < sizeof divided / sizeof *divided; i++)
        if (is_text(group, divided[i]))
            return true;
    return false;
}

static int add_kernel(struct fr_json_paths *paths, const struct fr_json_path *kernel,
                      const struct fr_member *member)
{
    struct fr_member *table;
    int count, status = 0;

    if (is_text(key_of(member), "routine_models"))
        return add_rows(paths, kernel, member);
    if (*member->value != '{')
        return add(paths, *kernel, -1);
    count = fr_json_paths_members(paths->arena, value_of(member), &table);
    for (int i = 0; i < count && !status; i++)
        status = add(paths, below(kernel, key_of(&table[i]), &table[i]), -1);
    return count < 0 ? -1 : status;
}

static int add_group(struct fr_json_paths *paths, int document, const struct fr_member *group)
{
    const struct fr_json_path none = { .document = document };
    const struct fr_json_path whole = below(&none, key_of(group), group);
    const bool is_kernels = is_text(key_of(group), "kernels");
    struct fr_member *member;
    int count, status = 0;

    if (!is_divided(key_of(group)))
        return add(paths, whole, -1);
    count = fr_json_paths_members(paths->arena, value_of(group), &member);
    for (int i = 0; i < count && !status; i++) {
        const struct fr_json_path part = below(&whole, key_of(&member[i]), &member[i]);

        status = is_kernels ? add_kernel(paths, &part, &member[i]) : add(paths, part, -1);
    }
    return count < 0 ? -1 : status;
}

int fr_json_paths_add(struct fr_json_paths *paths, int document, const struct fr_member *members,
                      int count, struct fr_text *what)
{
    for (int i = 0; i < count; i++) {
        *what = key_of(&members[i]);
        if (!is_text(*what, "sources") && !is_text(*what, "environments") &&
            add_group(paths, document, &members[i]))
            return -1;
    }
    return 0;
}

bool fr_json_paths_share(const struct fr_json_path *a, const struct fr_json_path *b, int steps)
{
    if (a->depth < steps || b->depth < steps)
        return false;
    for (int i = 0; i < steps; i++)
        if (!is_same_text(a->step[i], b->step[i]))
            return false;
    return true;
}

bool fr_json_paths_equal(const struct fr_json_path *a, const struct fr_json_path *b)
{
    return a->depth == b->depth && fr_json_paths_share(a, b, a->depth);
}

static bool is_of_bundle(const struct fr_json_path *path, size_t bundle)
{
    const char *const *member = bundles[bundle].member;

    if (path->depth < 2 || !is_text(path->step[0], bundles[bundle].group))
        return false;
    while (*member && !is_text(path->step[1], *member))
        member++;
    return *member != NULL;
}

bool fr_json_paths_exclude(const struct fr_json_path *a, const struct fr_json_path *b)
{
    for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++)
        if (is_of_bundle(a, i) && is_of_bundle(b, i))
            return true;
    return fr_json_paths_share(a, b, a->depth < b->depth ? a->depth : b->depth);
}
