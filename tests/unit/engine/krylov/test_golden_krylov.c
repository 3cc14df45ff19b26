/* Golden cases of the Krylov models: with and without a saved run, inner functions, and refined
 * communication (docs/models/krylov.md). */
#include "engine/krylov/communication/krylov.h"
#include "server/json/decode.h"
#include "server/runs/run_document.h"
#include "tests/unit/support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t find_run(void *context, const void *values, const struct fr_saved_run *const **runs)
{
    (void)values;
    *runs = context;
    return 1;
}

static double number(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);

    return value ? json_number_value(value) : NAN;
}

static struct fr_vector vector(json_t *list)
{
    struct fr_vector out = { .count = json_array_size(list) };

    for (size_t i = 0; i < out.count; i++)
        out.at[i] = (int64_t)json_number_value(json_array_get(list, i));
    return out;
}

static void check_vector(const struct fr_vector *got, json_t *want, const char *id)
{
    const struct fr_vector expected = vector(want);
    char text[80];

    fr_vector_print(got, text, sizeof text);
    if (!fr_vector_equal(got, &expected))
        fail_msg("%s: %s", id, text);
}

/* Objects in the case are outputs with a dot in their names. */
static void check_outputs(const struct fr_model *model, const struct fr_prediction *got,
                          json_t *expected, const char *outer, const char *id)
{
    const char *key;
    json_t *want;

    json_object_foreach(expected, key, want)
    {
        const struct fr_output *output;
        char name[80];

        snprintf(name, sizeof name, "%s%s%s", outer, *outer ? "." : "", key);
        output = fr_output_find(model->outputs, name);
        if (strcmp(key, "warnings") == 0)
            golden_warnings(got, want, id);
        else if (json_is_object(want))
            check_outputs(model, got, want, name, id);
        else if (!output)
            fail_msg("%s: no output %s", id, name);
        else if (output->kind == FR_OUTPUT_VECTOR)
            check_vector(fr_output_vector(output, got), want, id);
        else if (!(fabs(fr_output_get(output, got) - json_number_value(want)) <=
                   1e-9 * fabs(json_number_value(want))))
            fail_msg("%s: %s is %.17g instead of %.17g", id, name, fr_output_get(output, got),
                     json_number_value(want));
    }
}

static void check_breakdown(const struct fr_prediction *got, const char *id)
{
    double sum = 0;

    for (size_t i = 0; i < got->phase_count; i++) {
        sum += got->phase[i].time_s - got->phase[i].hidden_s;
        if (got->phase[i].hidden_s > got->phase[i].time_s * (1 + 1e-12))
            fail_msg("%s: %s hides more than it takes", id, got->phase[i].name);
    }
    assert_close(sum, got->time_s, 1e-12);
}

static void check_case(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal =
        golden_calibration(golden, json_string_value(json_object_get(item, "machine")), arena);
    const struct fr_model *model = fr_model_find(json_string_value(json_object_get(item, "model")));
    json_t *expected = json_object_get(item, "expect"), *document = json_object_get(item, "run");
    const char *refused = json_string_value(json_object_get(expected, "refused"));
    struct fr_faults faults = { 0 };
    struct fr_saved_run run;
    const struct fr_saved_run *const runs[] = { &run };
    struct fr_run_source source = { find_run, (void *)(uintptr_t)runs, 0 };
    struct fr_prediction got;
    struct fr_spread spread;
    void *values;

    assert_non_null(model);
    values = fr_arena_zeroed(arena, 1, model->values_size);
    fr_params_clear(model->params, values);
    fr_params_bind(model, json_object_get(item, "parameters"), NULL, values, &source.given,
                   &faults);
    if (document && fr_run_decode(document, model, false, arena, &run, &faults) != FR_OK)
        fail_msg("%s: run: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
    fr_model_answer(model, values, document ? &source : NULL, cal, arena, &got, &spread, &faults);
    if (refused) {
        assert_int_equal(faults.count, 1);
        assert_string_equal(faults.fault[0].where, refused);
    } else {
        if (faults.count)
            fail_msg("%s: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
        check_outputs(model, &got, expected, "", id);
        check_breakdown(&got, id);
    }
    fr_arena_free(arena);
}

static void check_grid(json_t *item, const char *id)
{
    json_t *arguments = json_object_get(item, "arguments");
    json_t *want = json_object_get(json_object_get(item, "expect"), "value");
    const char *stencil_name = json_string_value(json_object_get(arguments, "stencil"));
    const struct fr_vector grid = vector(json_object_get(arguments, "process_grid"));
    struct krylov_stencil stencil;
    struct fr_vector got;

    if (!stencil_name) {
        got = krylov_dims_create((int64_t)number(arguments, "processes"),
                                 (size_t)number(arguments, "dimensions"));
    } else {
        stencil = (struct krylov_stencil){
            .dimensions = grid.count,
            .is_full = strcmp(stencil_name, "full") == 0,
            .message_bytes = number(arguments, "message_bytes"),
            .values_per_point = 1,
            .local_grid = vector(json_object_get(arguments, "local_grid")),
        };
        got =
            krylov_node_aware_grid(&grid, (int64_t)number(arguments, "processes_per_node"),
                                   &stencil, json_is_true(json_object_get(arguments, "periodic")));
    }
    check_vector(&got, want, id);
}

static void check_box(json_t *item)
{
    json_t *values = json_object_get(json_object_get(item, "arguments"), "values"), *value;
    json_t *want = json_object_get(json_object_get(item, "expect"), "value");
    struct fr_box_statistics box;
    double sorted[64];
    size_t count = json_array_size(values), i;

    assert_in_range(count, 1, 64);
    json_array_foreach(values, i, value) sorted[i] = json_number_value(value);
    fr_sort(sorted, count);
    fr_box_statistics(sorted, count, &box);
    assert_close(box.minimum, number(want, "minimum"), 1e-9);
    assert_close(box.lower_whisker, number(want, "lower_whisker"), 1e-9);
    assert_close(box.first_quartile, number(want, "first_quartile"), 1e-9);
    assert_close(box.median, number(want, "median"), 1e-9);
    assert_close(box.third_quartile, number(want, "third_quartile"), 1e-9);
    assert_close(box.upper_whisker, number(want, "upper_whisker"), 1e-9);
    assert_close(box.maximum, number(want, "maximum"), 1e-9);
    assert_int_equal(box.outliers, (size_t)number(want, "outliers"));
    assert_int_equal(box.count, (size_t)number(want, "count"));
}

TEST(every_golden_case_is_met)
{
    json_t *golden = golden_load("krylov.json"), *item;
    size_t index, count = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        const char *id = json_string_value(json_object_get(item, "id"));
        const char *function = json_string_value(json_object_get(item, "function"));

        if (!function)
            check_case(golden, item, id);
        else if (strcmp(function, "box_statistics") == 0)
            check_box(item);
        else
            check_grid(item, id);
        count++;
    }
    assert_int_equal(count, 59);
    json_decref(golden);
}

TEST(every_refined_case_is_met)
{
    json_t *golden = golden_load("krylov-refined.json"), *item;
    size_t index, count = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        check_case(golden, item, json_string_value(json_object_get(item, "id")));
        count++;
    }
    assert_int_equal(count, 21);
    json_decref(golden);
}
