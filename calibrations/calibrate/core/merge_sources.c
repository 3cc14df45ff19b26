/* Merging of sources: a source stays with its values and never covers values of other documents. */
#include "calibrations/calibrate/core/merge_sources.h"

#include <string.h>

#include "server/json/writer.h"

/* Writes the sources of one document. */
struct narrowing {
    const struct fr_json_paths *paths;
    const struct fr_sources *own;
    int document;
    struct fr_writer *out;
    bool is_first;
};

static void write_source(struct narrowing *n, const char *pointer, size_t length,
                         struct fr_text rest, const struct fr_member *source)
{
    fr_writer_text(n->out, n->is_first ? "\"" : ",\"");
    fr_writer_append(n->out, pointer, length);
    fr_writer_append(n->out, rest.text, rest.length);
    fr_writer_text(n->out, "\":");
    fr_writer_append(n->out, source->value, source->value_length);
    n->is_first = false;
}

/* Whether the first `length` bytes of `pointer` equal `other` or point above it. */
static bool covers(const char *pointer, size_t length, const char *other, size_t other_length)
{
    return length <= other_length && memcmp(pointer, other, length) == 0 &&
           (length == other_length || other[length] == '/');
}

static bool is_below(const struct fr_json_path *path, const char *pointer, size_t length)
{
    return covers(pointer, length, path->pointer, strlen(path->pointer));
}

/* Whether all merged parts below the pointer come from this document. */
static bool is_pure(const struct narrowing *n, const char *pointer, size_t length)
{
    for (size_t i = 0; i < n->paths->count; i++) {
        const struct fr_json_path *path = &n->paths->row[i];

        if (!path->is_replaced && path->document != n->document && is_below(path, pointer, length))
            return false;
    }
    return true;
}

/* Whether the document has a source for exactly that pointer. */
static bool is_said(const struct narrowing *n, const char *pointer, size_t length)
{
    for (int i = 0; i < n->own->members; i++)
        if (n->own->member[i].key_length == length &&
            memcmp(n->own->member[i].key, pointer, length) == 0)
            return true;
    return false;
}

/* The tool, the environment and plain texts such as the description have no source. */
static bool has_source(const struct fr_json_path *path)
{
    const struct fr_member key = { .key = path->step[0].text, .key_length = path->step[0].length };

    return !fr_json_scan_find(&key, 1, "tool") && !fr_json_scan_find(&key, 1, "environment") &&
           (path->depth > 1 || *path->value.text == '{' || *path->value.text == '[');
}

/* Whether an earlier part of this document shares the first `steps` steps. */
static bool is_met(const struct narrowing *n, size_t index, int steps)
{
    const struct fr_json_path *path = &n->paths->row[index];

    for (size_t i = 0; i < index; i++)
        if (!n->paths->row[i].is_replaced && n->paths->row[i].document == n->document &&
            fr_json_paths_share(&n->paths->row[i], path, steps))
            return true;
    return false;
}

/* Writes a source of everything below the first `steps` steps of a pointer, restricted to the parts
 * that come from this document. */
static void narrow(struct narrowing *n, const char *pointer, size_t length, int steps,
                   const struct fr_member *source)
{
    for (size_t i = 0; i < n->paths->count; i++) {
        const struct fr_json_path *path = &n->paths->row[i];
        const size_t end = path->step_end[steps];

        if (path->is_replaced || path->document != n->document || path->depth <= steps ||
            !is_below(path, pointer, length) || !has_source(path) || is_met(n, i, steps + 1) ||
            is_said(n, path->pointer, end))
            continue;
        if (path->depth == steps + 1)
            write_source(n, path->new_pointer, strlen(path->new_pointer), (struct fr_text){ "", 0 },
                         source);
        else if (is_pure(n, path->pointer, end))
            write_source(n, path->pointer, end, (struct fr_text){ "", 0 }, source);
        else
            narrow(n, path->pointer, end, steps + 1, source);
    }
}

/* The part of this document that contains everything the source covers, or NULL. */
static const struct fr_json_path *path_of(const struct narrowing *n, const struct fr_member *source)
{
    for (size_t i = 0; i < n->paths->count; i++) {
        const struct fr_json_path *path = &n->paths->row[i];

        if (path->document == n->document &&
            covers(path->pointer, strlen(path->pointer), source->key, source->key_length))
            return path;
    }
    return NULL;
}

static bool gives_below(const struct narrowing *n, const struct fr_member *source)
{
    for (size_t i = 0; i < n->paths->count; i++)
        if (!n->paths->row[i].is_replaced && n->paths->row[i].document == n->document &&
            is_below(&n->paths->row[i], source->key, source->key_length))
            return true;
    return false;
}

static void take_source(struct narrowing *n, const struct fr_member *source)
{
    const struct fr_json_path *path = path_of(n, source);
    int steps = 0;

    if (path) {
        const size_t length = strlen(path->pointer);
        const struct fr_text rest = { source->key + length, source->key_length - length };

        if (!path->is_replaced)
            write_source(n, path->new_pointer, strlen(path->new_pointer), rest, source);
        return;
    }
    if (!gives_below(n, source))
        return;
    if (source->key_length && is_pure(n, source->key, source->key_length)) {
        write_source(n, source->key, source->key_length, (struct fr_text){ "", 0 }, source);
        return;
    }
    for (size_t i = 0; i < source->key_length; i++)
        steps += source->key[i] == '/';
    narrow(n, source->key, source->key_length, steps, source);
}

void fr_merge_sources(const struct fr_json_paths *paths, const struct fr_sources *sources,
                      int count, struct fr_writer *out)
{
    struct narrowing n = { .paths = paths, .out = out, .is_first = true };

    fr_writer_text(out, "{");
    for (n.document = 0; n.document < count; n.document++) {
        n.own = &sources[n.document];
        for (int i = 0; i < n.own->members; i++)
            take_source(&n, &n.own->member[i]);
    }
    fr_writer_text(out, "}");
}
