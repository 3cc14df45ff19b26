/* Texts in messages: numbers, distances between names, faults that never overflow. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(a_number_in_a_message_reads_as_a_person_writes_it)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { 1, "1" },
        { -5, "-5" },
        { 1000000, "1000000" },
        { 123456789012, "123456789012" },
        { 0.1, "0.1" },
        { 0.5, "0.5" },
        { 1e-6, "1e-06" },
        { 2.5e-10, "2.5e-10" },
        { 1e20, "1e+20" },
        { 1.0 / 3, "0.3333333333333333" },
        { 0.1 + 0.2, "0.30000000000000004" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];

        fr_number_text(cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(a_number_in_a_message_reads_back_to_itself)
{
    uint64_t random = draws_from(3);

    for (int i = 0; i < draws_of(20000); i++) {
        const double value = random_size(&random, 1e-300, 1e300);
        char text[40];

        fr_number_text(value, text, sizeof text);
        assert_true(strtod(text, NULL) == value);
    }
}

TEST(the_distance_counts_edits)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        { "", "", 0 },
        { "a", "", 1 },
        { "", "abc", 3 },
        { "same", "same", 0 },
        { "kitten", "sitting", 3 },
        { "processes", "proceses", 1 },
        { "ab", "ba", 2 },
        { "abc", "xyz", 3 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(fr_text_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(fr_text_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static bool is_near(const char *name, const char *candidate)
{
    struct fr_nearest nearest = { .name = name };

    fr_nearest_consider(&nearest, candidate);
    return nearest.found;
}

TEST(a_name_is_near_if_few_letters_are_wrong_or_missing)
{
    assert_true(is_near("proceses", "processes"));
    assert_true(is_near("bandwidth", "inverse_bandwidth_s_per_byte"));
    assert_true(is_near("m", "n")); /* one letter of one */
    assert_false(is_near("memory", "processes"));
    assert_false(is_near("xyz", "n"));
    assert_false(is_near("", "processes"));
}

TEST(of_several_candidates_the_nearest_is_found)
{
    struct fr_nearest nearest = { .name = "nodse" };

    fr_nearest_consider(&nearest, "modes");
    fr_nearest_consider(&nearest, "nodes_per_rack");
    fr_nearest_consider(&nearest, "nose");
    fr_nearest_consider(&nearest, "nodes");
    assert_string_equal(nearest.found, "nose");
}

TEST(endless_names_are_compared_by_their_beginning)
{
    char a[5000], b[5000];

    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    assert_int_equal(fr_text_distance(a, b), 64);
    assert_int_equal(fr_text_distance(a, "a"), 63);
}

/* ---- faults ---- */

TEST(faults_are_kept_in_order_and_counted_beyond_the_last)
{
    struct fr_faults faults = { 0 };

    for (int i = 0; i < FR_MAX_FAULTS + 5; i++)
        assert_int_equal(fr_fault(&faults, FR_RANGE, "n", "number %d", i), FR_RANGE);
    assert_int_equal(faults.count, FR_MAX_FAULTS + 5);
    assert_int_equal(fr_faults_kept(&faults), FR_MAX_FAULTS);
    assert_string_equal(faults.fault[0].message, "number 0");
    assert_string_equal(faults.fault[FR_MAX_FAULTS - 1].message, "number 31");
}

TEST(a_long_text_is_cut_not_overrun)
{
    struct fr_faults faults = { 0 };
    char text[2000];

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    fr_fault(&faults, FR_SYNTAX, text, "%s", text);
    assert_int_equal(strlen(faults.fault[0].where), FR_WHERE_BYTES - 1);
    assert_int_equal(strlen(faults.fault[0].message), FR_MESSAGE_BYTES - 1);
}

TEST(every_code_has_a_name_of_its_own)
{
    for (int code = FR_OK; code <= FR_INFEASIBLE; code++) {
        const char *name = fr_code_name((enum fr_code)code);

        assert_true(strlen(name) > 1);
        for (int other = FR_OK; other < code; other++)
            assert_string_not_equal(name, fr_code_name((enum fr_code)other));
    }
    assert_string_equal(fr_code_name(FR_GROUP_MISSING), "calibration_group_missing");
    assert_string_equal(fr_code_name(FR_TOO_MANY_POINTS), "too_many_points");
    assert_string_equal(fr_code_name(FR_UNKNOWN_PARAMETER), "unknown_parameter");
    assert_string_equal(fr_code_name(FR_UNKNOWN_KEY), "unknown_key");
}

TEST(an_amount_of_memory_has_four_digits_and_a_unit)
{
    static const struct {
        double bytes;
        const char *at_most, *at_least;
    } amounts[] = {
        { 0, "0 bytes", "0 bytes" },
        { 1000, "1000 bytes", "1000 bytes" },
        { 1024, "1 KiB", "1 KiB" },
        { 1536, "1.5 KiB", "1.5 KiB" },
        { 1048575.0, "1023 KiB", "1 MiB" },
        { 13249974108.0, "12.33 GiB", "12.34 GiB" },
        { 9007199254740992.0, "8 PiB", "8 PiB" },
        { 9.3e18, "8260 PiB", "8261 PiB" },
    };

    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        char text[FR_BYTES_TEXT];

        fr_number_bytes(amounts[i].bytes, FR_NO_MORE, text);
        assert_string_equal(text, amounts[i].at_most);
        fr_number_bytes(amounts[i].bytes, FR_NO_LESS, text);
        assert_string_equal(text, amounts[i].at_least);
    }
}

TEST(a_limit_is_rounded_so_that_it_holds)
{
    static const struct {
        double value;
        const char *at_most, *at_least;
    } limits[] = {
        { 25901.2, "25900", "25910" },
        { 0.12345, "0.1234", "0.1235" },
        { 9999.9, "9999", "10000" },
        { 1e6, "1000000", "1000000" },
        { 123456789, "123400000", "123500000" },
        { -25901.2, "-25910", "-25900" },
        { 1.23456e20, "1.234e+20", "1.235e+20" },
        { INFINITY, "inf", "inf" },
    };
    char rest[FR_ROUNDED_TEXT];

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char text[FR_ROUNDED_TEXT];

        fr_number_rounded(limits[i].value, FR_NO_MORE, text);
        assert_string_equal(text, limits[i].at_most);
        fr_number_rounded(limits[i].value, FR_NO_LESS, text);
        assert_string_equal(text, limits[i].at_least);
    }
    fr_number_rounded(0.8 - 0.2, FR_NEAREST, rest); /* a little above 0.6 */
    assert_string_equal(rest, "0.6");
}
