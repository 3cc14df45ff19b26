/* Golden cases of solve, and of what the older Krylov models took from it
 * (docs/models/krylov_problem.md). */
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/partition/partition.h"
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"
#include "server/json/decode.h"
#include "server/runs/run_document.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/solver_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
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

static void check_number(double got, json_t *want, const char *name, const char *id)
{
    const double expected = json_is_null(want) ? NAN : json_number_value(want);

    if (isnan(got) && isnan(expected))
        return;
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %s is %.17g instead of %.17g", id, name, got, expected);
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
        else if (output->kind == FR_OUTPUT_TEXT)
            assert_string_equal(fr_output_text(output, got), json_string_value(want));
        else
            check_number(fr_output_get(output, got), want, name, id);
    }
}

static int64_t *counts_of(json_t *list, struct fr_arena *arena)
{
    int64_t *out = fr_arena_zeroed(arena, json_array_size(list), sizeof *out);

    for (size_t i = 0; i < json_array_size(list); i++)
        out[i] = (int64_t)json_number_value(json_array_get(list, i));
    return out;
}

static struct krylov_partition facts_of(json_t *facts, struct fr_arena *arena)
{
    json_t *messages = json_object_get(facts, "messages"), *each;
    struct krylov_partition out = {
        .processes = (int64_t)number(facts, "processes"),
        .rows = counts_of(json_object_get(facts, "rows"), arena),
        .diagonal = counts_of(json_object_get(facts, "diagonal"), arena),
        .offdiagonal = counts_of(json_object_get(facts, "offdiagonal"), arena),
        .message_count = json_array_size(messages),
        .message = fr_arena_zeroed(arena, json_array_size(messages), sizeof *out.message),
    };
    size_t i;

    json_array_foreach(messages, i, each)
    {
        out.message[i].from = (int32_t)json_number_value(json_array_get(each, 0));
        out.message[i].to = (int32_t)json_number_value(json_array_get(each, 1));
        out.message[i].words = (int64_t)json_number_value(json_array_get(each, 2));
    }
    return out;
}

static const struct krylov_partition *find_facts(void *context, const char *matrix,
                                                 const char *partition, int64_t processes,
                                                 struct fr_faults *faults)
{
    (void)matrix, (void)partition, (void)processes, (void)faults;
    return context;
}

/* The machine's saved runs, in the order of their upload. */
struct runs {
    const struct fr_saved_run *run[8];
    size_t count;
};

static size_t find_runs(void *context, const void *values, const struct fr_saved_run *const **out)
{
    const struct runs *runs = context;

    (void)values;
    *out = runs->run;
    return runs->count;
}

static void read_runs(json_t *list, const struct fr_model *model, struct fr_arena *arena,
                      struct runs *out, const char *id)
{
    json_t *document;
    size_t i;

