/* Writes JSON into a growing buffer and inserts commas where the syntax requires them. */
#include "server/json/writer.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fr_writer_init(struct fr_writer *w)
{
    *w = (struct fr_writer){ 0 };
}

void fr_writer_free(struct fr_writer *w)
{
    free(w->text);
    fr_writer_init(w);
}

static bool grow(struct fr_writer *w, size_t length)
{
    size_t capacity = w->capacity ? w->capacity : 1024;
    char *text;

    while (capacity - w->length < length)
        capacity *= 2;
    text = realloc(w->text, capacity);
    if (!text) {
        w->failed = true;
        return false;
    }
    w->text = text;
    w->capacity = capacity;
    return true;
}

/* Inline, because a short answer calls it about 300 times. */
static inline bool make_room(struct fr_writer *w, size_t length)
{
    return !w->failed && (length <= w->capacity - w->length || grow(w, length));
}

void fr_writer_append(struct fr_writer *w, const char *text, size_t length)
{
    if (!length || !make_room(w, length))
        return;
    memcpy(w->text + w->length, text, length);
    w->length += length;
}

void fr_writer_insert(struct fr_writer *w, size_t at, const char *text, size_t length)
{
    if (!length || !make_room(w, length))
        return;
    memmove(w->text + at + length, w->text + at, w->length - at);
    memcpy(w->text + at, text, length);
    w->length += length;
}

void fr_writer_text(struct fr_writer *w, const char *text)
{
    fr_writer_append(w, text, strlen(text));
}

void fr_writer_printf(struct fr_writer *w, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length <= 0 || !make_room(w, (size_t)length + 1))
        return;
    va_start(arguments, format);
    vsnprintf(w->text + w->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    w->length += (size_t)length;
}

void fr_writer_number(struct fr_writer *w, double value)
{
    if (make_room(w, FR_NUMBER_BYTES))
        w->length += fr_number_print(value, w->text + w->length);
}

