/* Decodes a JSON document into structs described by field tables, and collects its faults. */
#include "server/json/decode.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *fr_json_parse_line(const char *text, size_t length, size_t line, const char *where,
                           struct fr_faults *faults)
{
    json_error_t error;
    json_t *root = json_loadb(
        text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);

    if (!root && fr_json_memory_is_exhausted())
        fr_fault(faults, FR_NOMEM, where,
                 "the JSON takes more than the %zu bytes that a request may use; send it in "
                 "parts, or have the operator raise request_memory_bytes",
                 fr_json_memory_limit());
    else if (!root)
        fr_fault(faults, FR_SYNTAX, where, "line %zu, column %d: %s", line - 1 + (size_t)error.line,
                 error.column, error.text);
    return root;
}

json_t *fr_json_parse(const char *text, size_t length, struct fr_faults *faults)
{
    return fr_json_parse_line(text, length, 1, "", faults);
}

size_t fr_decoder_enter(struct fr_decoder *decoder, const char *key)
{
    const size_t before = strlen(decoder->pointer);
    size_t at = before;

    if (at + 1 < sizeof decoder->pointer)
        decoder->pointer[at++] = '/';
    for (; *key && at + 2 < sizeof decoder->pointer; key++) {
        if (*key == '~' || *key == '/') {
            decoder->pointer[at++] = '~';
            decoder->pointer[at++] = *key == '~' ? '0' : '1';
        } else {
            decoder->pointer[at++] = *key;
        }
    }
    decoder->pointer[at] = '\0';
    return before;
}

void fr_decoder_leave(struct fr_decoder *decoder, size_t length)
{
    decoder->pointer[length] = '\0';
}

static int wrong(struct fr_decoder *decoder, const char *expected)
{
    return fr_fault(decoder->faults, FR_TYPE, decoder->pointer, "must be %s", expected);
}

static bool read_number(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                        double *out)
{
    const bool is_zero_legal = field->flags & (FR_FIELD_ZERO | FR_FIELD_SIGNED);
    double number;

    if (!json_is_number(value)) {
        wrong(decoder, "a number");
        return false;
    }
    number = json_number_value(value);
    if (!(field->flags & FR_FIELD_SIGNED) && (number < 0 || (number == 0 && !is_zero_legal))) {
        fr_fault(decoder->faults, FR_RANGE, decoder->pointer, "%g must be %s", number,
                 is_zero_legal ? "at least 0" : "greater than 0");
        return false;
    }
    if (fabs(number) > FR_GREATEST ||
        (number != 0 && !(field->flags & FR_FIELD_SIGNED) && number < FR_LEAST)) {
        fr_fault(decoder->faults, FR_RANGE, decoder->pointer, "%g is outside %g to %g", number,
                 FR_LEAST, FR_GREATEST);
        return false;
    }
    if (field->flags & FR_FIELD_SHARE && number > 1) {
        fr_fault(decoder->faults, FR_RANGE, decoder->pointer, "%g must be at most 1", number);
        return false;
    }
    *out = number;
    return true;
}

static void read_count(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                       int64_t *out)
{
    double number;

    if (!read_number(decoder, value, field, &number))
        return;
    if (number != floor(number) || number > 9e15)
        fr_fault(decoder->faults, FR_TYPE, decoder->pointer, "%g must be a whole number", number);
    else
        *out = (int64_t)number;
}

static const char *read_text(struct fr_decoder *decoder, json_t *value)
{
    const char *copy = NULL;

    if (!json_is_string(value))
        wrong(decoder, "a string");
    else if (!(copy = fr_arena_text(decoder->arena, json_string_value(value),
                                    json_string_length(value))))
        fr_fault(decoder->faults, FR_NOMEM, decoder->pointer, "the document is too large");
    return copy;
}

