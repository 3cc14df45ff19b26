#include "calibrations/calibrate/core/document.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/forerun.h"
#include "server/json/writer.h"

enum { MEMORY_BYTES = 1 << 30 };

struct fr_document *fr_document_new(void)
{
    static const char none[] = "{\"sources\":{}}";
    struct fr_document *document = fr_record_new(1, sizeof *document);

    if (!document)
        return NULL;
    fr_calibration_clear(&document->frame);
    fr_calibration_clear(&document->found);
    document->arena = fr_arena_new(MEMORY_BYTES);
    if (document->arena)
        document->values = fr_tree_read(document->arena, none, strlen(none));
    return document->values ? document : fr_document_free(document);
}

struct fr_document *fr_document_free(struct fr_document *document)
{
    if (document)
        fr_arena_free(document->arena);
    fr_record_free(document);
    return NULL;
}

/* Results are small beside what the benchmarks have allocated. */
static void *checked(void *memory)
{
    if (!memory) {
        fputs("forerun-calibrate: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *fr_document_memory(struct fr_document *document, size_t count, size_t size)
{
    return checked(fr_arena_zeroed(document->arena, count, size));
}

const char *fr_document_text(struct fr_document *document, const char *text)
{
    return text && *text ? checked(fr_arena_text(document->arena, text, strlen(text))) : NULL;
}

void *fr_document_longer(struct fr_document *document, const void *row, size_t count, size_t size)
{
    /* Grows at powers of two; within them there is room. */
    if (count & (count - 1))
        return (void *)(uintptr_t)row;
    return checked(fr_arena_longer(document->arena, row, count, count ? 2 * count : 1, size));
}

const struct fr_source fr_source_assumed = { .kind = FR_FROM_ASSUMED };
const struct fr_source fr_source_published = { .kind = FR_FROM_PUBLISHED };
const struct fr_source fr_source_counted = { .samples = 1, .spread_fraction = NAN };

struct fr_source fr_document_measured(int64_t samples, double spread_fraction,
                                      const char *statistic)
{
    return (struct fr_source){ .kind = FR_FROM_MEASURED,
                               .samples = samples,
                               .spread_fraction = spread_fraction,
                               .statistic = statistic };
}

void fr_document_source(struct fr_document *document, const char *pointer, struct fr_source source,
                        const char *format, ...)
{
    char text[FR_SOURCE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    source.pointer = fr_document_text(document, pointer);
    source.text = fr_document_text(document, text);
    source.statistic = fr_document_text(document, source.statistic);
    if (!source.samples)
        source.spread_fraction = NAN;
    *FR_ADD_ROW(document, document->found.sources) = source;
}

void fr_document_date(struct fr_document *document, size_t first, const char *day, const char *load)
{
    for (size_t i = first; i < document->found.sources.count; i++) {
        struct fr_source *source = &document->found.sources.row[i];

        if (source->kind != FR_FROM_MEASURED)
            continue;
        source->measured_on = fr_document_text(document, day);
        source->load = fr_document_text(document, load);
    }
}

void fr_document_write_found(const struct fr_document *document, struct fr_writer *out)
{
    const struct fr_calibration *found = &document->found;

    fr_json_object(out);
    fr_encode_members(out, fr_calibration_fields, found);
    fr_json_pair_object(out, "sources");
    for (size_t i = 0; i < found->sources.count; i++) {
        fr_json_key(out, found->sources.row[i].pointer);
        fr_encode(out, fr_source_fields, &found->sources.row[i]);
    }
    fr_json_object_end(out);
    fr_json_object_end(out);
}

static bool is_field(const char *name)
{
    const struct fr_field *field = fr_calibration_fields;

    while (field->name && strcmp(field->name, name) != 0)
        field++;
    return field->name;
}

int fr_document_read(struct fr_document *document, const char *json, size_t length)
{
    const struct fr_node *const root = fr_tree_read(document->arena, json, length);

    if (!root || root->kind != FR_NODE_OBJECT)
        return -1;
    for (const struct fr_node *member = root->first; member; member = member->next)
        if (!is_field(member->key) || member->kind != FR_NODE_OBJECT)
            return -1;
    return fr_tree_graft(document->arena, document->values, root);
}

int fr_document_write(struct fr_document *document, struct fr_writer *out)
{
    const struct fr_node *const sources = fr_tree_find(document->values, "sources");
    struct fr_writer frame;
    struct fr_node *root;
    bool is_whole;

    fr_writer_init(&frame);
    fr_encode(&frame, fr_calibration_fields, &document->frame);
    root = fr_tree_read(document->arena, frame.text, frame.length);
    fr_writer_free(&frame);
    is_whole = root;
    for (const struct fr_node *group = document->values->first; group && is_whole;
         group = group->next)
        is_whole = group == sources || fr_tree_put(document->arena, root, group->key, group);
    if (!is_whole || !fr_tree_put(document->arena, root, "sources", sources))
        return -1;
    fr_tree_write(root, out);
    return out->failed ? -1 : 0;
}

void fr_document_machine(const char *text, char out[FR_MACHINE_BYTES])
{
    size_t length = 0;

    for (; *text && length < FR_MACHINE_BYTES - 1; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool is_plain = c < 0x80 && isalnum(c);

        if (is_plain)
            out[length++] = (char)tolower(c);
        else if (length)
            out[length++] = strchr("._-", c) ? (char)c : '-';
    }
    while (length && !isalnum((unsigned char)out[length - 1]))
        length--;
    if (!length)
        length = (size_t)snprintf(out, FR_MACHINE_BYTES, "unnamed");
    out[length] = '\0';
}