void fr_writer_escape(struct fr_writer *w, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-*";

    for (; *text; text++) {
        if (strchr(plain, *text))
            fr_writer_append(w, text, 1);
        else
            fr_writer_printf(w, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

void fr_writer_query(struct fr_writer *w, const char *before, const char *name, const char *value)
{
    fr_writer_text(w, before);
    fr_writer_escape(w, name);
    fr_writer_text(w, "=");
    fr_writer_escape(w, value);
}

static void new_line(struct fr_writer *w)
{
    static const char blanks[] = "\n                                ";

    if (w->is_indented)
        fr_writer_append(w, blanks, 1 + (size_t)(w->depth < 16 ? 2 * w->depth : 32));
}

/* Writes the comma before a value, unless the value is the first or follows a key. */
static void before_value(struct fr_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (!w->depth)
        return;
    if (w->has_member[w->depth - 1])
        fr_writer_append(w, ",", 1);
    w->has_member[w->depth - 1] = true;
    new_line(w);
}

static void open_container(struct fr_writer *w, const char *bracket)
{
    before_value(w);
    fr_writer_append(w, bracket, 1);
    assert(w->depth < FR_WRITER_DEPTH);
    w->has_member[w->depth++] = false;
}

static void close_container(struct fr_writer *w, const char *bracket)
{
    assert(w->depth > 0 && !w->after_key);
    w->depth--;
    if (w->has_member[w->depth])
        new_line(w);
    fr_writer_append(w, bracket, 1);
}

void fr_json_object(struct fr_writer *w)
{
    open_container(w, "{");
}

void fr_json_object_end(struct fr_writer *w)
{
    close_container(w, "}");
}

void fr_json_array(struct fr_writer *w)
{
    open_container(w, "[");
}

void fr_json_array_end(struct fr_writer *w)
{
    close_container(w, "]");
}

static bool is_plain(char byte)
{
    return (unsigned char)byte >= 0x20 && byte != '"' && byte != '\\';
}

/* The same of eight bytes: a high bit stays where one is below 0x20, a quote or a backslash. */
static bool are_plain(const char *text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = 0x80 * ones;
    uint64_t bytes, quote, backslash;

    memcpy(&bytes, text, sizeof bytes);
    quote = bytes ^ ('"' * ones);
    backslash = bytes ^ ('\\' * ones);
    return !(((bytes - 0x20 * ones) & ~bytes & high) | ((quote - ones) & ~quote & high) |
             ((backslash - ones) & ~backslash & high));
}

/* Returns the number of leading bytes of `whole` that need no escape.  Most texts need none. */
static size_t plain_length(const char *text, size_t whole)
{
    size_t length = 0;

    while (length + 8 <= whole && are_plain(text + length))
        length += 8;
    if (whole >= 8 && length + 8 > whole && are_plain(text + whole - 8))
        return whole;
    while (length < whole && is_plain(text[length]))
        length++;
    return length;
}

static void escape(struct fr_writer *w, char byte)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *at = strchr(from, byte);

    if (at)
        fr_writer_printf(w, "\\%c", to[at - from]);
    else
        fr_writer_printf(w, "\\u%04x", (unsigned)byte);
}

/* Escapes only the characters that JSON requires, as in the canonical form. */
void fr_json_quote(struct fr_writer *w, const char *text)
{
    const char *const end = text + strlen(text);
    size_t plain = plain_length(text, (size_t)(end - text));
    char *at;

    if (!make_room(w, plain + 2))
        return;
    at = w->text + w->length;
    *at++ = '"';
    memcpy(at, text, plain);
    w->length += plain + 1;
    while (text + plain < end) {
        escape(w, text[plain]);
        text += plain + 1;
        plain = plain_length(text, (size_t)(end - text));
        fr_writer_append(w, text, plain);
    }
    fr_writer_append(w, "\"", 1);
}

void fr_json_key(struct fr_writer *w, const char *key)
{
    before_value(w);
    fr_json_quote(w, key);
    fr_writer_append(w, ": ", w->is_indented ? 2 : 1);
    w->after_key = true;
}

void fr_json_number(struct fr_writer *w, double value)
{
    before_value(w);
    fr_writer_number(w, value);
}

void fr_json_number_or_null(struct fr_writer *w, double value)
{
    if (isfinite(value))
        fr_json_number(w, value);
    else
        fr_json_null(w);
}

void fr_json_integer(struct fr_writer *w, int64_t value)
{
    fr_json_number(w, (double)value);
}

void fr_json_numbers(struct fr_writer *w, const double *value, size_t count)
{
    fr_json_array(w);
    for (size_t i = 0; i < count; i++)
        fr_json_number(w, value[i]);
    fr_json_array_end(w);
}

void fr_json_integers(struct fr_writer *w, const int64_t *value, size_t count)
{
    fr_json_array(w);
    for (size_t i = 0; i < count; i++)
        fr_json_integer(w, value[i]);
    fr_json_array_end(w);
}

void fr_json_bool(struct fr_writer *w, bool value)
{
    before_value(w);
    fr_writer_text(w, value ? "true" : "false");
}

void fr_json_null(struct fr_writer *w)
{
    before_value(w);
    fr_writer_text(w, "null");
}

void fr_json_text(struct fr_writer *w, const char *text)
{
    if (!text) {
        fr_json_null(w);
        return;
    }
    before_value(w);
    fr_json_quote(w, text);
}

void fr_json_pair(struct fr_writer *w, const char *key, const char *text)
{
    fr_json_key(w, key);
    fr_json_text(w, text);
}

void fr_json_pair_number(struct fr_writer *w, const char *key, double value)
{
    fr_json_key(w, key);
    fr_json_number_or_null(w, value);
}

void fr_json_pair_integer(struct fr_writer *w, const char *key, int64_t value)
{
    fr_json_key(w, key);
    fr_json_integer(w, value);
}

void fr_json_pair_bool(struct fr_writer *w, const char *key, bool value)
{
    fr_json_key(w, key);
    fr_json_bool(w, value);
}

void fr_json_pair_object(struct fr_writer *w, const char *key)
{
    fr_json_key(w, key);
    fr_json_object(w);
}

void fr_json_pair_array(struct fr_writer *w, const char *key)
{
    fr_json_key(w, key);
    fr_json_array(w);
}

void fr_json_pair_texts(struct fr_writer *w, const char *key, const char *const *texts)
{
    fr_json_pair_array(w, key);
    for (; texts && *texts; texts++)
        fr_json_text(w, *texts);
    fr_json_array_end(w);
}

void fr_json_raw(struct fr_writer *w, const char *json, size_t length)
{
    before_value(w);
    fr_writer_append(w, json, length);
}
