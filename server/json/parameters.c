/* Binds the members of a JSON object to the parameters of a model. */
#include "server/json/decode.h"

#include <math.h>
#include <string.h>

static int bind_vector(const struct fr_param *param, json_t *value, struct fr_vector *out,
                       struct fr_faults *faults)
{
    struct fr_vector vector = { fr_json_count(value), { 0 } };
    size_t i;
    json_t *extent;

    if (fr_json_kind(value) != FR_JSON_ARRAY || vector.count < 1 || vector.count > FR_MAX_EXTENTS)
        return fr_fault(faults, FR_TYPE, param->name,
                        "must be an array of one to three whole numbers");
    FR_JSON_EACH_ITEM(value, i, extent)
    {
        const double number = fr_json_get_number(extent);

        if (fr_json_kind(extent) != FR_JSON_NUMBER || number != floor(number) ||
            fabs(number) > 9e15)
            return fr_fault(faults, FR_TYPE, param->name, "every extent must be a whole number");
        vector.at[i] = (int64_t)number;
    }
    *out = vector;
    return fr_param_check_vector(param, out, faults);
}

static int bind_set(const struct fr_param *param, json_t *value, double *out,
                    struct fr_faults *faults)
{
    unsigned set = 0;
    size_t i;
    json_t *name;

    if (fr_json_kind(value) != FR_JSON_ARRAY)
        return fr_fault(faults, FR_TYPE, param->name, "must be an array of strings");
    FR_JSON_EACH_ITEM(value, i, name)
    {
        const char *text = fr_json_get_text(name);
        double one;

        if (!text || strchr(text, ':') || !strcmp(text, "none"))
            return fr_fault(faults, text ? FR_CHOICE : FR_TYPE, param->name,
                            "every item must be the name of a choice");
        if (fr_param_parse(param, text, &one, faults) != FR_OK)
            return FR_CHOICE;
        set |= (unsigned)one;
    }
    *out = set;
    return FR_OK;
}

static bool has_kind(const struct fr_param *param, json_t *value)
{
    switch (param->kind) {
    case FR_KIND_INT:
    case FR_KIND_REAL:
        return fr_json_kind(value) == FR_JSON_NUMBER;
    case FR_KIND_BOOL:
        return fr_json_kind(value) == FR_JSON_BOOL;
    case FR_KIND_CHOICE:
    case FR_KIND_TEXT:
    case FR_KIND_BORROWED:
        return fr_json_kind(value) == FR_JSON_TEXT;
    case FR_KIND_SET:
    case FR_KIND_VECTOR:
        break;
    }
    return fr_json_kind(value) == FR_JSON_ARRAY;
}

void fr_param_bind(const struct fr_param *param, json_t *value, void *values,
                   struct fr_faults *faults)
{
    static const char *const expected[] = {
        [FR_KIND_INT] = "a whole number",      [FR_KIND_REAL] = "a number",
        [FR_KIND_BOOL] = "true or false",      [FR_KIND_CHOICE] = "a string",
        [FR_KIND_SET] = "an array of strings", [FR_KIND_VECTOR] = "an array of whole numbers",
        [FR_KIND_TEXT] = "a string",           [FR_KIND_BORROWED] = "a string",
    };
    struct fr_vector vector;
    double number = 0;

    if (!has_kind(param, value)) {
        fr_fault(faults, FR_TYPE, param->name, "must be %s", expected[param->kind]);
        return;
    }
    switch (param->kind) {
    case FR_KIND_INT:
    case FR_KIND_REAL:
        number = fr_json_get_number(value);
        if (fr_param_check(param, number, faults) == FR_OK)
            fr_param_set(param, values, number);
        break;
    case FR_KIND_BOOL:
        fr_param_set(param, values, fr_json_is_true(value));
        break;
    case FR_KIND_CHOICE:
    case FR_KIND_TEXT:
    case FR_KIND_BORROWED:
        fr_param_read(param, fr_json_get_text(value), values, faults);
        break;
    case FR_KIND_SET:
        if (bind_set(param, value, &number, faults) == FR_OK)
            fr_param_set(param, values, number);
        break;
    case FR_KIND_VECTOR:
        if (bind_vector(param, value, &vector, faults) == FR_OK)
            fr_param_set_vector(param, values, &vector);
        break;
    }
}

static void refuse_unknown(const struct fr_model *model, const char *const *beside, const char *key,
                           struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = key };

    fr_params_consider(model->params, &nearest);
    while (beside && *beside && strcmp(*beside, key) != 0)
        beside++;
    if (beside && *beside)
        fr_fault(faults, FR_UNKNOWN_PARAMETER, key,
                 "a member of the request, not a parameter of %s; put it beside `parameters`",
                 model->name);
    else
        fr_param_refuse(&nearest, model, NULL, faults);
}

void fr_params_bind(const struct fr_model *model, json_t *parameters, const char *const *beside,
                    void *values, uint64_t *given, struct fr_faults *faults)
{
    const char *key;
    json_t *value;

    *given = 0;
    if (parameters && fr_json_kind(parameters) != FR_JSON_OBJECT)
        fr_fault(faults, FR_TYPE, "parameters", "must be an object");
    FR_JSON_EACH_MEMBER(parameters, key, value)
    {
        const struct fr_param *param = fr_param_find(model->params, key);

        if (!param)
            refuse_unknown(model, beside, key, faults);
        else if (fr_param_give(model->params, param, key, given, faults) == FR_OK)
            fr_param_bind(param, value, values, faults);
    }
}
