/* Values of parameters from texts and as texts. */
#include "engine/core/param.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Doubles represent integers exactly up to this value. */
static const double exact_limit = 9007199254740992.0;

int fr_param_choice(const struct fr_param *param, const char *name)
{
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], name) == 0)
            return i;
    for (const struct fr_choice_alias *alias = param->choice_aliases; alias && alias->name; alias++)
        if (strcmp(alias->name, name) == 0)
            return alias->choice;
    return FR_OPEN_CHOICE;
}

static void list_choices(const struct fr_param *param, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (const char *const *choice = param->choices; *choice && used < size; choice++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", *choice);
}

static int parse_choice(const struct fr_param *param, const char *text, double *value,
                        struct fr_faults *faults)
{
    const int choice = fr_param_choice(param, text);
    char choices[200];

    if (choice != FR_OPEN_CHOICE) {
        *value = choice;
        return FR_OK;
    }
    list_choices(param, choices, sizeof choices);
    return fr_fault(faults, FR_CHOICE, param->name, "'%.40s' is not one of %s", text, choices);
}

static int refuse_number(const struct fr_param *param, double value, struct fr_faults *faults)
{
    char got[32], low[32], high[32];

    fr_number_text(value, got, sizeof got);
    fr_number_text(param->min, low, sizeof low);
    fr_number_text(param->max, high, sizeof high);
    if (param->kind == FR_KIND_INT && isfinite(value) && value != floor(value))
        return fr_fault(faults, FR_TYPE, param->name, "%s is not a whole number; try %" PRId64, got,
                        (int64_t)llround(fmin(fmax(value, param->min), param->max)));
    return fr_fault(faults, FR_RANGE, param->name, "%s is outside %s to %s", got, low, high);
}

int fr_param_check(const struct fr_param *param, double value, struct fr_faults *faults)
{
    const bool is_fraction = param->kind == FR_KIND_INT && isfinite(value) && value != floor(value);

    if (param->kind != FR_KIND_INT && param->kind != FR_KIND_REAL)
        return FR_OK;
    if (!is_fraction && isfinite(value) && param->flags & FR_LATE && fabs(value) < exact_limit)
        return FR_OK;
    if (!is_fraction && value >= param->min && value <= param->max)
        return FR_OK;
    return refuse_number(param, value, faults);
}

/* `a:b:c`, or `none`. */
static int parse_set(const struct fr_param *param, const char *text, double *value,
                     struct fr_faults *faults)
{
    char name[64];
    int set = 0;

    while (strcmp(text, "none")) {
        const size_t length = strcspn(text, ":");
        double choice = 0;

        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name),
                 text);
        if (parse_choice(param, name, &choice, faults) != FR_OK)
            return FR_CHOICE;
        set |= 1 << (int)choice;
        if (!text[length])
            break;
        text += length + 1;
    }
    *value = set;
    return FR_OK;
}

int fr_param_parse(const struct fr_param *param, const char *text, double *value,
                   struct fr_faults *faults)
{
    double number;

    if (param->kind == FR_KIND_CHOICE)
        return parse_choice(param, text, value, faults);
    if (param->kind == FR_KIND_SET)
        return parse_set(param, text, value, faults);
    if (param->kind == FR_KIND_BOOL) {
        if (strcmp(text, "true") && strcmp(text, "false"))
            return fr_fault(faults, FR_SYNTAX, param->name, "'%.40s' is neither true nor false",
                            text);
        *value = text[0] == 't';
        return FR_OK;
    }
    if (!fr_number_parse(text, &number))
        return fr_fault(faults, FR_SYNTAX, param->name, "'%.40s' is not a number", text);
    if (!isfinite(number))
        return fr_fault(faults, FR_RANGE, param->name, "'%.40s' is too large for a number", text);
    if (fr_param_check(param, number, faults) != FR_OK)
        return FR_RANGE;
    *value = number;
    return FR_OK;
}

static void print_set(const struct fr_param *param, unsigned set, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", set ? "" : "none");

    for (unsigned i = 0; param->choices[i] && used < size; i++)
        if (set & 1u << i)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ":" : "",
                                     param->choices[i]);
}

