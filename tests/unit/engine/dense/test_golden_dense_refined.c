/* The golden cases of docs/models/dense.md#the-refined-contention-model: models and their inner
 * functions, within 1e-9. */
#include "engine/dense/refined.h"
#include "tests/unit/support/golden.h"

#include <string.h>

static double number(json_t *arguments, const char *name)
{
    json_t *value = json_object_get(arguments, name);

    return value ? json_number_value(value) : 1;
}

static const char *text(json_t *arguments, const char *name)
{
    const char *value = json_string_value(json_object_get(arguments, name));

    return value ? value : "";
}

static enum fr_pattern_kind pattern_named(const char *name)
{
    size_t i = 0;

    while (fr_pattern_names[i] && strcmp(fr_pattern_names[i], name) != 0)
        i++;
    if (!fr_pattern_names[i])
        fail_msg("no pattern %s", name);
    return (enum fr_pattern_kind)i;
}

static struct cost call(const char *function, json_t *arguments, struct fr_evaluation *run)
{
    const double p = number(arguments, "processes"), c = number(arguments, "layers");
    const struct dense d = {
        .run = run, .p = p, .c = c, .q = sqrt(p / c), .word_bytes = 8, .has_contention = true
    };
    const double words = number(arguments, "words"), distance = number(arguments, "distance");
    const enum refined_statistic statistic =
        strcmp(text(arguments, "statistic"), "average") == 0 ? REFINED_AVERAGE : REFINED_MAXIMUM;

    if (strcmp(function, "refined_message") == 0)
        return refined_message(&d, words, number(arguments, "factor"));
    if (strcmp(function, "refined_factor") == 0)
        return (struct cost){ .time_s = refined_factor(&d, distance, statistic) };
    if (strcmp(function, "refined_broadcast") == 0)
        return refined_broadcast(&d, number(arguments, "group"), words, distance, statistic);
    if (strcmp(function, "pattern") == 0)
        return refined_pattern(&d, pattern_named(text(arguments, "pattern")), words, statistic);
    fail_msg("no function %s", function);
    return (struct cost){ 0 };
}

static void check_function(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_calibration *cal = golden_calibration(golden, text(item, "calibration"), arena);
    json_t *expected = json_object_get(item, "expect");
    const char *name = json_object_get(expected, "value") ? "value" : "time_s";
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &out };
    struct cost cost;

    fr_prediction_clear(&out);
    cost = call(text(item, "function"), json_object_get(item, "arguments"), &run);
    assert_non_null(json_object_get(expected, name));
    assert_close(cost.time_s, number(expected, name), 1e-9);
    if (json_object_get(expected, "words")) {
        assert_close(cost.words, number(expected, "words"), 1e-9);
        assert_close(cost.messages, number(expected, "messages"), 1e-9);
    }
    golden_warnings(&out, json_object_get(expected, "warnings"), id);
    fr_arena_free(arena);
}

TEST(every_golden_case_is_met)
{
    json_t *golden = golden_load("dense-refined.json"), *item;
    size_t index, functions = 0, problems = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        if (json_object_get(item, "function")) {
            check_function(golden, item, text(item, "id"));
            functions++;
        } else {
            golden_problem(golden, item, text(item, "id"));
            problems++;
        }
    }
    assert_int_equal(functions, 21);
    assert_int_equal(problems, 26);
    json_decref(golden);
}
