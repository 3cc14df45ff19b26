/* A source goes with the values that it is of, and is never said of others. */
#include "calibrations/calibrate/core/merge_sources.h"

#include <string.h>

#include "server/json/writer.h"

/* The sources being written: those of one document. */
struct narrowing {
    const struct fr_json_paths *places;
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

/* Whether the first `length` bytes of `pointer` are, or lead above, those of `other`. */
static bool covers(const char *pointer, size_t length, const char *other, size_t other_length)
{
    return length <= other_length && memcmp(pointer, other, length) == 0 &&
           (length == other_length || other[length] == '/');
}

static bool is_below(const struct fr_place *place, const char *pointer, size_t length)
{
    return covers(pointer, length, place->pointer, strlen(place->pointer));
}

/* Whether all that the merged document has there is this one's. */
static bool is_pure(const struct narrowing *n, const char *pointer, size_t length)
{
    for (size_t i = 0; i < n->places->count; i++) {
        const struct fr_place *place = &n->places->row[i];

        if (!place->is_lost && place->document != n->document && is_below(place, pointer, length))
            return false;
    }
    return true;
}

/* Whether the document has a source of its own for that pointer. */
static bool is_said(const struct narrowing *n, const char *pointer, size_t length)
{
    for (int i = 0; i < n->own->members; i++)
        if (n->own->member[i].key_length == length &&
            memcmp(n->own->member[i].key, pointer, length) == 0)
            return true;
    return false;
}

/* What is about the document has no source, nor have its name and description. */
static bool has_source(const struct fr_place *place)
{
    const struct fr_member key = { .key = place->step[0].text,
                                   .key_length = place->step[0].length };

    return !fr_json_scan_find(&key, 1, "tool") && !fr_json_scan_find(&key, 1, "environment") &&
           (place->depth > 1 || *place->value.text == '{' || *place->value.text == '[');
}

/* Whether the first `steps` steps have been met in this document before. */
static bool is_met(const struct narrowing *n, size_t index, int steps)
{
    const struct fr_place *place = &n->places->row[index];

    for (size_t i = 0; i < index; i++)
        if (!n->places->row[i].is_lost && n->places->row[i].document == n->document &&
            fr_json_paths_share(&n->places->row[i], place, steps))
            return true;
    return false;
}

/* What is said of all below the first `steps` steps of a pointer, of as much as this document has
 * given. */
static void narrow(struct narrowing *n, const char *pointer, size_t length, int steps,
                   const struct fr_member *source)
{
    for (size_t i = 0; i < n->places->count; i++) {
        const struct fr_place *place = &n->places->row[i];
        const size_t end = place->step_end[steps];

        if (place->is_lost || place->document != n->document || place->depth <= steps ||
            !is_below(place, pointer, length) || !has_source(place) || is_met(n, i, steps + 1) ||
            is_said(n, place->pointer, end))
            continue;
        if (place->depth == steps + 1)
            write_source(n, place->new_pointer, strlen(place->new_pointer),
                         (struct fr_text){ "", 0 }, source);
        else if (is_pure(n, place->pointer, end))
            write_source(n, place->pointer, end, (struct fr_text){ "", 0 }, source);
        else
            narrow(n, place->pointer, end, steps + 1, source);
    }
}

/* The place of this document that has all of which the source speaks, or NULL. */
static const struct fr_place *place_of(const struct narrowing *n, const struct fr_member *source)
{
    for (size_t i = 0; i < n->places->count; i++) {
        const struct fr_place *place = &n->places->row[i];

        if (place->document == n->document &&
            covers(place->pointer, strlen(place->pointer), source->key, source->key_length))
            return place;
    }
    return NULL;
}

static bool gives_below(const struct narrowing *n, const struct fr_member *source)
{
    for (size_t i = 0; i < n->places->count; i++)
        if (!n->places->row[i].is_lost && n->places->row[i].document == n->document &&
            is_below(&n->places->row[i], source->key, source->key_length))
            return true;
    return false;
}

static void take_source(struct narrowing *n, const struct fr_member *source)
{
    const struct fr_place *place = place_of(n, source);
    int steps = 0;

    if (place) {
        const size_t length = strlen(place->pointer);
        const struct fr_text rest = { source->key + length, source->key_length - length };

        if (!place->is_lost)
            write_source(n, place->new_pointer, strlen(place->new_pointer), rest, source);
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

void fr_merge_sources(const struct fr_json_paths *places, const struct fr_sources *sources,
                      int count, struct fr_writer *out)
{
    struct narrowing n = { .places = places, .out = out, .is_first = true };

    fr_writer_text(out, "{");
    for (n.document = 0; n.document < count; n.document++) {
        n.own = &sources[n.document];
        for (int i = 0; i < n.own->members; i++)
            take_source(&n, &n.own->member[i]);
    }
    fr_writer_text(out, "}");
}
