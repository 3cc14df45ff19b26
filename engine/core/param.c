/* Names of parameters, and their values, by descriptors. */
#include "engine/core/param.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

bool fr_param_has_range(const struct fr_param *param)
{
    return param->kind == FR_KIND_INT || param->kind == FR_KIND_REAL ||
           param->kind == FR_KIND_VECTOR;
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

void fr_param_set_text(const struct fr_param *param, void *values, const char *text)
{
    if (param->kind == FR_KIND_BORROWED)
        *borrowed_at(param, values) = text;
    else
        memmove(words_at(param, values)->text, text, strlen(text) + 1);
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

const struct fr_vector *fr_param_vector(const struct fr_param *param, const void *values)
{
    return value_at(param, values);
}

void fr_param_set_vector(const struct fr_param *param, void *values, const struct fr_vector *value)
{
    *vector_at(param, values) = *value;
}
