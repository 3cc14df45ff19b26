/* Values and sources by JSON pointer, in the order in which they were added. */
#include "calibrations/calibrate/core/document.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/json_scan.h"
#include "calibrations/calibrate/core/record.h"
#include "server/json/writer.h"

enum { ENTRIES_MAX = 160, POINTER_BYTES = 96, SOURCE_MEMBERS_MAX = 8 };

struct entry {
    char pointer[POINTER_BYTES];
    struct fr_writer json;
};

struct fr_document {
    struct entry value[ENTRIES_MAX], source[ENTRIES_MAX];
    int values, sources;
};

struct fr_document *fr_document_new(void)
{
    return fr_record_new(1, sizeof(struct fr_document));
}

struct fr_document *fr_document_free(struct fr_document *document)
{
    for (int i = 0; document && i < document->values; i++)
        fr_writer_free(&document->value[i].json);
    for (int i = 0; document && i < document->sources; i++)
        fr_writer_free(&document->source[i].json);
    fr_record_free(document);
    return NULL;
}

/* Returns the entry of a pointer, emptied if it exists. */
static struct fr_writer *enter(struct entry *entry, int *count, const char *pointer, size_t length)
{
    int i = 0;

    assert(length < POINTER_BYTES);
    while (i < *count && (strncmp(entry[i].pointer, pointer, length) || entry[i].pointer[length]))
        i++;
    if (i < *count)
        fr_writer_free(&entry[i].json);
    else
        (*count)++;
    assert(*count <= ENTRIES_MAX);
    memcpy(entry[i].pointer, pointer, length);
    fr_writer_init(&entry[i].json);
    return &entry[i].json;
}

struct fr_writer *fr_document_value(struct fr_document *document, const char *pointer)
{
    return enter(document->value, &document->values, pointer, strlen(pointer));
}

void fr_document_number(struct fr_document *document, const char *pointer, double value)
{
    fr_json_number(fr_document_value(document, pointer), value);
}

void fr_document_integer(struct fr_document *document, const char *pointer, long long value)
{
    fr_json_integer(fr_document_value(document, pointer), value);
}

/* Entries keep their positions, because sizes count them; an empty one is not written. */
static void empty(struct fr_document *document, const char *pointer)
{
    for (int i = 0; i < document->values; i++)
        if (strcmp(document->value[i].pointer, pointer) == 0)
            fr_document_value(document, pointer);
}