void fr_param_print_number(const struct fr_param *param, double value, char *out, size_t size)
{
    if (param->kind == FR_KIND_BOOL)
        snprintf(out, size, "%s", value != 0 ? "true" : "false");
    else if (param->kind == FR_KIND_CHOICE)
        snprintf(out, size, "%s", param->choices[(int)value]);
    else if (param->kind == FR_KIND_SET)
        print_set(param, (unsigned)value, out, size);
    else
        fr_number_text(value, out, size);
}

void fr_param_print(const struct fr_param *param, const void *values, char *out, size_t size)
{
    if (param->kind == FR_KIND_VECTOR)
        fr_vector_print(fr_param_vector(param, values), out, size);
    else if (param->kind == FR_KIND_TEXT || param->kind == FR_KIND_BORROWED)
        snprintf(out, size, "%s", fr_param_text(param, values));
    else
        fr_param_print_number(param, fr_param_get(param, values), out, size);
}

/* Accepts visible characters, blanks and line ends. */
static int read_words(const struct fr_param *param, const char *text, void *values,
                      struct fr_faults *faults)
{
    const size_t length = strlen(text);

    if (length >= FR_WORDS_BYTES)
        return fr_fault(faults, FR_RANGE, param->name, "%zu characters; at most %d", length,
                        FR_WORDS_BYTES - 1);
    for (size_t i = 0; i < length; i++)
        if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\r' && text[i] != '\t') ||
            text[i] > '~')
            return fr_fault(faults, FR_SYNTAX, param->name,
                            "character %zu is not allowed; use printable ASCII characters", i + 1);
    if (!length)
        return fr_fault(faults, FR_SYNTAX, param->name, "is empty");
    fr_param_set_text(param, values, text);
    return FR_OK;
}

int fr_param_check_vector(const struct fr_param *param, const struct fr_vector *value,
                          struct fr_faults *faults)
{
    char text[80], high[32];

    for (size_t i = 0; i < value->count; i++) {
        if ((double)value->at[i] >= param->min && (double)value->at[i] <= param->max)
            continue;
        fr_vector_print(value, text, sizeof text);
        fr_number_text(param->max, high, sizeof high);
        return fr_fault(faults, FR_RANGE, param->name, "%s: each extent must lie in %.0f to %s",
                        text, param->min, high);
    }
    return FR_OK;
}

int fr_param_parse_vector(const struct fr_param *param, const char *text, struct fr_vector *value,
                          struct fr_faults *faults)
{
    struct fr_vector vector = { 0 };
    const char *at = text;

    for (;;) {
        const size_t length = strcspn(at, "x");
        char item[32];
        double number;

        snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item), at);
        if (vector.count == FR_MAX_EXTENTS || !fr_number_parse(item, &number) ||
            number != floor(number) || fabs(number) > exact_limit)
            return fr_fault(faults, FR_SYNTAX, param->name,
                            "'%.60s' is not one to three whole numbers such as 8x8x8", text);
        vector.at[vector.count++] = (int64_t)number;
        if (!at[length])
            break;
        at += length + 1;
    }
    if (fr_param_check_vector(param, &vector, faults) != FR_OK)
        return FR_RANGE;
    *value = vector;
    return FR_OK;
}

int fr_param_read(const struct fr_param *param, const char *text, void *values,
                  struct fr_faults *faults)
{
    struct fr_vector vector;
    double value;
    int code;

    if (param->kind == FR_KIND_TEXT)
        return read_words(param, text, values, faults);
    if (param->kind == FR_KIND_BORROWED) {
        fr_param_set_text(param, values, text);
        return FR_OK;
    }
    if (param->kind == FR_KIND_VECTOR) {
        code = fr_param_parse_vector(param, text, &vector, faults);
        if (code == FR_OK)
            fr_param_set_vector(param, values, &vector);
        return code;
    }
    code = fr_param_parse(param, text, &value, faults);
    if (code == FR_OK)
        fr_param_set(param, values, value);
    return code;
}
