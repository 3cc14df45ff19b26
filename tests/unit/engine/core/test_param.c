/* Parameter descriptors at work: reading, checking, printing, defaults, hints. */
#include "tests/unit/support/question.h"

#include <string.h>

struct values {
    int64_t count, late;
    double share;
    int colour, truth;
};
static const char *const colours[] = { "red", "green", NULL };
static const struct fr_choice_alias others[] = { { "vert", 1 }, { .name = NULL } };
static const struct fr_param params[] = {
    FR_INT(struct values, count, .unit = "1", .min = 1, .max = 1e9, .fallback = 3,
           .flags = FR_DEFAULT),
    FR_INT(struct values, late, .unit = "1", .min = 0, .max = 10, .flags = FR_LATE),
    FR_REAL(struct values, share, .unit = "1", .min = 0, .max = 1, .flags = FR_REQUIRED),
    FR_CHOICE_OF(struct values, colour, .unit = "", .choices = colours, .choice_aliases = others,
                 .fallback = 1, .flags = FR_DEFAULT),
    FR_BOOL(struct values, truth, .unit = ""),
    FR_PARAMS_END,
};

static const struct fr_param *param(const char *name)
{
    return fr_param_find(params, name);
}

static void assert_reads(const char *name, const char *text, double expected)
{
    struct fr_faults faults = { 0 };
    double value = -1;

    if (fr_param_parse(param(name), text, &value, &faults) != FR_OK)
        fail_msg("%s=%s: %s", name, text, faults.fault[0].message);
    assert_true(value == expected);
    assert_int_equal(faults.count, 0);
}

static void assert_refuses(const char *name, const char *text, enum fr_code code, const char *words)
{
    struct fr_faults faults = { 0 };
    double value = -77;

    if (fr_param_parse(param(name), text, &value, &faults) == FR_OK)
        fail_msg("%s=%s is not refused", name, text);
    assert_fault(&faults, code, name, words);
    assert_int_equal(faults.count, 1);
    assert_true(value == -77); /* untouched */
}

TEST(numbers_are_read_as_people_write_them)
{
    assert_reads("count", "1", 1);
    assert_reads("count", "1e6", 1e6);
    assert_reads("count", "1E+6", 1e6);
    assert_reads("count", "1.5e1", 15);
    assert_reads("count", "+7", 7);
    assert_reads("count", "007", 7);
    assert_reads("count", "1000000000", 1e9);
    assert_reads("share", ".5", 0.5);
    assert_reads("share", "0.", 0);
    assert_reads("share", "-0", 0);
    assert_reads("share", "5e-1", 0.5);
    assert_reads("late", "-3", -3);
}

