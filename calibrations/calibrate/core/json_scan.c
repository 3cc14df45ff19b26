/* A scanner of JSON text: finds the ends of values and checks brackets, but decodes nothing. */
#include "calibrations/calibrate/core/json_scan.h"

#include <ctype.h>
#include <string.h>

#include "server/json/writer.h"

enum { LINE = 96 };

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* `at` is the opening quotation mark.  Returns the end of the string, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '"')
            return at + 1;
    }
    return NULL;
}

static bool is_scalar(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '+' || c == '.';
}

/* Returns the end of the value that begins at `at`, or NULL.  Brackets must match. */
static const char *skip_value(const char *at, const char *end)
{
    char closing[FR_NESTING_MAX];
    int depth = 0;

    do {
        at = skip_space(at, end);
        if (at >= end)
            return NULL;
        if (*at == '"') {
            at = skip_string(at, end);
            if (!at)
                return NULL;
        } else if (*at == '{' || *at == '[') {
            if (depth == FR_NESTING_MAX)
                return NULL;
            closing[depth++] = *at++ == '{' ? '}' : ']';
        } else if (*at == '}' || *at == ']') {
            if (!depth || closing[--depth] != *at++)
                return NULL;
        } else if (depth && (*at == ',' || *at == ':')) {
            at++;
        } else if (is_scalar(*at)) {
            while (at < end && is_scalar(*at))
                at++;
        } else {
            return NULL;
        }
    } while (depth);
    return at;
}

static const char *take_value(const char *at, const char *end, struct fr_member *member)
{
    const char *after = skip_value(at, end);

    member->key = "";
    member->key_length = 0;
    member->value = at;
    member->value_length = after ? (size_t)(after - at) : 0;
    return after;
}

/* Reads one `"key": value`.  Returns its end, or NULL. */
static const char *take_member(const char *at, const char *end, struct fr_member *member)
{
    const char *after;

    if (at >= end || *at != '"' || !(after = skip_string(at, end)))
        return NULL;
    member->key = at + 1;
    member->key_length = (size_t)(after - at) - 2;
    at = skip_space(after, end);
    if (at >= end || *at != ':')
        return NULL;
    member->value = skip_space(at + 1, end);
    after = skip_value(member->value, end);
    if (after)
        member->value_length = (size_t)(after - member->value);
    return after;
}

/* Finds the members of an object, or the values of an array. */
static int split(const char *text, size_t length, bool is_object, struct fr_member *members,
                 int max)
{
    const char closing = is_object ? '}' : ']';
    const char *const end = text + length;
    const char *at = skip_space(text, end);
    int count = 0;

    if (at >= end || *at != (is_object ? '{' : '['))
        return -1;
    at = skip_space(at + 1, end);
    while (at < end && *at != closing) {
        if (count == max || !(at = is_object ? take_member(at, end, &members[count])
                                             : take_value(at, end, &members[count])))
            return -1;
        count++;
        at = skip_space(at, end);
        if (at < end && *at == ',') {
            at = skip_space(at + 1, end);
            if (at < end && *at == closing)
                return -1;
        } else if (at < end && *at != closing) {
            return -1;
        }
    }
    return at < end && skip_space(at + 1, end) == end ? count : -1;
}

int fr_json_scan_split(const char *text, size_t length, struct fr_member *members, int max)
{
    return split(text, length, true, members, max);
}

int fr_json_scan_rows(const char *text, size_t length, struct fr_member *members, int max)
{
    return split(text, length, false, members, max);
}

const struct fr_member *fr_json_scan_find(const struct fr_member *members, int count,
                                          const char *key)
{
    for (int i = 0; i < count; i++)
        if (members[i].key_length == strlen(key) &&
            memcmp(members[i].key, key, members[i].key_length) == 0)
            return &members[i];
    return NULL;
}

static void new_line(struct fr_writer *out, int depth)
{
    fr_writer_text(out, "\n");
    for (int i = 0; i < depth; i++)
        fr_writer_text(out, "  ");
}

/* Copies a value to one line, with blanks after commas and colons and inside braces. */
static void copy_flat(const char *at, const char *end, struct fr_writer *out)
{
    while (at < end) {
        const char *after = *at == '"' ? skip_string(at, end) : at + 1;
        const bool opens =
            *at == '{' && skip_space(after, end) < end && *skip_space(after, end) != '}';
        const bool closes = *at == '}' && out->text[out->length - 1] != '{';

        if (closes)
            fr_writer_text(out, " ");
        fr_writer_append(out, at, (size_t)(after - at));
        if (*at == ',' || *at == ':' || opens)
            fr_writer_text(out, " ");
        at = skip_space(after, end);
    }
}

/* Writes the value from `at` to `end`, which is_sound has accepted. */
static void layout(const char *at, const char *end, int depth, struct fr_writer *out)
{
    const bool is_object = *at == '{';
    const bool is_open = is_object || *at == '[';

    /* The document itself always takes several lines. */
    if (!is_open || (depth && end - at <= LINE - 2 * depth)) {
        copy_flat(at, end, out);
        return;
    }
    fr_writer_append(out, at, 1);
    at = skip_space(at + 1, end);
    while (*at != '}' && *at != ']') {
        struct fr_member member = { .value = at };
        const char *after = is_object ? take_member(at, end, &member) : skip_value(at, end);

        new_line(out, depth + 1);
        if (is_object) {
            fr_writer_append(out, at, member.key_length + 2);
            fr_writer_text(out, ": ");
        }
        layout(member.value, after, depth + 1, out);
        at = skip_space(after, end);
        if (*at == ',') {
            fr_writer_text(out, ",");
            at = skip_space(at + 1, end);
        }
    }
    new_line(out, depth);
    fr_writer_append(out, at, 1);
}

/* Whether every object and array consists of members and values, as `layout` requires. */
static bool is_sound(const char *at, const char *end, int depth)
{
    const bool is_object = *at == '{';

    if (!is_object && *at != '[')
        return true;
    if (depth == FR_NESTING_MAX)
        return false;
    at = skip_space(at + 1, end);
    while (at < end && *at != '}' && *at != ']') {
        struct fr_member member = { .value = at };
        const char *after = is_object ? take_member(at, end, &member) : skip_value(at, end);

        if (!after || !is_sound(member.value, after, depth + 1))
            return false;
        at = skip_space(after, end);
        if (at < end && *at == ',')
            at = skip_space(at + 1, end);
        else if (at >= end || (*at != '}' && *at != ']'))
            return false;
    }
    return at + 1 == end;
}

int fr_json_scan_layout(const char *text, size_t length, struct fr_writer *out)
{
    const char *const at = skip_space(text, text + length);
    const char *const end = skip_value(at, text + length);

    if (!end || skip_space(end, text + length) != text + length || !is_sound(at, end, 0))
        return -1;
    layout(at, end, 0, out);
    fr_writer_text(out, "\n");
    return out->failed ? -1 : 0;
}
