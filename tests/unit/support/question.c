#include "tests/unit/support/question.h"

#include "server/calibrations/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char round_machine[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'round',"
    " 'node': {'cores_per_node': 4, 'peak_flops_per_s': 4, 'memory_bytes': 4e6},"
    " 'network': {'protocols': [{'name': 'all', 'max_message_bytes': null,"
    "   'off_node': {'latency_s': 1, 'inverse_bandwidth_s_per_byte': 0.125}}]},"
    " 'contention': {'message_bytes': 1000,"
    "   'average': [{'distance': 1, 'factor': 1}, {'distance': 1e9, 'factor': 1}],"
    "   'maximum': [{'processes': 1, 'distance': 1, 'factor': 2},"
    "               {'processes': 1, 'distance': 1e9, 'factor': 2},"
    "               {'processes': 1e9, 'distance': 1, 'factor': 2},"
    "               {'processes': 1e9, 'distance': 1e9, 'factor': 2}]},"
    " 'kernels': {"
    "   'dgemm': {'square': [{'threads': 1, 'n': 1, 'efficiency_fraction': 1},"
    "                        {'threads': 1, 'n': 1e9, 'efficiency_fraction': 1},"
    "                        {'threads': 4, 'n': 1, 'efficiency_fraction': 1},"
    "                        {'threads': 4, 'n': 1e9, 'efficiency_fraction': 1}]},"
    "   'dtrsm': {'square': [{'threads': 1, 'n': 1, 'time_s': 2},"
    "                        {'threads': 1, 'n': 1e9, 'efficiency_fraction': 0.5},"
    "                        {'threads': 4, 'n': 1, 'time_s': 0.5},"
    "                        {'threads': 4, 'n': 1e9, 'efficiency_fraction': 0.5}]},"
    "   'dsyrk': {'square': [{'threads': 1, 'n': 1, 'time_s': 1},"
    "                        {'threads': 1, 'n': 1e9, 'efficiency_fraction': 1},"
    "                        {'threads': 4, 'n': 1, 'time_s': 0.25},"
    "                        {'threads': 4, 'n': 1e9, 'efficiency_fraction': 1}]},"
    "   'dpotrf': {'square': [{'threads': 1, 'n': 1, 'time_s': 1},"
    "                         {'threads': 1, 'n': 1000, 'time_s': 1e9},"
    "                         {'threads': 4, 'n': 1, 'time_s': 0.25},"
    "                         {'threads': 4, 'n': 1000, 'time_s': 0.25e9}]}},"
    " 'sources': {'': 'published: invented for tests'}}";

char *quoted(const char *text, struct fr_arena *arena)
{
    char *copy = fr_arena_text(arena, text, strlen(text));

    assert_non_null(copy);
    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    return copy;
}

static int decode(const char *document, struct fr_arena *arena, struct fr_calibration *cal,
                  struct fr_faults *faults)
{
    char id[17];

    faults->count = 0;
    return fr_calibration_read(quoted(document, arena), strlen(document), arena, cal, id, faults);
}