void fr_document_text(struct fr_document *document, const char *pointer, const char *text)
{
    if (text && *text)
        fr_json_text(fr_document_value(document, pointer), text);
    else
        empty(document, pointer);
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
    struct fr_writer *json = enter(document->source, &document->sources, pointer, strlen(pointer));
    char text[FR_SOURCE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fr_json_object(json);
    fr_json_pair(json, "kind", fr_provenances[source.kind]);
    fr_json_pair(json, "text", text);
    if (source.samples)
        fr_json_pair_integer(json, "samples", source.samples);
    if (source.samples && !isnan(source.spread_fraction))
        fr_json_pair_number(json, "spread_fraction", source.spread_fraction);
    if (source.statistic)
        fr_json_pair(json, "statistic", source.statistic);
    fr_json_object_end(json);
}

void fr_document_date(struct fr_document *document, struct fr_document_size mark, const char *day,
                      const char *load)
{
    static const char measured[] = "{\"kind\":\"measured\"";

    for (int i = mark.sources; i < document->sources; i++) {
        struct fr_writer *json = &document->source[i].json;

        if (json->length < strlen(measured) || strncmp(json->text, measured, strlen(measured)) != 0)
            continue;
        json->length--; /* the closing brace */
        fr_writer_text(json, ",\"measured_on\":");
        fr_json_quote(json, day);
        if (load) {
            fr_writer_text(json, ",\"load\":");
            fr_json_quote(json, load);
        }
        fr_writer_text(json, "}");
    }
}

/* Whether the pointer equals the first `length` bytes of `prefix` or points below them. */
static bool is_below(const char *pointer, const char *prefix, size_t length)
{
    return strncmp(pointer, prefix, length) == 0 &&
           (pointer[length] == '/' || pointer[length] == '\0');
}

/* Whether an earlier value belongs to the same member. */
static bool is_written(const struct fr_document *document, int index, size_t length)
{
    for (int j = 0; j < index; j++)
        if (is_below(document->value[j].pointer, document->value[index].pointer, length))
            return true;
    return false;
}

/* Writes the object of all values below the first `length` bytes of `prefix`. */
static void write_object(const struct fr_document *document, const char *prefix, size_t length,
                         struct fr_writer *out)
{
    fr_json_object(out);
    for (int i = 0; i < document->values; i++) {
        const struct entry *value = &document->value[i];
        const char *step;
        size_t end;
        char key[64];

        if (!value->json.length || !is_below(value->pointer, prefix, length))
            continue;
        step = value->pointer + length + 1;
        end = length + 1 + strcspn(step, "/");
        if (is_written(document, i, end))
            continue;
        snprintf(key, sizeof key, "%.*s", (int)(end - length) - 1, step);
        fr_json_key(out, key);
        if (value->pointer[end])
            write_object(document, value->pointer, end, out);
        else
            fr_json_raw(out, value->json.text, value->json.length);
    }
    fr_json_object_end(out);
}

/* Writes the entries from `first` on, each under its full pointer. */
static int write_entries(const struct entry *entry, int first, int count, struct fr_writer *out)
{
    int status = 0;

    fr_json_object(out);
    for (int i = first; i < count; i++) {
        fr_json_key(out, entry[i].pointer);
        fr_json_raw(out, entry[i].json.text, entry[i].json.length);
        status |= entry[i].json.failed;
    }
    fr_json_object_end(out);
    return status || out->failed ? -1 : 0;
}

int fr_document_write(const struct fr_document *document, struct fr_writer *out)
{
    struct fr_writer compact, sources;
    int status = 0;

    fr_writer_init(&compact);
    fr_writer_init(&sources);
    write_object(document, "", 0, &compact);
    status = write_entries(document->source, 0, document->sources, &sources);
    for (int i = 0; i < document->values; i++)
        if (document->value[i].json.failed)
            status = -1;
    if (compact.failed)
        status = -1;
    if (!status) {
        /* The sources become the last member of the document. */
        compact.length--;
        fr_writer_text(&compact, document->values ? ",\"sources\":" : "\"sources\":");
        fr_writer_append(&compact, sources.text, sources.length);
        fr_writer_text(&compact, "}");
        status = compact.failed ? -1 : fr_json_scan_layout(compact.text, compact.length, out);
    }
    fr_writer_free(&compact);
    fr_writer_free(&sources);
    return status;
}

struct fr_document_size fr_document_size(const struct fr_document *document)
{
    return (struct fr_document_size){ document->values, document->sources };
}

int fr_document_write_since(const struct fr_document *document, struct fr_document_size mark,
                            struct fr_writer *out)
{
    int status;

    fr_json_object(out);
    fr_json_key(out, "values");
    status = write_entries(document->value, mark.values, document->values, out);
    fr_json_key(out, "sources");
    status |= write_entries(document->source, mark.sources, document->sources, out);
    fr_json_object_end(out);
    return status;
}

static int read_entries(struct entry *entry, int *count, const struct fr_member *object)
{
    struct fr_member member[ENTRIES_MAX];
    const int members =
        object ? fr_json_scan_split(object->value, object->value_length, member, ENTRIES_MAX) : -1;

    for (int i = 0; i < members; i++) {
        if (*count == ENTRIES_MAX || member[i].key_length >= POINTER_BYTES)
            return -1;
        fr_json_raw(enter(entry, count, member[i].key, member[i].key_length), member[i].value,
                    member[i].value_length);
    }
    return members < 0 ? -1 : 0;
}

int fr_document_read(struct fr_document *document, const char *json, size_t length)
{
    struct fr_member part[2];
    const int parts = fr_json_scan_split(json, length, part, 2);

    if (parts < 0 ||
        read_entries(document->value, &document->values, fr_json_scan_find(part, parts, "values")))
        return -1;
    return read_entries(document->source, &document->sources,
                        fr_json_scan_find(part, parts, "sources"));
}

double fr_document_spread(const struct fr_document *document, int source, const char **pointer)
{
    const struct entry *entry = &document->source[source];
    struct fr_member member[SOURCE_MEMBERS_MAX];
    const int members =
        fr_json_scan_split(entry->json.text, entry->json.length, member, SOURCE_MEMBERS_MAX);
    const struct fr_member *spread = fr_json_scan_find(member, members, "spread_fraction");

    *pointer = entry->pointer;
    return spread ? strtod(spread->value, NULL) : NAN;
}

int fr_document_sources(const struct fr_document *document)
{
    return document->sources;
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
