/* Parsing, checking, printing and copying of values by their parameter descriptors. */
#include "engine/core/param.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Doubles represent integers exactly up to this value. */
static const double exact_limit = 9007199254740992.0;

const char *const fr_per_node_aliases[] = { "processes_per_node", "ranks_per_node",
                                            "tasks_per_node", "ntasks_per_node", NULL };

static bool is_named(const struct fr_param *param, const char *name)
{
    if (strcmp(param->name, name) == 0)
        return true;
    for (const char *const *alias = param->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return false;
}

const struct fr_param *fr_param_find(const struct fr_param *params, const char *name)
{
    for (; params->name; params++)
        if (is_named(params, name))
            return params;
    return NULL;
}

void fr_params_consider(const struct fr_param *params, struct fr_nearest *nearest)
{
    for (; params && params->name; params++)
        fr_nearest_consider(nearest, params->name);
}

const char *fr_param_near(const struct fr_param *params, const char *name)
{
    struct fr_nearest nearest = { .name = name };

    fr_params_consider(params, &nearest);
    return nearest.found;
}

uint64_t fr_param_bit(const struct fr_param *params, const struct fr_param *param)
{
    assert(param - params < 64);
    return UINT64_C(1) << (param - params);
}

int fr_param_give(const struct fr_param *params, const struct fr_param *param, const char *name,
                  uint64_t *given, struct fr_faults *faults)
{
    const uint64_t bit = fr_param_bit(params, param);

    if (*given & bit)
        return fr_fault(faults, FR_REPEATED, name,
                        "%s is given twice, under two names; give it once", param->name);
    *given |= bit;
    return FR_OK;
}

static int64_t *int_at(const struct fr_param *param, void *values)
{
    return (int64_t *)(void *)((char *)values + param->offset);
}

static double *real_at(const struct fr_param *param, void *values)
{
    return (double *)(void *)((char *)values + param->offset);
}

static int *choice_at(const struct fr_param *param, void *values)
{
    return (int *)(void *)((char *)values + param->offset);
}

static struct fr_vector *vector_at(const struct fr_param *param, void *values)
{
    return (struct fr_vector *)(void *)((char *)values + param->offset);
}

static struct fr_words *words_at(const struct fr_param *param, void *values)
{
    return (struct fr_words *)(void *)((char *)values + param->offset);
}

static const char **borrowed_at(const struct fr_param *param, void *values)
{
    return (const char **)(void *)((char *)values + param->offset);
}

static const void *value_at(const struct fr_param *param, const void *values)
{
    return (const char *)values + param->offset;
}

void fr_param_open(const struct fr_param *param, void *values)
{
    switch (param->kind) {
    case FR_KIND_INT:
        *int_at(param, values) = FR_OPEN_INT;
        break;
    case FR_KIND_REAL:
        *real_at(param, values) = NAN;
        break;
    case FR_KIND_BOOL:
    case FR_KIND_CHOICE:
    case FR_KIND_SET:
        *choice_at(param, values) = FR_OPEN_CHOICE;
        break;
    case FR_KIND_VECTOR:
        *vector_at(param, values) = (struct fr_vector){ 0 };
        break;
    case FR_KIND_TEXT:
        words_at(param, values)->text[0] = '\0';
        break;
    case FR_KIND_BORROWED:
        *borrowed_at(param, values) = NULL;
        break;
    }
}

bool fr_param_is_idle(const struct fr_param *params, const struct fr_param *param,
                      const void *values)
{
    const struct fr_param *other =
        param->idle_with ? fr_param_find(params, param->idle_with) : NULL;

    return other && !fr_param_is_open(other, values) &&
           param->idle_at & 1u << (unsigned)fr_param_get(other, values);
}

void fr_params_open_idle(const struct fr_param *params, uint64_t kept, void *values)
{
    for (const struct fr_param *param = params; param->name; param++)
        if (param->flags & FR_TUNABLE && !(kept & fr_param_bit(params, param)) &&
            fr_param_is_idle(params, param, values))
            fr_param_open(param, values);
}

bool fr_param_is_open(const struct fr_param *param, const void *values)
{
    const void *at = value_at(param, values);

    switch (param->kind) {
    case FR_KIND_INT:
        return *(const int64_t *)at == FR_OPEN_INT;
    case FR_KIND_REAL:
        return isnan(*(const double *)at);
    case FR_KIND_VECTOR:
        return fr_param_vector(param, values)->count == 0;
    case FR_KIND_TEXT:
        return !*fr_param_text(param, values);
    case FR_KIND_BORROWED:
        return !fr_param_text(param, values);
    case FR_KIND_BOOL:
    case FR_KIND_CHOICE:
    case FR_KIND_SET:
        break;
    }
    return *(const int *)at == FR_OPEN_CHOICE;
}

double fr_param_get(const struct fr_param *param, const void *values)
{
    const void *at = value_at(param, values);

    switch (param->kind) {
    case FR_KIND_INT:
        return (double)*(const int64_t *)at;
    case FR_KIND_REAL:
        return *(const double *)at;
    case FR_KIND_VECTOR:
    case FR_KIND_TEXT:
    case FR_KIND_BORROWED:
        return NAN;
    case FR_KIND_BOOL:
    case FR_KIND_CHOICE:
    case FR_KIND_SET:
        break;
    }
    return *(const int *)at;
}

void fr_param_set(const struct fr_param *param, void *values, double value)
{
    switch (param->kind) {
    case FR_KIND_INT:
        *int_at(param, values) = (int64_t)value;
        break;
    case FR_KIND_REAL:
        *real_at(param, values) = value;
        break;
    case FR_KIND_BOOL:
    case FR_KIND_CHOICE:
    case FR_KIND_SET:
        *choice_at(param, values) = (int)value;
        break;
    case FR_KIND_VECTOR:
    case FR_KIND_TEXT:
    case FR_KIND_BORROWED:
        break;
    }
}

void fr_param_copy(const struct fr_param *param, const void *from, void *values)
{
    static const size_t size[] = {
        [FR_KIND_INT] = sizeof(int64_t),
        [FR_KIND_REAL] = sizeof(double),
        [FR_KIND_BOOL] = sizeof(int),
        [FR_KIND_CHOICE] = sizeof(int),
        [FR_KIND_SET] = sizeof(int),
        [FR_KIND_VECTOR] = sizeof(struct fr_vector),
        [FR_KIND_TEXT] = sizeof(struct fr_words),
        [FR_KIND_BORROWED] = sizeof(const char *),
    };

    memcpy((char *)values + param->offset, value_at(param, from), size[param->kind]);
}

void fr_params_clear(const struct fr_param *params, void *values)
{
    for (; params->name; params++) {
        if (params->flags & FR_DEFAULT)
            fr_param_set(params, values, params->fallback);
        else
            fr_param_open(params, values);
    }
}

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

void fr_param_set_text(const struct fr_param *param, void *values, const char *text)
{
    memmove(words_at(param, values)->text, text, strlen(text) + 1);
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

bool fr_param_equal(const struct fr_param *param, const void *a, const void *b)
{
    if (param->kind == FR_KIND_VECTOR)
        return fr_vector_equal(fr_param_vector(param, a), fr_param_vector(param, b));
    if (param->kind == FR_KIND_TEXT)
        return strcmp(fr_param_text(param, a), fr_param_text(param, b)) == 0;
    return fr_param_get(param, a) == fr_param_get(param, b);
}

const char *fr_param_text(const struct fr_param *param, const void *values)
{
    const void *at = value_at(param, values);

    return param->kind == FR_KIND_BORROWED ? *(const char *const *)at
                                           : ((const struct fr_words *)at)->text;
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
        *borrowed_at(param, values) = text;
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

const struct fr_vector *fr_param_vector(const struct fr_param *param, const void *values)
{
    return value_at(param, values);
}

void fr_param_set_vector(const struct fr_param *param, void *values, const struct fr_vector *value)
{
    *vector_at(param, values) = *value;
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