const struct fr_calibration *calibration_of(const char *document, struct fr_arena *arena)
{
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults;

    assert_non_null(cal);
    if (decode(document, arena, cal, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    return cal;
}

int round_begin(void **state)
{
    static struct round_place place;

    place.arena = fr_arena_new(1 << 27);
    place.cal = calibration_of(round_machine, place.arena);
    *state = &place;
    return 0;
}

int place_end(void **state)
{
    fr_arena_free(*(struct fr_arena **)*state);
    return 0;
}

int arena_begin(void **state)
{
    *state = fr_arena_new(1 << 26);
    return 0;
}

int arena_end(void **state)
{
    fr_arena_free(*state);
    return 0;
}

struct fr_faults document_refused(const char *document)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    struct fr_calibration cal;
    struct fr_faults faults;

    if (decode(document, arena, &cal, &faults) == FR_OK)
        fail_msg("not refused: %s", document);
    assert_true(faults.count > 0);
    fr_arena_free(arena);
    return faults;
}

const struct fr_model *ask(const char *name, const char *query, struct fr_arena *arena,
                           void **values, struct fr_faults *faults)
{
    const struct fr_model *model = fr_model_find(name);
    char copy[512], *rest = NULL;

    assert_non_null(model);
    assert_true(strlen(query) < sizeof copy);
    strcpy(copy, query);
    *values = fr_arena_zeroed(arena, 1, model->values_size);
    fr_params_clear(model->params, *values);
    for (char *pair = strtok_r(copy, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *value = strchr(pair, '=');
        const struct fr_param *param;

        assert_non_null(value);
        *value++ = '\0';
        param = fr_param_find(model->params, pair);
        if (!param)
            fail_msg("%s has no parameter %s", name, pair);
        fr_param_read(param, value, *values, faults);
    }
    return model;
}

const struct fr_model *ask_open(const char *name, const char *query, struct fr_arena *arena,
                                void **values, struct fr_faults *faults)
{
    const struct fr_model *model = ask(name, query, arena, values, faults);

    for (const struct fr_param *param = model->params; param->name; param++) {
        char key[40];

        snprintf(key, sizeof key, "%s=", param->name);
        if (param->flags & FR_TUNABLE && !strstr(query, key))
            fr_param_open(param, *values);
    }
    return model;
}

const struct fr_model *resolved(const char *name, const char *query,
                                const struct fr_calibration *cal, struct fr_arena *arena,
                                void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *model = ask(name, query, arena, values, &faults);

    if (fr_model_resolve(model, *values, cal, &faults) != FR_OK || faults.count)
        fail_msg("%s?%s: %s: %s", name, query, faults.fault[0].where, faults.fault[0].message);
    return model;
}

struct fr_prediction predicted_of(const struct fr_model *model, const void *values,
                                  const struct fr_calibration *cal, struct fr_arena *arena)
{
    struct fr_faults faults = { 0 };
    struct fr_prediction out = { 0 };

    if (fr_model_predict(model, values, cal, arena, &out, &faults) != FR_OK)
        fail_msg("%s: %s: %s", model->name, faults.fault[0].where, faults.fault[0].message);
    return out;
}

struct fr_prediction predicted(const char *name, const char *query,
                               const struct fr_calibration *cal)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_prediction out;
    void *values;
    const struct fr_model *model = resolved(name, query, cal, arena, &values);

    out = predicted_of(model, values, cal, arena);
    fr_arena_free(arena);
    return out;
}

void explained(const char *name, const char *query, const struct fr_calibration *cal,
               const struct fr_listing *listing)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_faults faults = { 0 };
    struct fr_prediction scratch;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &scratch, .faults = &faults };
    void *values;
    const struct fr_model *model = resolved(name, query, cal, arena, &values);

    fr_prediction_clear(&scratch);
    model->explain(values, &run, listing);
    assert_int_equal(faults.count, 0);
    fr_arena_free(arena);
}

struct fr_faults refused(const char *name, const char *query, const struct fr_calibration *cal)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    void *values;
    const struct fr_model *model = ask(name, query, arena, &values, &faults);

    if ((fr_model_resolve(model, values, cal, &faults) == FR_OK &&
         fr_model_predict(model, values, cal, arena, &out, &faults) == FR_OK) ||
        !faults.count)
        fail_msg("%s?%s is not refused", name, query);
    fr_arena_free(arena);
    return faults;
}

const struct fr_fault *fault_at(const struct fr_faults *faults, const char *where)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        if (strcmp(faults->fault[i].where, where) == 0)
            return &faults->fault[i];
    return NULL;
}

void check_fault(const struct fr_faults *faults, enum fr_code code, const char *where,
                 const char *words, const char *file, int line)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        const struct fr_fault *fault = &faults->fault[i];

        if (fault->code == code && strcmp(fault->where, where) == 0 &&
            strstr(fault->message, words))
            return;
    }
    print_error("no %s at %s with '%s' among %zu faults:\n", fr_code_name(code), where, words,
                faults->count);
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        print_error("    %s at %s: %s\n", fr_code_name(faults->fault[i].code),
                    faults->fault[i].where, faults->fault[i].message);
    _fail(file, line);
}

double output_of(const char *model, const char *name, const struct fr_prediction *prediction)
{
    const struct fr_output *output = fr_output_find(fr_model_find(model)->outputs, name);

    assert_non_null(output);
    return fr_output_get(output, prediction);
}

const struct fr_phase *phase_of(const struct fr_prediction *prediction, const char *name)
{
    for (size_t i = 0; i < prediction->phase_count; i++)
        if (strcmp(prediction->phase[i].name, name) == 0)
            return &prediction->phase[i];
    return NULL;
}

bool has_warning(const struct fr_prediction *prediction, enum fr_warning_code code,
                 const char *what)
{
    for (size_t i = 0; i < prediction->warning_count; i++) {
        const struct fr_warning *warning = &prediction->warning[i];

        if (warning->code == code &&
            (what ? warning->what && strcmp(warning->what, what) == 0 : !warning->what))
            return true;
    }
    return false;
}
