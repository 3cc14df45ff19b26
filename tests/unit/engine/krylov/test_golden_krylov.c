/* Golden cases of the Krylov models: with and without saved runs, inner functions, refined
 * communication (docs/models/krylov.md, docs/models/krylov_problem.md). */
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
        .processes = (int64_t)golden_number(facts, "processes"),
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

static void read_run(json_t *document, const struct fr_model *model, struct fr_arena *arena,
                     struct runs *out, const char *id)
{
    struct fr_saved_run *run = fr_arena_zeroed(arena, 1, sizeof *run);
    struct fr_faults faults = { 0 };

    if (fr_run_decode(document, model, false, arena, run, &faults) != FR_OK)
        fail_msg("%s: run: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
    out->run[out->count++] = run;
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
    json_t *expected = json_object_get(item, "expect"), *run;
    const char *refused = json_string_value(json_object_get(expected, "refused"));
    struct krylov_partition facts = facts_of(json_object_get(item, "facts"), arena);
    const struct fr_partition_source source = { &facts, find_facts };
    struct runs runs = { .count = 0 };
    struct fr_run_source run_source = { find_runs, &runs, 0 };
    struct fr_faults faults = { 0 };
    struct fr_prediction got;
    struct fr_spread spread;
    size_t index;
    void *values;

    assert_non_null(model);
    values = fr_arena_zeroed(arena, 1, model->values_size);
    fr_params_clear(model->params, values);
    if (model->set_partitions)
        model->set_partitions(values, &source);
    fr_params_bind(model, json_object_get(item, "parameters"), NULL, values, &run_source.given,
                   &faults);
    json_array_foreach(json_object_get(item, "runs"), index, run)
        read_run(run, model, arena, &runs, id);
    if ((run = json_object_get(item, "run")))
        read_run(run, model, arena, &runs, id);
    fr_model_answer(model, values, runs.count ? &run_source : NULL, cal, arena, &got, &spread,
                    &faults);
    if (refused) {
        assert_int_equal(faults.count, 1);
        assert_string_equal(faults.fault[0].where, refused);
    } else {
        if (faults.count)
            fail_msg("%s: %s: %s", id, faults.fault[0].where, faults.fault[0].message);
        golden_outputs(model, &got, expected, "", id);
        check_breakdown(&got, id);
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
    golden_number_is(fr_stream_byte_s(&run, FR_VECTOR_KERNEL, golden_number(arguments, "processes"),
                                      golden_number(arguments, "working_set_bytes")),
                     json_object_get(want, "s_per_byte"), "s_per_byte", id);
    golden_warnings(&out, json_object_get(want, "warnings"), id);
    json_decref(golden);
    fr_arena_free(arena);
}

static void check_schedule(json_t *arguments, json_t *want, const char *id)
{
    const struct krylov_solver *solver =
        solver_named(json_string_value(json_object_get(arguments, "solver")));
    const int64_t restart = (int64_t)golden_number(arguments, "restart");
    const struct solver_counts totals =
        solver_counts(solver, (int64_t)golden_number(arguments, "iterations"), restart);
    json_t *expected = json_object_get(want, "reductions"), *count;
    const char *key;

    golden_number_is(totals.matvecs, json_object_get(want, "matvecs"), "matvecs", id);
    golden_number_is(totals.preconditioners, json_object_get(want, "preconditioner_applications"),
                     "preconditioner_applications", id);
    golden_number_is(totals.words, json_object_get(want, "words"), "words", id);
    golden_number_is(krylov_vectors(solver, restart), json_object_get(want, "vectors"), "vectors",
                     id);
    assert_int_equal(solver->is_fused, json_is_true(json_object_get(want, "fused")));
    assert_int_equal(json_object_size(totals.reductions), json_object_size(expected));
    json_object_foreach(expected, key, count)
        golden_number_is(golden_number(totals.reductions, key), count, key, id);
    json_decref(totals.reductions);
}

static void check_fitted(json_t *arguments, json_t *want, const char *id)
{
    const struct fr_vector points = golden_vector(json_object_get(arguments, "global_grid"));
    const char *stencil_name = json_string_value(json_object_get(arguments, "stencil"));
    const struct krylov_stencil stencil = {
        .dimensions = points.count,
        .is_full = strcmp(stencil_name, "box") == 0,
        .message_bytes = NAN,
        .values_per_point = golden_number(arguments, "dof"),
    };
    const struct fr_vector got =
        krylov_fitted_grid((int64_t)golden_number(arguments, "processes"), &points, &stencil);

    golden_vector_is(&got, want, id);
}

static void check_grid(json_t *item, const char *id)
{
    json_t *arguments = json_object_get(item, "arguments");
    json_t *bytes = json_object_get(arguments, "message_bytes");
    json_t *want = json_object_get(json_object_get(item, "expect"), "value");
    const char *stencil_name = json_string_value(json_object_get(arguments, "stencil"));
    const struct fr_vector grid = golden_vector(json_object_get(arguments, "process_grid"));
    struct krylov_stencil stencil;
    struct fr_vector got;

    if (!stencil_name) {
        got = krylov_dims_create((int64_t)golden_number(arguments, "processes"),
                                 (size_t)golden_number(arguments, "dimensions"));
    } else {
        stencil = (struct krylov_stencil){
            .dimensions = grid.count,
            .is_full = strcmp(stencil_name, "full") == 0,
            .message_bytes = bytes ? json_number_value(bytes) : NAN,
            .values_per_point = 1,
            .local_grid = golden_vector(json_object_get(arguments, "local_grid")),
        };
        got =
            krylov_node_aware_grid(&grid, (int64_t)golden_number(arguments, "processes_per_node"),
                                   &stencil, json_is_true(json_object_get(arguments, "periodic")));
    }
    golden_vector_is(&got, want, id);
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
    assert_close(box.minimum, golden_number(want, "minimum"), 1e-9);
    assert_close(box.lower_whisker, golden_number(want, "lower_whisker"), 1e-9);
    assert_close(box.first_quartile, golden_number(want, "first_quartile"), 1e-9);
    assert_close(box.median, golden_number(want, "median"), 1e-9);
    assert_close(box.third_quartile, golden_number(want, "third_quartile"), 1e-9);
    assert_close(box.upper_whisker, golden_number(want, "upper_whisker"), 1e-9);
    assert_close(box.maximum, golden_number(want, "maximum"), 1e-9);
    assert_int_equal(box.outliers, (size_t)golden_number(want, "outliers"));
    assert_int_equal(box.count, (size_t)golden_number(want, "count"));
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
    else if (strcmp(function, "box_statistics") == 0)
        check_box(item);
    else if (strcmp(function, "dims_create") == 0 || strcmp(function, "node_aware_grid") == 0)
        check_grid(item, id);
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

TEST(every_golden_case_of_cg_and_halos_is_met)
{
    check_file("krylov.json", 59);
}

TEST(every_refined_case_is_met)
{
    check_file("krylov-refined.json", 21);
}

TEST(every_golden_case_of_solve_is_met)
{
    check_file("krylov-problem.json", 61);
}

TEST(every_golden_case_of_multigrid_is_met)
{
    check_file("multigrid.json", 23);
}
