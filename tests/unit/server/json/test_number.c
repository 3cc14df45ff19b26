/* Numbers as ECMAScript prints them, and the canonical form that ids are made from. */
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

#include "server/json/decode.h"
#include "server/json/writer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *printed(double value, char text[FR_NUMBER_BYTES])
{
    const size_t length = fr_number_print(value, text);

    assert_true(length > 0 && length < FR_NUMBER_BYTES);
    text[length] = '\0';
    return text;
}

/* What a browser answers to String(value). */
TEST(numbers_are_printed_as_a_browser_prints_them)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        { 0.0, "0" },
        { -0.0, "0" },
        { 1, "1" },
        { -1, "-1" },
        { 10, "10" },
        { 0.1, "0.1" },
        { 0.5, "0.5" },
        { 1.0 / 3, "0.3333333333333333" },
        { 2.0 / 3, "0.6666666666666666" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 123.456, "123.456" },
        { 1e-6, "0.000001" },
        { 1.5e-6, "0.0000015" },
        { 1e-7, "1e-7" },
        { 1.25e-7, "1.25e-7" },
        { 1e20, "100000000000000000000" },
        { 123456789012345680000.0, "123456789012345680000" },
        { 1e21, "1e+21" },
        { 1.5e21, "1.5e+21" },
        { 1e100, "1e+100" },
        { 1e15, "1000000000000000" },
        { 1e16, "10000000000000000" },
        { 999999999999999.9, "999999999999999.9" },
        { 9007199254740991, "9007199254740991" },
        { 9007199254740992, "9007199254740992" },
        { 9007199254740994, "9007199254740994" },
        { 1e23, "1e+23" },
        { 4.5e15, "4500000000000000" },
        { 5e-324, "5e-324" },
        { 2.2250738585072014e-308, "2.2250738585072014e-308" },
        { 2.225073858507201e-308, "2.225073858507201e-308" },
        { 1.7976931348623157e308, "1.7976931348623157e+308" },
        { 9.5367431640625e-7, "9.5367431640625e-7" },
        { 2.98023223876953125e-8, "2.9802322387695312e-8" },
        { 4.35, "4.35" },
        { 4.349999999999999, "4.349999999999999" },
        { 5e-12, "5e-12" },
        { 1e-12, "1e-12" },
        { 9.999999999999e-13, "9.999999999999e-13" },
        { 2.0 / 7, "0.2857142857142857" },
        { 1.1e-5, "0.000011" },
        { -1.7e-10, "-1.7e-10" },
        /* The neighbours of a power of two lie unevenly around it. */
        { 9.007199254740993e15 * 8, "72057594037927940" },
        { 1.8014398509481984e16, "18014398509481984" },
        { 2.9802322387695312e-8, "2.9802322387695312e-8" },
        { 1.1920928955078125e-7, "1.1920928955078125e-7" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[FR_NUMBER_BYTES];

        if (strcmp(printed(cases[i].value, text), cases[i].text) != 0)
            fail_msg("%.17g is printed as %s instead of %s", cases[i].value, text, cases[i].text);
    }
}

static size_t digits_of(const char *text)
{
    size_t count = 0, zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9')
            continue;
        if (*text == '0' && !count)
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* Reads back to itself, with no more digits than the fewest that do. */
static void check_shortest(double value)
{
    char text[FR_NUMBER_BYTES], other[40];
    size_t digits;

    printed(value, text);
    if (strtod(text, NULL) != value)
        fail_msg("%.17g is printed as %s, which reads back as %.17g", value, text,
                 strtod(text, NULL));
    digits = digits_of(text);
    if (digits < 2)
        return;
    snprintf(other, sizeof other, "%.*e", (int)digits - 2, value);
    if (strtod(other, NULL) == value)
        fail_msg("%s has more digits than %s", text, other);
}

TEST(numbers_read_back_to_themselves_in_the_fewest_digits)
{
    uint64_t random = draws_from(1);

    for (int i = 0; i < draws_of(300000); i++) { /* any double at all */
        const uint64_t bits = random_bits(&random);
        double value;

        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_shortest(value);
    }
    for (int i = 0; i < draws_of(400000); i++) /* of the size that is printed by integers alone */
        check_shortest(random_size(&random, 1e-13, 1e16));
    for (int i = 0; i < draws_of(300000); i++) /* few digits, as people write them */
        check_shortest((double)random_between(&random, 1, 99999) *
                       pow(10, (double)random_between(&random, -14, 12)));
}

TEST(powers_of_two_and_ten_and_their_neighbours_read_back)
{
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double value = ldexp(1, exponent);

        check_shortest(value);
        check_shortest(nextafter(value, INFINITY));
        check_shortest(nextafter(value, 0) > 0 ? nextafter(value, 0) : value);
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[20];
        double value;

        snprintf(text, sizeof text, "1e%d", exponent);
        value = strtod(text, NULL);
        check_shortest(value);
        check_shortest(nextafter(value, INFINITY));
        check_shortest(nextafter(value, 0));
    }
}