    json_array_foreach(list, i, document)
    {
        struct fr_saved_run *run = fr_arena_zeroed(arena, 1, sizeof *run);
        struct fr_faults faults = { 0 };

        if (fr_run_decode(document, model, false, arena, run, &faults) != FR_OK)
            fail_msg("%s: run: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
        out->run[out->count++] = run;
    }
}

static void check_case(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal =
        golden_calibration(golden, json_string_value(json_object_get(item, "machine")), arena);
    const struct fr_model *model = fr_model_find(json_string_value(json_object_get(item, "model")));
    json_t *expected = json_object_get(item, "expect");
    const char *refused = json_string_value(json_object_get(expected, "refused"));
    struct krylov_partition facts = facts_of(json_object_get(item, "facts"), arena);
    const struct fr_partition_source source = { &facts, find_facts };
    struct runs runs = { .count = 0 };
    struct fr_run_source run_source = { find_runs, &runs, 0 };
    struct fr_faults faults = { 0 };
    struct fr_prediction got;
    struct fr_spread spread;
    void *values;

    assert_non_null(model);
    values = fr_arena_zeroed(arena, 1, model->values_size);
    fr_params_clear(model->params, values);
    if (model->set_partitions)
        model->set_partitions(values, &source);
    fr_params_bind(model, json_object_get(item, "parameters"), NULL, values, &run_source.given,
                   &faults);
    read_runs(json_object_get(item, "runs"), model, arena, &runs, id);
    fr_model_answer(model, values, runs.count ? &run_source : NULL, cal, arena, &got, &spread,
                    &faults);
    if (refused) {
        assert_int_equal(faults.count, 1);
        assert_string_equal(faults.fault[0].where, refused);
    } else {
        if (faults.count)
            fail_msg("%s: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
        check_outputs(model, &got, expected, "", id);
    }
    fr_arena_free(arena);
}

static void check_bandwidth(json_t *arguments, json_t *want, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    json_t *golden = json_pack("{s:{s:{s:{s:{s:O}}}}}", "calibrations", "case", "kernels", "vector",
                               "by_size", json_object_get(arguments, "by_size"));
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = golden_calibration(golden, "case", arena), .out = &out };

    fr_prediction_clear(&out);
    check_number(fr_stream_byte_s(&run, FR_VECTOR_KERNEL, number(arguments, "processes"),
                                  number(arguments, "working_set_bytes")),
                 json_object_get(want, "s_per_byte"), "s_per_byte", id);
    golden_warnings(&out, json_object_get(want, "warnings"), id);
    json_decref(golden);
    fr_arena_free(arena);
}

static void check_schedule(json_t *arguments, json_t *want, const char *id)
{
    const struct krylov_solver *solver =
        solver_named(json_string_value(json_object_get(arguments, "solver")));
    const int64_t restart = (int64_t)number(arguments, "restart");
    const struct solver_counts totals =
        solver_counts(solver, (int64_t)number(arguments, "iterations"), restart);
    json_t *expected = json_object_get(want, "reductions"), *count;
    const char *key;

    check_number(totals.matvecs, json_object_get(want, "matvecs"), "matvecs", id);
    check_number(totals.preconditioners, json_object_get(want, "preconditioner_applications"),
                 "preconditioner_applications", id);
    check_number(totals.words, json_object_get(want, "words"), "words", id);
    check_number(krylov_vectors(solver, restart), json_object_get(want, "vectors"), "vectors", id);
    assert_int_equal(solver->is_fused, json_is_true(json_object_get(want, "fused")));
    assert_int_equal(json_object_size(totals.reductions), json_object_size(expected));
    json_object_foreach(expected, key, count)
        check_number(number(totals.reductions, key), count, key, id);
    json_decref(totals.reductions);
}

static void check_fitted(json_t *arguments, json_t *want, const char *id)
{
    const struct fr_vector points = vector(json_object_get(arguments, "global_grid"));
    const char *stencil_name = json_string_value(json_object_get(arguments, "stencil"));
    const struct krylov_stencil stencil = {
        .dimensions = points.count,
        .is_full = strcmp(stencil_name, "box") == 0,
        .message_bytes = NAN,
        .values_per_point = number(arguments, "dof"),
    };
    const struct fr_vector got =
        krylov_fitted_grid((int64_t)number(arguments, "processes"), &points, &stencil);

    check_vector(&got, want, id);
}

/* Cases of links and of partitions have tests of their own. */
static bool check_function(const char *function, json_t *item, const char *id)
{
    json_t *arguments = json_object_get(item, "arguments");
    json_t *want = json_object_get(json_object_get(item, "expect"), "value");

    if (strcmp(function, "time_per_byte") == 0)
        check_bandwidth(arguments, want, id);
    else if (strcmp(function, "schedule") == 0)
        check_schedule(arguments, want, id);
    else if (strcmp(function, "fitted_grid") == 0)
        check_fitted(arguments, want, id);
    else
        return false;
    return true;
}

static void check_file(const char *name, size_t expected)
{
    json_t *golden = golden_load(name), *item;
    size_t index, count = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        const char *id = json_string_value(json_object_get(item, "id"));
        const char *function = json_string_value(json_object_get(item, "function"));

        if (function) {
            count += check_function(function, item, id);
            continue;
        }
        check_case(golden, item, id);
        count++;
    }
    assert_int_equal(count, expected);
    json_decref(golden);
}

TEST(every_golden_case_is_met)
{
    check_file("krylov-problem.json", 61);
}

TEST(every_golden_case_of_multigrid_is_met)
{
    check_file("multigrid.json", 23);
}
