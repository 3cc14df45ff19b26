#include "tests/unit/support/golden.h"

#include "server/calibrations/document.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *golden_load(const char *name)
{
    char path[200];
    json_error_t error;
    json_t *root;

    snprintf(path, sizeof path, "tests/validation/golden/%s", name);
    root = json_load_file(path, JSON_DECODE_INT_AS_REAL, &error);
    if (!root)
        fail_msg("%s: %s", path, error.text);
    return root;
}

double golden_number(json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

const char *golden_text(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

struct fr_vector golden_vector(json_t *list)
{
    struct fr_vector out = { .count = json_array_size(list) };

    for (size_t i = 0; i < out.count; i++)
        out.at[i] = (int64_t)json_number_value(json_array_get(list, i));
    return out;
}

const struct fr_calibration *golden_calibration(json_t *golden, const char *name,
                                                struct fr_arena *arena)
{
    json_t *all = json_object_get(golden, "calibrations"), *document = json_object_get(all, name);
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults = { 0 };
    char id[17];

    if (json_is_string(document)) {
        document = golden_load(json_string_value(document));
        json_object_set_new(all, name, document);
    }
    json_object_set_new(document, "schema", json_string("forerun-calibration-1"));
    json_object_set_new(document, "machine", json_string(name));
    if (fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s %s", name, faults.fault[0].where, faults.fault[0].message);
    return cal;
}

/* Binds parameters from a JSON object (without `model`); returns the model, or NULL with a
 * fault. */
static const struct fr_model *bind(json_t *problem, struct fr_arena *arena, void **values,
                                   struct fr_faults *faults)
{
    const char *name = json_string_value(json_object_get(problem, "model")), *key;
    const struct fr_model *model = fr_model_find(name);
    json_t *value;

    if (!model) {
        fr_fault(faults, FR_NOT_FOUND, "model", "'%s' is not known", name);
        return NULL;
    }
    *values = fr_arena_zeroed(arena, 1, model->values_size);
    fr_params_clear(model->params, *values);
    json_object_foreach(problem, key, value)
    {
        const struct fr_param *param = fr_param_find(model->params, key);
        double number = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);

        if (strcmp(key, "model") == 0)
            continue;
        if (!param)
            fail_msg("%s has no parameter %s", name, key);
        if (json_is_string(value)
                ? fr_param_parse(param, json_string_value(value), &number, faults) == FR_OK
                : fr_param_check(param, number, faults) == FR_OK)
            fr_param_set(param, *values, number);
    }
    return model;
}

void golden_warnings(const struct fr_prediction *prediction, json_t *expected, const char *id)
{
    size_t counted = 0;

    for (size_t i = 0; i < prediction->warning_count; i++) {
        const struct fr_warning *warning = &prediction->warning[i];
        char text[100];
        size_t index;
        json_t *want;
        bool is_expected = false;

        if (warning->code == FR_WARN_ASSUMED || warning->code == FR_WARN_UNSTATED)
            continue;
        snprintf(text, sizeof text, "%s%s%s", fr_warning_name(warning->code),
                 warning->what ? ":" : "", warning->what ? warning->what : "");
        json_array_foreach(expected, index, want) is_expected =
            is_expected || strcmp(json_string_value(want), text) == 0;
        if (!is_expected)
            fail_msg("%s: warning %s is not expected", id, text);
        counted++;
    }
    if (counted != json_array_size(expected))
        fail_msg("%s: %zu warnings instead of %zu", id, counted, json_array_size(expected));
}

static void check_breakdown(const struct fr_prediction *got, json_t *expected, const char *id)
{
    json_t *want;
    size_t index;

    if (got->phase_count != json_array_size(expected))
        fail_msg("%s: %zu phases instead of %zu", id, got->phase_count, json_array_size(expected));
    json_array_foreach(expected, index, want)
    {
        const char *name = json_string_value(json_object_get(want, "phase"));
        const struct fr_phase *phase = phase_of(got, name);

        if (!phase)
            fail_msg("%s: no phase %s", id, name);
        assert_string_equal(phase->kind == FR_COMPUTATION ? "computation" : "communication",
                            json_string_value(json_object_get(want, "kind")));
        assert_close(phase->time_s, json_number_value(json_object_get(want, "time_s")), 1e-9);
        assert_close(phase->hidden_s, json_number_value(json_object_get(want, "hidden_s")), 1e-9);
    }
}

void golden_vector_is(const struct fr_vector *got, json_t *want, const char *id)
{
    const struct fr_vector expected = golden_vector(want);
    char text[80];

    fr_vector_print(got, text, sizeof text);
    if (!fr_vector_equal(got, &expected))
        fail_msg("%s: %s", id, text);
}

void golden_number_is(double got, json_t *want, const char *name, const char *id)
{
    const double expected = json_is_null(want) ? NAN : json_number_value(want);

    if (isnan(got) && isnan(expected))
        return;
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %s is %.17g instead of %.17g", id, name, got, expected);
}

void golden_outputs(const struct fr_model *model, const struct fr_prediction *got, json_t *expected,
                    const char *outer, const char *id)
{
    const char *key;
    json_t *want;

    json_object_foreach(expected, key, want)
    {
        const struct fr_output *output;
        char name[80];

        snprintf(name, sizeof name, "%s%s%s", outer, *outer ? "." : "", key);
        output = fr_output_find(model->outputs, name);
        if (strcmp(key, "breakdown") == 0)
            check_breakdown(got, want, id);
        else if (strcmp(key, "warnings") == 0)
            golden_warnings(got, want, id);
        else if (json_is_object(want))
            golden_outputs(model, got, want, name, id);
        else if (!output)
            fail_msg("%s: no output %s", id, name);
        else if (output->kind == FR_OUTPUT_VECTOR)
            golden_vector_is(fr_output_vector(output, got), want, id);
        else if (output->kind == FR_OUTPUT_TEXT)
            assert_string_equal(fr_output_text(output, got), json_string_value(want));
        else
            golden_number_is(fr_output_get(output, got), want, name, id);
    }
}

static void check_refused(const struct fr_faults *faults, json_t *expected, const char *id)
{
    json_t *want;
    size_t index;

    json_array_foreach(expected, index, want)
    {
        bool is_there = false;

        for (size_t i = 0; i < faults->count; i++)
            is_there = is_there || strcmp(faults->fault[i].where, json_string_value(want)) == 0 ||
                       strcmp(fr_code_name(faults->fault[i].code), json_string_value(want)) == 0;
        if (!is_there)
            fail_msg("%s: %s is not refused", id, json_string_value(want));
    }
    if (faults->count != json_array_size(expected))
        fail_msg("%s: refused %zu, first %s: %s", id, faults->count, faults->fault[0].where,
                 faults->fault[0].message);
}

void golden_problem(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal =
        golden_calibration(golden, json_string_value(json_object_get(item, "calibration")), arena);
    json_t *expected = json_object_get(item, "expect");
    json_t *refused = json_object_get(expected, "refused");
    struct fr_faults faults = { 0 };
    struct fr_prediction got;
    void *values = NULL;
    const struct fr_model *model = bind(json_object_get(item, "problem"), arena, &values, &faults);

    if (model)
        fr_model_resolve(model, values, cal, &faults);
    if (refused) {
        check_refused(&faults, refused, id);
    } else {
        if (faults.count)
            fail_msg("%s: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
        assert_int_equal(fr_model_predict(model, values, cal, arena, &got, &faults), FR_OK);
        golden_outputs(model, &got, expected, "", id);
    }
    fr_arena_free(arena);
}