/* Of the shortest, the nearest is printed: no other last digit comes closer. */
TEST(of_the_shortest_texts_the_nearest_is_printed)
{
    uint64_t random = draws_from(2);

    for (int i = 0; i < draws_of(200000); i++) {
        const double value = random_size(&random, 1e-12, 1e15);
        char text[FR_NUMBER_BYTES], nearest[40];
        size_t digits;

        printed(value, text);
        digits = digits_of(text);
        snprintf(nearest, sizeof nearest, "%.*e", (int)digits - 1, value);
        if (strtod(nearest, NULL) == value && strtod(text, NULL) == value &&
            strtold(nearest, NULL) != strtold(text, NULL))
            fail_msg("%.20g: %s is nearer than %s", value, nearest, text);
    }
}

TEST(the_printing_does_not_depend_on_sign)
{
    uint64_t random = draws_from(4);

    for (int i = 0; i < draws_of(10000); i++) {
        const double value = random_size(&random, 1e-300, 1e300);
        char plus[FR_NUMBER_BYTES], minus[FR_NUMBER_BYTES];

        printed(value, plus);
        printed(-value, minus);
        assert_int_equal(minus[0], '-');
        assert_string_equal(minus + 1, plus);
    }
}

/* ---- ids ---- */

TEST(the_published_vectors_have_these_ids)
{
    json_error_t error;
    json_t *vectors = json_load_file("api/canonical-vectors.json", 0, &error), *vector;
    size_t index;

    assert_non_null(vectors);
    assert_true(json_array_size(vectors) > 10);
    json_array_foreach(vectors, index, vector)
    {
        const char *text = json_string_value(json_object_get(vector, "json"));
        const char *canonical = json_string_value(json_object_get(vector, "canonical"));
        const char *wanted = json_string_value(json_object_get(vector, "id"));
        struct fr_faults faults = { 0 };
        json_t *value = fr_json_parse(text, strlen(text), &faults);
        json_t *again = fr_json_parse(canonical, strlen(canonical), &faults);
        char id[17];

        assert_non_null(value);
        assert_non_null(again);
        assert_int_equal(fr_json_id(value, id), FR_OK);
        if (strcmp(id, wanted) != 0)
            fail_msg("%s: %s instead of %s", canonical, id, wanted);
        assert_int_equal(fr_json_id(again, id), FR_OK);
        assert_string_equal(id, wanted);
        json_decref(value);
        json_decref(again);
    }
    json_decref(vectors);
}

/* RFC 8785 sorts by UTF-16 units: U+1F600, a pair from D83D on, before U+E000 and U+FFFD. */
TEST(the_order_of_keys_does_not_matter)
{
    static const char *const keys[] = { "",
                                        "a",
                                        "b",
                                        "aa",
                                        "\x7f",
                                        "\xc3\xa4",
                                        "\xee\x80\x80",
                                        "\xef\xbf\xbd",
                                        "\xf0\x9f\x98\x80",
                                        "\xf4\x8f\xbf\xbf" };
    enum { COUNT = sizeof keys / sizeof keys[0] };
    uint64_t random = draws_from(14);
    char first[17];

    for (int round = 0; round < draws_of(200); round++) {
        json_t *object = json_object();
        size_t order[COUNT] = { 0 };
        char id[17];

        for (size_t i = 0; i < COUNT; i++) {
            const size_t place = (size_t)random_between(&random, 0, (int64_t)i);

            order[i] = order[place];
            order[place] = i;
        }
        for (size_t i = 0; i < COUNT; i++)
            json_object_set_new(object, keys[order[i]], json_real((double)order[i]));
        assert_int_equal(fr_json_id(object, round ? id : first), FR_OK);
        if (round)
            assert_string_equal(id, first);
        json_decref(object);
    }
}

TEST(what_differs_has_another_id)
{
    static const char *const texts[] = { "{}",        "[]",        "null",        "0",
                                         "\"0\"",     "true",      "false",       "[0]",
                                         "{\"a\":0}", "{\"a\":1}", "{\"b\":0}",   "[[]]",
                                         "\"\"",      "1e-7",      "\"\\u00e4\"", "\"a\\u0308\"" };
    char ids[16][17];

    for (size_t i = 0; i < 16; i++) {
        struct fr_faults faults = { 0 };
        json_t *value = fr_json_parse(texts[i], strlen(texts[i]), &faults);

        assert_non_null(value);
        assert_int_equal(fr_json_id(value, ids[i]), FR_OK);
        json_decref(value);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(ids[i], ids[j]);
    }
}
