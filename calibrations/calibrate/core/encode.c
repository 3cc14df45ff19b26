#include "calibrations/calibrate/core/document.h"

#include <math.h>

#include "engine/calibration/field.h"
#include "server/json/writer.h"

static const void *at(const struct fr_field *field, const void *record)
{
    return (const char *)record + field->offset;
}

static bool is_present(const struct fr_field *field, const void *value)
{
    switch (field->kind) {
    case FR_FIELD_NUMBER:
        return !isnan(*(const double *)value);
    case FR_FIELD_COUNT:
        return *(const int64_t *)value || field->flags & FR_FIELD_ZERO;
    case FR_FIELD_TEXT:
        return *(const char *const *)value != NULL;
    case FR_FIELD_BOOL:
    case FR_FIELD_CHOICE:
        return *(const int *)value >= 0;
    case FR_FIELD_OBJECT:
        return fr_encode_has_any(field->fields, value);
    case FR_FIELD_TABLE:
    case FR_FIELD_NUMBERS:
    case FR_FIELD_TEXTS:
    case FR_FIELD_LISTS:
        return ((const struct fr_rows_head *)value)->count;
    case FR_FIELD_ANY:
        break;
    }
    return false;
}

/* The bit of the choice that decides which fields are legal; all bits if nothing does. */
static unsigned selected(const struct fr_field *fields, const void *record)
{
    for (; fields->name; fields++)
        if (fields->flags & FR_FIELD_SELECTS && is_present(fields, at(fields, record)))
            return 1u << *(const int *)at(fields, record);
    return ~0u;
}

bool fr_encode_has_any(const struct fr_field *fields, const void *record)
{
    while (fields->name && !is_present(fields, at(fields, record)))
        fields++;
    return fields->name;
}

static void write_numbers(struct fr_writer *out, const struct fr_field *field,
                          const fr_numbers *numbers)
{
    if (field->flags & FR_FIELD_LONE && numbers->count == 1)
        fr_json_number(out, *numbers->row);
    else
        fr_json_numbers(out, numbers->row, numbers->count);
}

static void write_rows(struct fr_writer *out, const struct fr_field *field,
                       const struct fr_rows_head *rows)
{
    fr_json_array(out);
    for (size_t i = 0; i < rows->count; i++)
        if (field->kind == FR_FIELD_TABLE)
            fr_encode(out, field->fields, (const char *)rows->row + i * field->size);
        else if (field->kind == FR_FIELD_TEXTS)
            fr_json_text(out, ((const char *const *)rows->row)[i]);
        else
            write_numbers(out, field, (const fr_numbers *)rows->row + i);
    fr_json_array_end(out);
}

static void write_value(struct fr_writer *out, const struct fr_field *field, const void *value)
{
    switch (field->kind) {
    case FR_FIELD_NUMBER:
        fr_json_number_or_null(out, *(const double *)value);
        break;
    case FR_FIELD_COUNT:
        fr_json_integer(out, *(const int64_t *)value);
        break;
    case FR_FIELD_TEXT:
        fr_json_text(out, *(const char *const *)value);
        break;
    case FR_FIELD_BOOL:
        fr_json_bool(out, *(const int *)value);
        break;
    case FR_FIELD_CHOICE:
        fr_json_text(out, field->choices[*(const int *)value]);
        break;
    case FR_FIELD_OBJECT:
        fr_encode(out, field->fields, value);
        break;
    case FR_FIELD_NUMBERS:
        write_numbers(out, field, value);
        break;
    case FR_FIELD_TABLE:
    case FR_FIELD_TEXTS:
    case FR_FIELD_LISTS:
        write_rows(out, field, value);
        break;
    case FR_FIELD_ANY:
        break;
    }
}

/* Whether a field is written although nothing in it is present: an object or a table that the
 * record must have. */
static bool is_needed(const struct fr_field *field)
{
    return field->flags & FR_FIELD_NEEDED && field->kind >= FR_FIELD_OBJECT;
}

void fr_encode_members(struct fr_writer *out, const struct fr_field *fields, const void *record)
{
    const unsigned choice = selected(fields, record);

    for (; fields->name; fields++) {
        const void *const value = at(fields, record);

        if ((fields->when && !(fields->when & choice)) ||
            (!is_present(fields, value) && !is_needed(fields)))
            continue;
        fr_json_key(out, fields->name);
        write_value(out, fields, value);
    }
}

void fr_encode(struct fr_writer *out, const struct fr_field *fields, const void *record)
{
    fr_json_object(out);
    fr_encode_members(out, fields, record);
    fr_json_object_end(out);
}
