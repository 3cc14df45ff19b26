/* The golden cases of docs/models/dense.md with contention_model=paper: models and their inner
 * functions, within 1e-9. */
#include "engine/dense/dense.h"
#include "tests/unit/support/golden.h"

#include <string.h>

static enum fr_routine routine_named(const char *name)
{
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++)
        if (strcmp(fr_routine_name(routine), name) == 0)
            return routine;
    fail_msg("no routine %s", name);
    return 0;
}

static struct cost call(const char *function, json_t *arguments, struct fr_evaluation *run)
{
    const struct dense d = { .run = run,
                             .p = golden_number(arguments, "processes"),
                             .word_bytes = 8,
                             .has_contention = true };
    const double words = golden_number(arguments, "words"),
                 group = golden_number(arguments, "group");
    const double distance = golden_number(arguments, "distance");

    if (strcmp(function, "c_avg") == 0)
        return (struct cost){ .time_s = fr_contention_average(run, distance) };
    if (strcmp(function, "c_max") == 0)
        return (struct cost){ .time_s = fr_contention_maximum(run, d.p, distance) };
    if (strcmp(function, "ideal") == 0)
        return (struct cost){ .time_s = fr_message_s(run, 8 * words) };
    if (strcmp(function, "kernel") == 0)
        return (struct cost){
            .time_s = fr_kernel_s(
                run, routine_named(json_string_value(json_object_get(arguments, "routine"))),
                FR_DOUBLE, golden_number(arguments, "n"), golden_number(arguments, "threads"))
        };
    if (strcmp(function, "reduce_scatter") == 0)
        return dense_scatter(&d, group, words, distance);
    if (strcmp(function, "gather") == 0)
        return dense_gather(&d, group, words, distance);
    if (strcmp(function, "bcast") == 0)
        return dense_broadcast(&d, group, words, distance);
    if (strcmp(function, "bcast_sync") == 0)
        return dense_broadcast_sync(&d, group, words, distance);
    if (strcmp(function, "reduce") == 0)
        return dense_reduce(&d, group, words, distance);
    if (strcmp(function, "point_to_point") == 0)
        return dense_shift(&d, words, distance);
    fail_msg("no function %s", function);
    return (struct cost){ 0 };
}

static void check_function(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal =
        golden_calibration(golden, json_string_value(json_object_get(item, "calibration")), arena);
    json_t *expected = json_object_get(item, "expect");
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &out };
    struct cost cost;

    fr_prediction_clear(&out);
    cost = call(json_string_value(json_object_get(item, "function")),
                json_object_get(item, "arguments"), &run);
    if (json_object_get(expected, "value"))
        assert_close(cost.time_s, golden_number(expected, "value"), 1e-9);
    else
        assert_close(cost.time_s, golden_number(expected, "time_s"), 1e-9);
    if (json_object_get(expected, "words")) {
        assert_close(cost.words, golden_number(expected, "words"), 1e-9);
        assert_close(cost.messages, golden_number(expected, "messages"), 1e-9);
    }
    golden_warnings(&out, json_object_get(expected, "warnings"), id);
    fr_arena_free(arena);
}

TEST(every_golden_case_is_met)
{
    json_t *golden = golden_load("dense-distributed.json"), *item;
    size_t index, count = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        const char *id = json_string_value(json_object_get(item, "id"));

        if (json_object_get(item, "function"))
            check_function(golden, item, id);
        else
            golden_problem(golden, item, id);
        count++;
    }
    assert_int_equal(count, 113);
    json_decref(golden);
}
