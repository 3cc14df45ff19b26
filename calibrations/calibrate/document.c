#include "document.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "members.h"
#include "record.h"
#include "json/writer.h"

enum { VALUES_MAX = 96, SOURCES_MAX = 64 };

struct value {
    const char *pointer;
    struct fr_writer json;
};

struct source {
    const char *pointer;
    char text[FR_SOURCE_BYTES];
};

struct fr_document {
    struct value value[VALUES_MAX];
    struct source source[SOURCES_MAX];
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
    fr_record_free(document);
    return NULL;
}

struct fr_writer *fr_document_value(struct fr_document *document, const char *pointer)
{
    struct value *value = &document->value[document->values++];

    assert(document->values <= VALUES_MAX);
    value->pointer = pointer;
    fr_writer_init(&value->json);
    return &value->json;
}

void fr_document_number(struct fr_document *document, const char *pointer, double value)
{
    fr_json_number(fr_document_value(document, pointer), value);
}

void fr_document_integer(struct fr_document *document, const char *pointer, long long value)
{
    fr_json_integer(fr_document_value(document, pointer), value);
}

void fr_document_text(struct fr_document *document, const char *pointer, const char *text)
{
    if (text && *text)
        fr_json_text(fr_document_value(document, pointer), text);
}

void fr_document_source(struct fr_document *document, const char *pointer, const char *format, ...)
{
    struct source *source = &document->source[document->sources++];
    va_list arguments;

    assert(document->sources <= SOURCES_MAX);
    source->pointer = pointer;
    va_start(arguments, format);
    vsnprintf(source->text, sizeof source->text, format, arguments);
    va_end(arguments);
}

/* Whether the pointer is, or leads below, what the first `length` bytes of `prefix` point to. */
static bool is_below(const char *pointer, const char *prefix, size_t length)
{
    return strncmp(pointer, prefix, length) == 0 &&
           (pointer[length] == '/' || pointer[length] == '\0');
}

/* Whether an earlier value has already brought the member that this one belongs to. */
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
        const struct value *value = &document->value[i];
        const char *step;
        size_t end;
        char key[64];

        if (!is_below(value->pointer, prefix, length))
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

static void write_sources(const struct fr_document *document, struct fr_writer *out)
{
    fr_json_object(out);
    for (int i = 0; i < document->sources; i++)
        fr_json_pair(out, document->source[i].pointer, document->source[i].text);
    fr_json_object_end(out);
}

int fr_document_write(const struct fr_document *document, struct fr_writer *out)
{
    struct fr_writer compact, sources;
    int status = 0;

    fr_writer_init(&compact);
    fr_writer_init(&sources);
    write_object(document, "", 0, &compact);
    write_sources(document, &sources);
    for (int i = 0; i < document->values; i++)
        if (document->value[i].json.failed)
            status = -1;
    if (compact.failed || sources.failed)
        status = -1;
    if (!status) {
        /* The sources become the last member of the one object there is. */
        compact.length--;
        fr_writer_text(&compact, document->values ? ",\"sources\":" : "\"sources\":");
        fr_writer_append(&compact, sources.text, sources.length);
        fr_writer_text(&compact, "}");
        status = compact.failed ? -1 : fr_members_layout(compact.text, compact.length, out);
    }
    fr_writer_free(&compact);
    fr_writer_free(&sources);
    return status;
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
