/* The golden cases of docs/models/block_cyclic.md: models and their inner functions, within 1e-9.
 */
#include "engine/block_cyclic/hpl.h"
#include "tests/unit/support/golden.h"

#include <string.h>

static int64_t whole(json_t *arguments, const char *name)
{
    json_t *value = json_object_get(arguments, name);

    return value ? (int64_t)json_number_value(value) : 1;
}

static const char *text(json_t *arguments, const char *name)
{
    const char *value = json_string_value(json_object_get(arguments, name));

    return value ? value : "";
}

/* The values of a problem that has but the arguments of a function. */
static struct cyclic_values values_of(json_t *arguments, const struct fr_calibration *cal)
{
    const int64_t threads = whole(arguments, "threads");

    return (struct cyclic_values){
        .process_rows = whole(arguments, "process_rows"),
        .process_columns = whole(arguments, "process_columns"),
        .block_size = whole(arguments, "block_size"),
        .threads = threads,
        .ranks_per_node = cal->node.cores_per_node / threads,
        .mapping = strcmp(text(arguments, "mapping"), "column") == 0 ? CYCLIC_COLUMN_MAJOR
                                                                     : CYCLIC_ROW_MAJOR,
        .contention = !json_is_false(json_object_get(arguments, "contention")),
    };
}

static double kernel(const char *function, json_t *arguments, struct cyclic_walk *walk)
{
    json_t *sizes = json_object_get(arguments, "sizes");
    const double a = json_number_value(json_array_get(sizes, 0));
    const double b = json_number_value(json_array_get(sizes, 1));

    if (strcmp(function, "gemm") == 0)
        return cyclic_gemm_s(&walk->kernels, a, b, json_number_value(json_array_get(sizes, 2)));
    if (strcmp(function, "trsm") == 0)
        return cyclic_trsm_s(&walk->kernels, a, b);
    if (strcmp(function, "syrk") == 0)
        return cyclic_syrk_s(&walk->kernels, a, b);
    return cyclic_copy_s(&walk->kernels, golden_number(arguments, "rows"),
                         golden_number(arguments, "columns"), golden_number(arguments, "bytes"),
                         golden_number(arguments, "calls"));
}

static double communication(const char *function, json_t *arguments, struct cyclic_walk *walk)
{
    const double bytes = golden_number(arguments, "message_bytes");
    const int64_t from = whole(arguments, "from"), to = whole(arguments, "to");

    if (strcmp(function, "column_broadcast") == 0)
        return cyclic_broadcast_s(&walk->net, bytes);
    if (strcmp(function, "column_reduce") == 0)
        return cyclic_reduce_s(&walk->net, bytes);
    if (strcmp(function, "exchange_transposed") == 0)
        return cyclic_transpose_s(&walk->net, bytes);
    return strcmp(text(arguments, "scope"), "row") == 0
               ? cyclic_row_s(&walk->net, from, to, bytes)
               : cyclic_column_s(&walk->net, from, to, bytes);
}

static void check_time(json_t *golden, json_t *item)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal = golden_calibration(golden, text(item, "calibration"), arena);
    json_t *arguments = json_object_get(item, "arguments"),
           *expected = json_object_get(item, "expect");
    const struct cyclic_values v = values_of(arguments, cal);
    const char *function = text(item, "function");
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &out, .faults = &faults };
    struct cyclic_walk walk;
    double time_s;

    fr_prediction_clear(&out);
    assert_int_equal(cyclic_begin(&walk, &v, true, &run), FR_OK);
    time_s = json_object_get(arguments, "message_bytes") ? communication(function, arguments, &walk)
                                                         : kernel(function, arguments, &walk);
    assert_close(time_s, golden_number(expected, "time_s"), 1e-9);
    golden_warnings(&out, json_object_get(expected, "warnings"), text(item, "id"));
    fr_arena_free(arena);
}

static void check_largest(json_t *golden, json_t *item)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal = golden_calibration(golden, text(item, "calibration"), arena);
    json_t *of = json_object_get(item, "arguments");
    const struct hpl_values v = { .common = values_of(of, cal),
                                  .lookahead_depth = whole(of, "lookahead_depth") };

    assert_int_equal(hpl_largest_n(&v, golden_number(of, "fraction") * cal->node.memory_bytes /
                                           (double)v.common.ranks_per_node),
                     whole(json_object_get(item, "expect"), "value"));
    fr_arena_free(arena);
}

static void check_count(json_t *item)
{
    json_t *of = json_object_get(item, "arguments"), *expected = json_object_get(item, "expect");
    const char *function = text(item, "function");

    if (strcmp(function, "beyond") == 0) {
        assert_int_equal(cyclic_rows_from(whole(of, "n"), whole(of, "block_size"),
                                          whole(of, "process"), whole(of, "processes"),
                                          whole(of, "first")),
                         whole(expected, "value"));
    } else if (strcmp(function, "sum_of_ceilings") == 0) {
        assert_int_equal(cyclic_sum_of_ceilings(whole(of, "count"), whole(of, "step"),
                                                whole(of, "start"), whole(of, "divisor")),
                         whole(expected, "value"));
    } else {
        const struct cyclic_owner owner =
            cyclic_slice_owner(whole(of, "first"), whole(of, "k"), whole(of, "block_size"),
                               whole(of, "process_rows"), whole(of, "process_columns"));

        assert_string_equal(function, "panel_owner");
        assert_int_equal(owner.column, whole(expected, "column"));
        assert_int_equal(owner.row, whole(expected, "row"));
    }
}

TEST(every_golden_case_is_met)
{
    json_t *golden = golden_load("block-cyclic.json"), *item;
    size_t index, functions = 0, problems = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        json_t *expected = json_object_get(item, "expect");
        const char *function = text(item, "function");

        functions += *function != '\0';
        if (!*function) {
            golden_problem(golden, item, text(item, "id"));
            problems++;
        } else if (json_object_get(expected, "time_s")) {
            check_time(golden, item);
        } else if (strcmp(function, "largest_n") == 0) {
            check_largest(golden, item);
        } else {
            check_count(item);
        }
    }
    assert_int_equal(functions, 30);
    assert_int_equal(problems, 76);
    json_decref(golden);
}
