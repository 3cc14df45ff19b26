/* Numbers of matrix files, and Fortran formats. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/matrix_files.h"

#include "server/matrices/files/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers ---- */

static void check_number(const char *text)
{
    static const struct fr_real_style plain;
    const char *end = text + strlen(text);
    double value;

    assert_ptr_equal(fr_scan_real(text, end, &plain, &value), end);
    if (value != strtod(text, NULL))
        fail_msg("%s is read as %.17g", text, value);
}

TEST(numbers_are_rounded_as_the_c_library_does)
{
    static const char *const texts[] = {
        "9007199254740993",
        "9007199254740992",
        "-0.1",
        "1e22",
        "1e23",
        "123456789012345678e-10",
        "5e-324",
        "2.4e-324",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "0.000000000000000000000000000001",
        "179769313486231570814527423731704356798070e267",
        "00000000000000000000000000012.50",
        "18446744073709551616",
        "9999999999999999999e-27",
        "9999999999999999999e27",
        "99999999999999999999",
        "10000000000000000000000e-22",
        "8.5070591730234615865843651857942052864e37",
        "0e999999999999",
        "1e-999999999999",
    };
    uint64_t random = draws_from(11);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_number(texts[i]);
    for (int i = 0; i < draws_of(100000); i++) {
        const double value = random_size(&random, 1e-300, 1e300);
        const int digits = (int)random_between(&random, 0, 25);
        char text[64];

        snprintf(text, sizeof text, "%.*e", digits, i % 2 ? value : fmod(value, 1e4));
        check_number(text);
        snprintf(text, sizeof text, "%llue%d",
                 (unsigned long long)(random_bits(&random) >> random_between(&random, 0, 60)),
                 (int)random_between(&random, -30, 30));
        check_number(text);
    }
}

/* Odd numbers of 54 bits lie between two doubles. */
TEST(a_number_between_two_doubles_goes_to_the_even_one)
{
    uint64_t random = draws_from(23);

    for (int i = 0; i < draws_of(20000); i++) {
        const unsigned long long odd = random_bits(&random) >> 10 | UINT64_C(1) << 53 | 1;
        const int halvings = (int)random_between(&random, 1, 2);
        char text[64];

        snprintf(text, sizeof text, "%llu", odd);
        check_number(text);
        snprintf(text, sizeof text, "%llue-2", halvings == 1 ? odd * 50 : odd * 25);
        check_number(text);
        snprintf(text, sizeof text, "%llue-2", odd * 100 + 1);
        check_number(text);
        snprintf(text, sizeof text, "%llue-2", odd * 100 - 1);
        check_number(text);
        snprintf(text, sizeof text, "%llue%d", odd >> 30 | 1, halvings * 13);
        check_number(text);
    }
}

TEST(a_magnitude_is_finite_even_where_its_square_is_not)
{
    struct fr_matrix *matrix = matrix_of_text("%%MatrixMarket matrix coordinate complex general\n"
                                              "2 2 2\n1 1 1e200 1e200\n2 2 1.7e308 1.7e308\n");

    assert_close(entry_of(matrix, 1, 1), sqrt(2) * 1e200, 1e-15);
    assert_true(isfinite(entry_of(matrix, 2, 2)));
    fr_matrix_free(matrix);
}

/* ---- formats ---- */

