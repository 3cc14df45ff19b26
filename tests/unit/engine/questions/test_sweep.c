/* Value lists and their products. */
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    int64_t count;
    double share;
    int choice, truth;
    int64_t late;
    struct fr_words name;
};
static const char *const colours[] = { "red", "green", "blue", NULL };
static const struct fr_param params[] = {
    FR_INT(struct list, count, .unit = "1", .min = 1, .max = 1e9, .flags = FR_REQUIRED),
    FR_REAL(struct list, share, .unit = "1", .min = 0, .max = 0.3, .flags = FR_REQUIRED),
    FR_CHOICE_OF(struct list, choice, .unit = "", .choices = colours, .flags = FR_REQUIRED),
    FR_BOOL(struct list, truth, .unit = "", .flags = FR_REQUIRED),
    FR_INT(struct list, late, .unit = "1", .min = 0, .max = 9, .flags = FR_REQUIRED | FR_LATE),
    FR_TEXT(struct list, name, .unit = "", .flags = FR_REQUIRED | FR_NAME),
    FR_PARAMS_END,
};

static struct fr_axis listed(void **state, const char *name, const char *text)
{
    const struct fr_param *param = fr_param_find(params, name);
    struct fr_faults faults = { 0 };
    struct fr_axis axis;

    if (fr_axis_parse(param, text, *state, &axis, &faults) != FR_OK)
        fail_msg("%s=%s: %s", name, text, faults.fault[0].message);
    assert_ptr_equal(axis.param, param);
    assert_int_equal(faults.count, 0);
    return axis;
}

static void assert_list(void **state, const char *name, const char *text, size_t count,
                        const double *values)
{
    const struct fr_axis axis = listed(state, name, text);

    if (axis.count != count)
        fail_msg("%s=%s has %zu values instead of %zu", name, text, axis.count, count);
    for (size_t i = 0; i < count; i++)
        if (axis.value[i] != values[i])
            fail_msg("%s=%s: value %zu is %.17g instead of %.17g", name, text, i, axis.value[i],
                     values[i]);
}

#define LIST(name, text, ...)                                                          \
    assert_list(state, name, text, sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), \
                (double[]){ __VA_ARGS__ })

TEST(a_list_is_read_in_its_order)
{
    LIST("count", "5", 5);
    LIST("count", "5,3,9", 5, 3, 9);
    LIST("count", "1e6,7", 1e6, 7);
    LIST("choice", "blue,red", 2, 0);
    LIST("truth", "true,false", 1, 0);
    LIST("share", "0.1,.2", 0.1, 0.2);
}

TEST(a_range_goes_by_ones_by_steps_or_by_factors)
{
    LIST("count", "3..6", 3, 4, 5, 6);
    LIST("count", "4..4", 4);
    LIST("count", "10..40..10", 10, 20, 30, 40);
    LIST("count", "10..39..10", 10, 20, 30);
    LIST("count", "16..4096..*4", 16, 64, 256, 1024, 4096);
    LIST("count", "16..4095..*4", 16, 64, 256, 1024);
    LIST("count", "1000..3000..*1.5", 1000, 1500, 2250);
}

TEST(ranges_and_values_may_be_mixed)
{
    LIST("count", "1,4..6,100..400..*2,7", 1, 4, 5, 6, 100, 200, 400, 7);
}

/* 0.1 three times is a little more than 0.3, which is also the largest value allowed. */
TEST(rounding_loses_no_last_value)
{
    const struct fr_axis axis = listed(state, "share", "0.1..0.3..0.1");

    assert_int_equal(axis.count, 3);
    assert_close(axis.value[2], 0.3, 1e-15);
    assert_true(axis.value[2] <= 0.3);
    assert_int_equal(listed(state, "share", "0..0.3..0.01").count, 31);
    assert_int_equal(listed(state, "share", "0.001..0.1..*10").count, 3);
    assert_int_equal(listed(state, "count", "1..1e9..*10").count, 10);
    assert_close(listed(state, "count", "1..1e9..*10").value[9], 1e9, 0);
}

TEST(names_are_listed_and_put)
{
    const struct fr_axis axis = listed(state, "name", "grid,1..3,last");
    struct list list;
    char text[20];

    assert_int_equal(axis.count, 3);
    fr_axis_put(&axis, 1, &list);
    assert_string_equal(list.name.text, "1..3"); /* not a range */
    fr_axis_print(&axis, 2, text, sizeof text);
    assert_string_equal(text, "last");
}

TEST(a_range_may_end_below_zero)
{
    LIST("late", "-3..-1", -3, -2, -1);
    LIST("late", "-2..2..2", -2, 0, 2);
}

/* A list of points names each once: 1, 1.5, 2.25 … are 1, 2, 2, … when rounded. */
TEST(factors_of_whole_numbers_repeat_none)
{
    const struct fr_axis axis = listed(state, "count", "1..100..*1.2");

    for (size_t i = 1; i < axis.count; i++)
        assert_true(axis.value[i] > axis.value[i - 1]);
}

static void assert_refused(void **state, const char *name, const char *text, enum fr_code code)
{
    struct fr_faults faults = { 0 };
    struct fr_axis axis = { NULL, NULL, NULL, 77, NULL };

    if (fr_axis_parse(fr_param_find(params, name), text, *state, &axis, &faults) == FR_OK)
        fail_msg("%s=%s is not refused", name, text);
    assert_true(faults.count >= 1);
    assert_string_equal(faults.fault[0].where, name);
    if (faults.fault[0].code != code)
        fail_msg("%s=%s: %s: %s", name, text, fr_code_name(faults.fault[0].code),
                 faults.fault[0].message);
    assert_int_equal(axis.count, 77); /* untouched */
}