TEST(what_c_takes_for_a_number_but_people_do_not_is_refused)
{
    static const char *const texts[] = { "",    " 1", "1 ",    "0x10", "inf",   "nan", "1e",
                                         "1e+", "e5", ".",     "-",    "--1",   "+-1", "1,000",
                                         "1_0", "1f", "1.2.3", "INF",  "1e5.5", "\t1" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_refuses("count", texts[i], FR_SYNTAX, "not a number");
}

TEST(a_value_out_of_its_range_is_refused_with_the_range)
{
    assert_refuses("count", "0", FR_RANGE, "0 is outside 1 to 1000000000");
    assert_refuses("count", "-5", FR_RANGE, "-5 is outside 1 to 1000000000");
    assert_refuses("count", "1000000001", FR_RANGE, "1000000001 is outside");
    assert_refuses("count", "1e999", FR_RANGE, "too large");
    assert_refuses("share", "1.0000001", FR_RANGE, "1.0000001 is outside 0 to 1");
    assert_refuses("share", "-1e-300", FR_RANGE, "outside 0 to 1");
    assert_refuses("late", "1e300", FR_RANGE, "outside 0 to 10");
}

TEST(a_fraction_where_a_count_is_wanted_is_refused_with_a_proposal)
{
    assert_refuses("count", "1.5", FR_TYPE, "1.5 is not a whole number; try 2");
    assert_refuses("count", "0.1", FR_TYPE, "try 1");
    assert_refuses("count", "2.5e9", FR_RANGE, "outside");
    assert_refuses("late", "0.5", FR_TYPE, "whole number");
}

TEST(choices_and_truths_are_read_by_their_names_alone)
{
    assert_reads("colour", "red", 0);
    assert_reads("colour", "green", 1);
    assert_reads("colour", "vert", 1);
    assert_reads("truth", "true", 1);
    assert_reads("truth", "false", 0);
    assert_refuses("colour", "Red", FR_CHOICE, "'Red' is not one of red, green");
    assert_refuses("colour", "", FR_CHOICE, "red, green");
    assert_refuses("colour", "vermillon", FR_CHOICE, "red, green");
    assert_refuses("colour", "0", FR_CHOICE, "red, green");
    assert_refuses("truth", "1", FR_SYNTAX, "neither true nor false");
    assert_refuses("truth", "TRUE", FR_SYNTAX, "neither true nor false");
    assert_refuses("truth", "yes", FR_SYNTAX, "neither true nor false");
}

TEST(clearing_opens_everything_but_the_defaults)
{
    struct values values;

    memset(&values, 0x55, sizeof values);
    fr_params_clear(params, &values);
    assert_int_equal(values.count, 3);
    assert_int_equal(values.colour, 1);
    assert_true(fr_param_is_open(param("late"), &values));
    assert_true(fr_param_is_open(param("share"), &values));
    assert_true(fr_param_is_open(param("truth"), &values));
    assert_false(fr_param_is_open(param("count"), &values));
}

TEST(what_is_set_is_got_and_opened_again)
{
    struct values values;

    fr_params_clear(params, &values);
    for (const struct fr_param *one = params; one->name; one++) {
        fr_param_set(one, &values, 1);
        assert_false(fr_param_is_open(one, &values));
        assert_true(fr_param_get(one, &values) == 1);
        fr_param_open(one, &values);
        assert_true(fr_param_is_open(one, &values));
    }
    fr_param_set(param("count"), &values, 999999999);
    assert_int_equal(values.count, 999999999);
    fr_param_set(param("share"), &values, 0.1);
    assert_true(values.share == 0.1);
}

TEST(a_value_is_printed_as_it_is_read)
{
    static const struct {
        const char *name;
        double value;
        const char *text;
    } cases[] = {
        { "count", 1000000, "1000000" }, { "count", 7, "7" },
        { "share", 0.1, "0.1" },         { "share", 1.0 / 3, "0.3333333333333333" },
        { "truth", 1, "true" },          { "truth", 0, "false" },
        { "colour", 1, "green" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];

        fr_param_print_number(param(cases[i].name), cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        assert_reads(cases[i].name, text, cases[i].value);
    }
}

TEST(a_misspelt_name_is_told_its_neighbour)
{
    assert_string_equal(fr_param_near(params, "cuont"), "count");
    assert_string_equal(fr_param_near(params, "counts"), "count");
    assert_string_equal(fr_param_near(params, "color"), "colour");
    assert_null(fr_param_near(params, "memory"));
    assert_null(fr_param_find(params, "Count"));
    assert_null(fr_param_find(params, ""));
}

TEST(a_borrowed_text_stays_where_it_is_whatever_it_holds)
{
    struct words {
        const char *given;
    } values, copy;
    static const struct fr_param given[] = { FR_BORROWED(struct words, given), FR_PARAMS_END };
    static const char *const texts[] = { "a,b \xe2\x82\xac\n", "" };
    struct fr_faults faults = { 0 };
    char printed[20];

    fr_params_clear(given, &values);
    assert_true(fr_param_is_open(given, &values));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fr_param_read(given, texts[i], &values, &faults), FR_OK);
        assert_false(fr_param_is_open(given, &values));
        fr_param_copy(given, &values, &copy);
        assert_ptr_equal(copy.given, texts[i]);
        assert_ptr_equal(fr_param_text(given, &copy), texts[i]);
        fr_param_print(given, &copy, printed, sizeof printed);
        assert_string_equal(printed, texts[i]);
    }
    fr_param_open(given, &values);
    assert_null(values.given);
    assert_int_equal(faults.count, 0);
}