TEST(formats_of_equal_fields_are_understood)
{
    static const struct {
        const char *text;
        struct fr_fortran format;
    } cases[] = {
        { "(16I5)", { 16, 5, true, { false, 0, 0 }, 5, 0, 0 } },
        { "(i8)", { 1, 8, true, { false, 0, 0 }, 8, 0, 0 } },
        { "(10I7.2)", { 10, 7, true, { false, 0, 0 }, 7, 0, 0 } },
        { "(5E16.8)", { 5, 16, false, { true, 8, 0 }, 16, 0, 0 } },
        { "(1P,4D20.12)", { 4, 20, false, { true, 12, 1 }, 20, 0, 0 } },
        { "(1P5e16.9)", { 5, 16, false, { true, 9, 1 }, 16, 0, 0 } },
        { " ( 1P , 3 E 25.16 E3 ) ", { 3, 25, false, { true, 16, 1 }, 25, 0, 0 } },
        { "(-2P,8F10.1)", { 8, 10, false, { true, 1, -2 }, 10, 0, 0 } },
        { "(4G20.0)", { 4, 20, false, { true, 0, 0 }, 20, 0, 0 } },
        { "(3ES26.18)", { 3, 26, false, { true, 18, 0 }, 26, 0, 0 } },
        { "(20F4)", { 20, 4, false, { true, 0, 0 }, 4, 0, 0 } },
        { "(1X,5I4)", { 5, 4, true, { false, 0, 0 }, 4, 1, 1 } },
        { "(2(3I4))", { 6, 4, true, { false, 0, 0 }, 4, 0, 0 } },
        { "(3(1P,E24.16))", { 3, 24, false, { true, 16, 1 }, 24, 0, 0 } },
        { "(4(1X,E15.8))", { 4, 15, false, { true, 8, 0 }, 16, 1, 1 } },
        { "(4(E15.8,2X))", { 4, 15, false, { true, 8, 0 }, 17, 0, 0 } },
        { "(I4,4I4)", { 5, 4, true, { false, 0, 0 }, 4, 0, 0 } },
        { "(1X,3(1P,E24.16))", { 3, 24, false, { true, 16, 1 }, 24, 1, 0 } },
        { "(2X,1P,2E12.4,1X)", { 2, 12, false, { true, 4, 1 }, 12, 2, 2 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text + strspn(cases[i].text, " ");
        const struct fr_fortran *wanted = &cases[i].format;
        struct fr_fortran format;
        const char *behind = fr_fortran_parse(text, text + strlen(text), &format);

        assert_non_null(behind);
        assert_int_equal(behind[-1], ')');
        assert_int_equal(format.per_line, wanted->per_line);
        assert_int_equal(format.width, wanted->width);
        assert_int_equal(format.is_integer, wanted->is_integer);
        assert_int_equal(format.style.is_fortran, wanted->style.is_fortran);
        assert_int_equal(format.style.decimals, wanted->style.decimals);
        assert_int_equal(format.style.scale, wanted->style.scale);
        assert_int_equal(format.pitch, wanted->pitch);
        assert_int_equal(format.skip, wanted->skip);
        assert_int_equal(format.next_skip, wanted->next_skip);
    }
}

TEST(other_formats_are_not)
{
    static const char *const texts[] = {
        "",
        "16I5",
        "(16I5",
        "()",
        "(*)",
        "(I)",
        "(0I5)",
        "(5I0)",
        "(5000I1)",
        "(5A8)",
        "(5I4,I3)",
        "(5E16.)",
        "(5E16.8E)",
        "(-5I4)",
        "(1P)",
        "(400P,5E16.8)",
        "(P5E16.8)",
        "(5E16.8.1)",
        "(1P1P5E16.8)",
        "(5 E16.8;",
        "(5E-16.8)",
        "(99999999999999I5)",
        "(1X)",
        "(I4,1X,I4,2X,I4)",
        "(I4,E8.1)",
        "(2I4,3(I4))",
        "(1P,E8.1,2P,E8.1)",
        "(2(3I4)",
        "(3I4,)",
        "(0(I4))",
        "(2(2(2(2(I4)))))",
        "(999(999(999(1P))))",
        "(I4/I4)",
        "(0X,I4)",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fr_fortran format;

        if (fr_fortran_parse(texts[i], texts[i] + strlen(texts[i]), &format))
            fail_msg("taken: %s", texts[i]);
    }
}

TEST(a_field_is_read_as_fortran_does)
{
    static const struct {
        const char *text;
        struct fr_real_style style;
        double value;
    } cases[] = {
        { "1.5D-03", { true, 4, 0 }, 1.5e-3 },
        { "1.5-103", { true, 4, 0 }, 1.5e-103 },
        { "1.5+3", { true, 4, 1 }, 1500 },
        { "-15", { true, 1, 0 }, -1.5 },
        { "15E3", { true, 1, 0 }, 1500 },
        { "1.5", { true, 1, 1 }, 0.15 },
        { "1.5E0", { true, 1, 1 }, 1.5 },
        { "15", { true, 1, -2 }, 150 },
        { "12345678901234567890", { true, 18, 0 }, 12.345678901234567890 },
        { "1.5e3", { false, 0, 0 }, 1500 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *end = cases[i].text + strlen(cases[i].text);
        double value;

        assert_ptr_equal(fr_scan_real(cases[i].text, end, &cases[i].style, &value), end);
        assert_true(value == cases[i].value);
    }
}