TEST(bad_lists_are_refused_by_name)
{
    static const struct {
        const char *name, *text;
        enum fr_code code;
    } cases[] = {
        { "count", "", FR_SYNTAX },
        { "count", ",", FR_SYNTAX },
        { "count", "1,", FR_SYNTAX },
        { "count", ",1", FR_SYNTAX },
        { "count", "1,,2", FR_SYNTAX },
        { "count", "1, 2", FR_SYNTAX },
        { "count", "one", FR_SYNTAX },
        { "name", "a,,b", FR_SYNTAX },
        { "count", "..", FR_SYNTAX },
        { "count", "1..", FR_SYNTAX },
        { "count", "..5", FR_SYNTAX },
        { "count", "1..5..", FR_SYNTAX },
        { "count", "1..5..*", FR_SYNTAX },
        { "count", "1..5..2..3", FR_SYNTAX },
        { "count", "1..5*2", FR_SYNTAX },
        { "count", "1..*2", FR_SYNTAX },
        { "count", "1..5..x", FR_SYNTAX },
        { "count", "1..1e999", FR_SYNTAX },
        { "count", "5..1", FR_RANGE },
        { "count", "1..5..0", FR_RANGE },
        { "count", "1..5..-1", FR_RANGE },
        { "count", "1..5..*1", FR_RANGE },
        { "count", "1..5..*0.5", FR_RANGE },
        { "count", "0..5", FR_RANGE },
        { "count", "0..5..*2", FR_RANGE },
        { "count", "5,0", FR_RANGE },
        { "count", "1..2..0.5", FR_TYPE },
        { "count", "1.5", FR_TYPE },
        { "share", "0..1..0.1", FR_RANGE },
        { "choice", "red,rad", FR_CHOICE },
        { "choice", "red..blue", FR_CHOICE },
        { "truth", "true,1", FR_SYNTAX },
        { "count", "1..1e6", FR_TOO_MANY_POINTS },
        { "count", "1..100000,1..2", FR_TOO_MANY_POINTS },
        { "share", "0..0.3..1e-6", FR_TOO_MANY_POINTS },
        { "share", "0..0.3..1e-300", FR_TOO_MANY_POINTS },
        { "count", "1..2..*1.000000000000001", FR_TOO_MANY_POINTS },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(state, cases[i].name, cases[i].text, cases[i].code);
}

TEST(a_very_long_item_is_refused_not_cut)
{
    char text[300];

    memset(text, '1', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_refused(state, "count", text, FR_SYNTAX);
    memcpy(text, "1..", 3);
    assert_refused(state, "count", text, FR_SYNTAX);
}

TEST(the_largest_list_is_taken)
{
    const struct fr_axis axis = listed(state, "count", "1..100000");

    assert_int_equal(axis.count, FR_MAX_POINTS);
    assert_close(axis.value[FR_MAX_POINTS - 1], 100000, 0);
}

TEST(a_list_that_does_not_fit_in_memory_is_refused)
{
    struct fr_arena *small = fr_arena_new(0);
    struct fr_faults faults = { 0 };
    struct fr_axis axis;

    assert_int_not_equal(
        fr_axis_parse(fr_param_find(params, "count"), "1..50000", small, &axis, &faults), FR_OK);
    assert_int_equal(faults.fault[0].code, FR_NOMEM);
    fr_arena_free(small);
}

/* ---- products ---- */

TEST(the_last_list_runs_fastest)
{
    static const double expected[6][2] = { { 1, 0 }, { 1, 2 }, { 5, 0 },
                                           { 5, 2 }, { 9, 0 }, { 9, 2 } };
    const struct fr_axis axis[] = { listed(state, "count", "1,5,9"),
                                    listed(state, "choice", "red,blue") };
    struct fr_faults faults = { 0 };
    size_t points;

    assert_int_equal(fr_axes_count(axis, 2, 1, &points, &faults), FR_OK);
    assert_int_equal(points, 6);
    for (size_t i = 0; i < points; i++) {
        struct list values = { .late = 7 };

        fr_axes_point(axis, 2, i, &values);
        assert_int_equal(values.count, (int64_t)expected[i][0]);
        assert_int_equal(values.choice, (int)expected[i][1]);
        assert_int_equal(values.late, 7);
    }
}

TEST(a_product_without_lists_is_one_point_for_each_machine)
{
    struct fr_faults faults = { 0 };
    size_t points = 0;

    assert_int_equal(fr_axes_count(NULL, 0, 3, &points, &faults), FR_OK);
    assert_int_equal(points, 3);
}

TEST(a_product_of_more_than_a_hundred_thousand_is_refused)
{
    const struct fr_axis axis[] = { listed(state, "count", "1..1000"),
                                    listed(state, "late", "0..9"),
                                    listed(state, "share", "0..0.3..0.03") };
    struct fr_faults faults = { 0 };
    size_t points = 5;

    assert_int_equal(fr_axes_count(axis, 2, 10, &points, &faults), FR_OK);
    assert_int_equal(points, 100000);
    assert_int_equal(fr_axes_count(axis, 2, 11, &points, &faults), FR_TOO_MANY_POINTS);
    assert_int_equal(points, 100000); /* untouched */
    assert_int_equal(fr_axes_count(axis, 3, 1, &points, &faults), FR_TOO_MANY_POINTS);
    assert_string_equal(faults.fault[0].where, "late");
    assert_string_equal(faults.fault[1].where, "share");
}

GROUP(arena_begin, arena_end)