static void refuse_choice(struct fr_decoder *decoder, const char *text, const char *const *choices)
{
    char list[FR_MESSAGE_BYTES] = "";
    size_t used = 0;

    for (size_t i = 0; choices[i] && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
    fr_fault(decoder->faults, FR_CHOICE, decoder->pointer, "'%.40s' is not one of %s", text, list);
}

/* Returns the index of a string among the choices, or -1 with a fault that lists them. */
static int read_choice(struct fr_decoder *decoder, json_t *value, const struct fr_field *field)
{
    if (!json_is_string(value)) {
        wrong(decoder, "a string");
        return -1;
    }
    for (int i = 0; field->choices[i]; i++)
        if (strcmp(field->choices[i], json_string_value(value)) == 0)
            return i;
    refuse_choice(decoder, json_string_value(value), field->choices);
    return -1;
}

/* The common initial members of all FR_TABLEs. */
struct table {
    void *row;
    size_t count;
};

/* Allocates the rows of a table.  Returns false with a fault if the value is not an array or is too
 * long. */
static bool open_table(struct fr_decoder *decoder, json_t *value, size_t size, size_t most,
                       struct table *out)
{
    const size_t count = json_array_size(value);

    if (!json_is_array(value)) {
        wrong(decoder, "an array");
        return false;
    }
    if (count > most) {
        fr_fault(decoder->faults, FR_RANGE, decoder->pointer, "%zu rows; at most %zu", count, most);
        return false;
    }
    out->row = fr_arena_zeroed(decoder->arena, count, size);
    if (!out->row) {
        fr_fault(decoder->faults, FR_NOMEM, decoder->pointer, "the document is too large");
        return false;
    }
    out->count = count;
    return true;
}

/* A lone number is the value of each member. */
static void read_lone(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                      char *record)
{
    double number;

    if (!read_number(decoder, value, field, &number))
        return;
    for (const struct fr_field *member = field->fields; member->name; member++)
        *(double *)(void *)(record + member->offset) = number;
}

static size_t most_numbers(const struct fr_decoder *decoder)
{
    return decoder->most_numbers ? decoder->most_numbers : FR_MAX_ROWS;
}

/* Without printf: most numbers of a document are rows. */
static size_t enter_row(struct fr_decoder *decoder, size_t index)
{
    char key[24] = "", *digit = key + sizeof key - 1;

    do
        *--digit = (char)('0' + index % 10);
    while (index /= 10);
    return fr_decoder_enter(decoder, digit);
}

static void read_rows(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                      struct table *out)
{
    struct table table;

    if (!open_table(decoder, value, field->size, FR_MAX_ROWS, &table))
        return;
    for (size_t i = 0; i < table.count; i++) {
        void *row = (char *)table.row + i * field->size;
        const size_t length = enter_row(decoder, i);

        fr_fields_clear(field->fields, row);
        fr_decode_object(decoder, json_array_get(value, i), field->fields, row);
        fr_decoder_leave(decoder, length);
    }
    *out = table;
}

static void read_numbers(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                         struct table *out)
{
    struct table table;

    if (json_is_number(value) && field->flags & FR_FIELD_LONE) {
        double *lone = fr_arena_zeroed(decoder->arena, 1, sizeof *lone);

        if (lone && read_number(decoder, value, field, lone))
            *out = (struct table){ lone, 1 };
        return;
    }
    if (!open_table(decoder, value, sizeof(double), most_numbers(decoder), &table))
        return;
    for (size_t i = 0; i < table.count; i++) {
        const size_t length = enter_row(decoder, i);

        read_number(decoder, json_array_get(value, i), field, (double *)table.row + i);
        fr_decoder_leave(decoder, length);
    }
    *out = table;
}

static void read_lists(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                       struct table *out)
{
    struct table table;

    if (!open_table(decoder, value, sizeof(struct table), most_numbers(decoder), &table))
        return;
    for (size_t i = 0; i < table.count; i++) {
        const size_t length = enter_row(decoder, i);

        read_numbers(decoder, json_array_get(value, i), field, (struct table *)table.row + i);
        fr_decoder_leave(decoder, length);
    }
    *out = table;
}

static void read_texts(struct fr_decoder *decoder, json_t *value, struct table *out)
{
    struct table table;

    if (!open_table(decoder, value, sizeof(const char *), FR_MAX_ROWS, &table))
        return;
    for (size_t i = 0; i < table.count; i++) {
        const size_t length = enter_row(decoder, i);

        ((const char **)table.row)[i] = read_text(decoder, json_array_get(value, i));
        fr_decoder_leave(decoder, length);
    }
    *out = table;
}

static void read_value(struct fr_decoder *decoder, json_t *value, const struct fr_field *field,
                       void *at)
{
    switch (field->kind) {
    case FR_FIELD_NUMBER:
        read_number(decoder, value, field, at);
        break;
    case FR_FIELD_COUNT:
        read_count(decoder, value, field, at);
        break;
    case FR_FIELD_TEXT:
        if (!field->choices || read_choice(decoder, value, field) >= 0)
            *(const char **)at = read_text(decoder, value);
        break;
    case FR_FIELD_BOOL:
        if (json_is_boolean(value))
            *(int *)at = json_is_true(value);
        else
            wrong(decoder, "true or false");
        break;
    case FR_FIELD_CHOICE:
        *(int *)at = read_choice(decoder, value, field);
        break;
    case FR_FIELD_OBJECT:
        if (field->flags & FR_FIELD_LONE && json_is_number(value))
            read_lone(decoder, value, field, at);
        else
            fr_decode_object(decoder, value, field->fields, at);
        break;
    case FR_FIELD_TABLE:
        read_rows(decoder, value, field, at);
        break;
    case FR_FIELD_NUMBERS:
        read_numbers(decoder, value, field, at);
        break;
    case FR_FIELD_TEXTS:
        read_texts(decoder, value, at);
        break;
    case FR_FIELD_LISTS:
        read_lists(decoder, value, field, at);
        break;
    case FR_FIELD_ANY:
        break;
    }
}

/* Returns the field of this name that is legal for the choice of the selecting sibling. */
static const struct fr_field *find_field(const struct fr_field *fields, const char *key,
                                         int selected)
{
    for (; fields->name; fields++)
        if (strcmp(fields->name, key) == 0 &&
            (!fields->when || selected < 0 || fields->when & 1u << selected))
            return fields;
    return NULL;
}

static void refuse_key(struct fr_decoder *decoder, const struct fr_field *fields, const char *key)
{
    /* Searches for a similar name only while the fault is kept: a document may have a million keys.
     */
    const bool is_listed = decoder->faults->count < FR_MAX_FAULTS;
    struct fr_nearest nearest = { .name = key };

    for (const struct fr_field *field = fields; field->name; field++) {
        if (strcmp(field->name, key) == 0) {
            fr_fault(decoder->faults, FR_UNKNOWN_KEY, decoder->pointer,
                     "does not belong to this type");
            return;
        }
    }
    for (const struct fr_field *field = fields; is_listed && field->name; field++)
        fr_nearest_consider(&nearest, field->name);
    if (nearest.found)
        fr_fault(decoder->faults, FR_UNKNOWN_KEY, decoder->pointer,
                 "unknown key '%.40s'; did you mean %s", key, nearest.found);
    else
        fr_fault(decoder->faults, FR_UNKNOWN_KEY, decoder->pointer, "unknown key '%.40s'", key);
}

/* Returns the choice of the selecting field.  Reports nothing: decoding that field reports its
 * faults. */
static int selected_choice(json_t *object, const struct fr_field *fields)
{
    for (; fields->name; fields++) {
        const char *text;

        if (!(fields->flags & FR_FIELD_SELECTS))
            continue;
        text = json_string_value(json_object_get(object, fields->name));
        for (int i = 0; text && fields->choices[i]; i++)
            if (strcmp(fields->choices[i], text) == 0)
                return i;
    }
    return -1;
}

static void require_fields(struct fr_decoder *decoder, json_t *object,
                           const struct fr_field *fields, int selected)
{
    for (; fields->name; fields++) {
        json_t *value = json_object_get(object, fields->name);
        size_t length;

        if (!(fields->flags & FR_FIELD_NEEDED) ||
            (fields->when && (selected < 0 || !(fields->when & 1u << selected))))
            continue;
        if (value && (!json_is_null(value) || fields->flags & FR_FIELD_NULL))
            continue;
        length = fr_decoder_enter(decoder, fields->name);
        fr_fault(decoder->faults, FR_MISSING, decoder->pointer, "required%s%.*s",
                 fields->doc ? "; " : "", fields->doc ? (int)strlen(fields->doc) - 1 : 0,
                 fields->doc ? fields->doc : "");
        fr_decoder_leave(decoder, length);
    }
}

void fr_decode_object(struct fr_decoder *decoder, json_t *object, const struct fr_field *fields,
                      void *record)
{
    const int selected = selected_choice(object, fields);
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        wrong(decoder, "an object");
        return;
    }
    json_object_foreach(object, key, value)
    {
        const size_t length = fr_decoder_enter(decoder, key);
        const struct fr_field *field = find_field(fields, key, selected);

        if (!field) {
            refuse_key(decoder, fields, key);
        } else if (!json_is_null(value)) {
            decoder->groups |= field->group;
            read_value(decoder, value, field, (char *)record + field->offset);
        } else if (field->flags & FR_FIELD_NULL) {
            *(double *)(void *)((char *)record + field->offset) = INFINITY;
        }
        fr_decoder_leave(decoder, length);
    }
    require_fields(decoder, object, fields, selected);
}
