/* Calibrations: the empty record, and groups. */
#include "engine/calibration/calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const fr_stream_names[FR_STREAMS] = { FR_STREAM_LIST(FR_CHOICE_NAME) };

const char *fr_group_name(unsigned group)
{
    switch (group) {
#define X(name, bit, text) \
    case bit:              \
        return text;
        FR_GROUPS(X)
#undef X
    default:
        return "";
    }
}

void fr_groups_print(unsigned groups, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (unsigned bit = 1; bit <= FR_CAL_CNC && used < size; bit *= 2)
        if (groups & bit)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     fr_group_name(bit));
}

double fr_core_peak_flops_per_s(const struct fr_calibration *cal, int precision)
{
    const bool is_single = precision == FR_SINGLE || precision == FR_COMPLEX;
    const double peak = is_single ? cal->node.peak_single_flops_per_s : cal->node.peak_flops_per_s;

    return cal->node.cores_per_node ? peak / (double)cal->node.cores_per_node : NAN;
}

enum fr_precision fr_step_precision(const struct fr_step_kernel *row)
{
    return row->precision == -1 ? FR_SINGLE : (enum fr_precision)row->precision;
}

void fr_fields_clear(const struct fr_field *fields, void *record)
{
    for (; fields->name; fields++) {
        void *at = (char *)record + fields->offset;

        switch (fields->kind) {
        case FR_FIELD_NUMBER:
            *(double *)at = NAN;
            break;
        case FR_FIELD_BOOL:
        case FR_FIELD_CHOICE:
            *(int *)at = -1;
            break;
        case FR_FIELD_OBJECT:
            fr_fields_clear(fields->fields, at);
            break;
        case FR_FIELD_COUNT:
        case FR_FIELD_TEXT:
        case FR_FIELD_TABLE:
        case FR_FIELD_NUMBERS:
        case FR_FIELD_TEXTS:
        case FR_FIELD_LISTS:
        case FR_FIELD_ANY:
            break; /* zeroed already */
        }
    }
}

/* Whether rows contain measured values.  If not, a choice is a value, not a key. */
static bool has_measured(const struct fr_field *fields)
{
    for (; fields->name; fields++)
        if (fields->scaling != FR_SCALE_NOT)
            return true;
    return false;
}

static bool tells_row(const struct fr_field *fields, const struct fr_field *column)
{
    switch (column->kind) {
    case FR_FIELD_TEXT:
        return true;
    case FR_FIELD_CHOICE:
        return has_measured(fields);
    case FR_FIELD_NUMBER:
    case FR_FIELD_COUNT:
        return column->scaling == FR_SCALE_NOT;
    case FR_FIELD_BOOL:
    case FR_FIELD_OBJECT:
    case FR_FIELD_TABLE:
    case FR_FIELD_NUMBERS:
    case FR_FIELD_TEXTS:
    case FR_FIELD_LISTS:
    case FR_FIELD_ANY:
        break;
    }
    return false;
}

struct fr_row_keys fr_row_keys_of(const struct fr_field *fields)
{
    struct fr_row_keys keys = { .count = 0 };

    for (const struct fr_field *column = fields; column->name; column++)
        if (column->flags & FR_FIELD_NAME)
            return (struct fr_row_keys){ { column }, 1 };
    for (const struct fr_field *column = fields; column->name && keys.count < FR_MOST_KEYS;
         column++)
        if (tells_row(fields, column))
            keys.column[keys.count++] = column;
    return keys;
}

void fr_calibration_clear(struct fr_calibration *cal)
{
    memset(cal, 0, sizeof *cal);
    fr_fields_clear(fr_calibration_fields, cal);
    cal->core_peak_flops_per_s = NAN;
    cal->facts = fr_no_facts;
}
