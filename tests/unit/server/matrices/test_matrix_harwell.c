/* Harwell-Boeing and Rutherford-Boeing files. */
#include "tests/unit/support/matrix_files.h"
#include "tests/unit/support/text_file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is taken ---- */

TEST(a_file_with_right_hand_sides_is_what_it_says)
{
    struct fr_matrix *matrix = matrix_of_file("general.rua");

    assert_int_equal(matrix->format, FR_HARWELL_BOEING);
    assert_int_equal(matrix->field, FR_MATRIX_REAL);
    assert_int_equal(matrix->symmetry, FR_MATRIX_GENERAL);
    assert_string_equal(matrix->title, "five by five, right-hand side, guess and solution");
    check_five(matrix);
}

TEST(numbers_may_stand_without_blanks_between)
{
    check_five(matrix_of_file("packed.rua"));
}

/* The first column is skipped, and the group is repeated. */
TEST(formats_may_skip_columns_and_repeat_groups)
{
    struct fr_matrix *matrix = matrix_of_file("nested.rsa");

    assert_int_equal(matrix->n, 5);
    assert_int_equal(matrix->entries, 8);
    assert_int_equal(matrix->nnz, 11);
    assert_close(entry_of(matrix, 1, 1), 4.125, 0);
    assert_close(entry_of(matrix, 1, 2), 1, 0);
    assert_close(entry_of(matrix, 3, 2), 0.5, 0);
    assert_close(entry_of(matrix, 5, 5), 2.5, 0);
    fr_matrix_free(matrix);
}

TEST(rutherford_boeing_files_are_what_they_say)
{
    struct fr_matrix *matrix = matrix_of_file("symmetric.rb");

    assert_int_equal(matrix->format, FR_RUTHERFORD_BOEING);
    assert_int_equal(matrix->field, FR_MATRIX_PATTERN);
    assert_int_equal(matrix->symmetry, FR_MATRIX_SYMMETRIC);
    assert_int_equal(matrix->entries, 6);
    assert_int_equal(matrix->nnz, 8);
    assert_close(entry_of(matrix, 3, 4), 1, 0);
    assert_close(entry_of(matrix, 1, 2), -1, 0);
    fr_matrix_free(matrix);
    matrix = matrix_of_file("hermitian.rb");
    assert_int_equal(matrix->field, FR_MATRIX_COMPLEX);
    assert_int_equal(matrix->symmetry, FR_MATRIX_HERMITIAN);
    assert_int_equal(matrix->nnz, 7);
    assert_close(entry_of(matrix, 1, 2), 5, 0);
    assert_close(entry_of(matrix, 3, 2), 1.5, 0);
    fr_matrix_free(matrix);
    matrix = matrix_of_file("integer.rb");
    assert_int_equal(matrix->field, FR_MATRIX_INTEGER);
    assert_close(entry_of(matrix, 2, 1), 12, 0);
    assert_close(entry_of(matrix, 1, 3), 40, 0);
    fr_matrix_free(matrix);
}

/* ---- changed texts ---- */

/* The text with one part, which must be in it, changed; free it. */
static char *with(const char *name, const char *part, const char *instead, size_t *length)
{
    char *text = matrix_file(name, length), *at = strstr(text, part), *changed;

    if (!at)
        fail_msg("'%s' is not in %s", part, name);
    changed = calloc(1, *length + strlen(instead) + 1);
    assert_non_null(changed);
    memcpy(changed, text, (size_t)(at - text));
    strcat(changed, instead);
    strcat(changed, at + strlen(part));
    *length = strlen(changed);
    free(text);
    return changed;
}

TEST(small_changes_are_taken)
{
    static const struct {
        const char *name, *part, *instead;
    } cases[] = {
        { "general.rua", "RUA ", "rua " },
        { "general.rua", " 11 15\n", " 11 15     \r\n" },
        { "general.rua", "  1  4  7  9", " 1   4 7   9" },
        { "general.rua", "    1.500   -2.500\n", "+1500.D-3   -2.500 \n" },
        { "general.rua", "FGX  ", "what " }, /* right-hand sides are not used */
        { "general.rua", "    3.000    4.000\n", "three, four\n" },
        { "general.rua", "  -1.0000D+00   2.0000D+00   0.0000D+00",
          "    -1.00+000       2.0E0 0         " },
        { "packed.rua", "0.00E+00-1.00E+00 4.00E+00\n", "0.00E+00-1.00E+00 4.00E+00\n\n \n" },
        { "packed.rua", "            14             0\n", "            14\n" },
        { "general.rua", "            18  ", "            19  " }, /* the lines in total */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        char *text = with(cases[i].name, cases[i].part, cases[i].instead, &length);

        check_five(matrix_of(text, length));
        free(text);
    }
}

TEST(what_does_not_agree_is_refused_where_it_is_wrong)
{
    static const struct {
        const char *name, *part, *instead;
        enum fr_code code;
        const char *where, *words;
    } cases[] = {
        /* the header */
        { "general.rua", "            18  ", "    eighteen    ", FR_SYNTAX, "/line/2",
          "neither a Matrix Market file" },
        { "general.rua", "             2             2             5",
          "             3             2             5", FR_RELATION, "/line/2",
          "announces 3 lines of pointers" },
        { "general.rua", "             2             2             5",
          "             2             1             5", FR_RELATION, "/line/2",
          "announces 1 lines of indices, but their format needs 2" },
        { "general.rua", "             2             2             5",
          "             2             2             4", FR_RELATION, "/line/2",
          "announces 4 lines of values, but their format needs 5" },
        { "general.rua", "RUA", "RRA", FR_CHOICE, "/line/3", "a rectangular matrix" },
        { "general.rua", "RUA", "RUE", FR_CHOICE, "/line/3", "assemble it" },
        { "general.rua", "RUA", "QUA", FR_CHOICE, "/line/3", "values are in another file" },
        { "general.rua", "RUA", "NUA", FR_CHOICE, "/line/3", "type 'N' is not R, C, P or I" },
        { "general.rua", "RUA", "RXA", FR_CHOICE, "/line/3", "type 'X' is not U, S, H or Z" },
        { "general.rua", "RUA", "RUX", FR_CHOICE, "/line/3", "type 'X' is not A, assembled" },
        { "general.rua", "RUA", "RHA", FR_RELATION, "/line/3", "hermitian matrices are complex" },
        { "general.rua", "RUA", "PUA", FR_RELATION, "/line/2",
          "announces 5 lines of values, but their format needs 0" },
        { "general.rua", "            14 ", "          14.5 ", FR_SYNTAX, "/line/3",
          "not followed by the numbers" },
        { "general.rua", "            14 ", "            26 ", FR_RELATION, "/line/3",
          "has at most 25" },
        { "general.rua", "             5            14", "             6            14",
          FR_RELATION, "/line/3", "5 rows and 6 columns" },
        { "general.rua", "(4I3)", "(4F3)", FR_SYNTAX, "/line/4", "format of the pointers" },
        { "nested.rsa", "   1  3  5", "1  1  3  5", FR_SYNTAX, "/line/5",
          "'1' is not blank between the numbers" },
        { "nested.rsa", "    3   4   4", "1   3   4   4", FR_SYNTAX, "/line/7",
          "not blank between" },
        { "general.rua", "(8I3)", "(8(I3", FR_SYNTAX, "/line/4", "format of the indices" },
        { "general.rua", "(1P,3D13.4)", "(3(1PD13.4)", FR_SYNTAX, "/line/4", "(1P,4D20.12)" },
        /* pointers */
        { "general.rua", "  1  4  7  9", "  0  3  6  8", FR_RANGE, "/line/6",
          "the first pointer is 0; entries are counted from 1" },
        { "general.rua", "  1  4  7  9", "  1  4  3  9", FR_RANGE, "/line/6",
          "pointer 3 of column 3 is outside 4" },
        { "general.rua", " 11 15", " 11 16", FR_RANGE, "/line/7", "to 15 (all entries, and 1)" },
        { "general.rua", " 11 15", " 11 14", FR_RELATION, "/line/7",
          "the pointers end with 14, and line 3 announces 14 entries" },
        { "general.rua", " 11 15", " 11 -5", FR_SYNTAX, "/line/7", "'-5' is not a whole number" },
        { "general.rua", "  1  4  7  9", "  1  4     9", FR_SYNTAX, "/line/6",
          "2 numbers where the format has 4 fields of 3 columns" },
        { "general.rua", "  1  4  7  9\n", "  1  4  7\n", FR_SYNTAX, "/line/6", "3 numbers where" },
        { "general.rua", "  1  4  7  9\n", "  1  4  7  9 11\n", FR_SYNTAX, "/line/6",
          "'11' is not blank after the last number" },
        { "general.rua", " 11 15\n", " 11 15  1\n", FR_SYNTAX, "/line/7", "'1' is not blank" },
        { "general.rua", "  1  4  7  9", " 14  4  7  9", FR_RANGE, "/line/6",
          "first pointer is 14" },
        /* indices */
        { "general.rua", "  4  5  1  3  4  5", "  4  5  1  3  6  5", FR_RANGE, "/line/9",
          "row 6 is outside 1 to 5" },
        { "general.rua", "  4  5  1  3  4  5", "  4  5  1  3  0  5", FR_RANGE, "/line/9",
          "row 0 is outside 1 to 5" },
        { "general.rua", "  1  2  5  1", "  1  2  1  1", FR_REPEATED, "/line/8",
          "(1, 1) again, after line 8" },
        { "general.rua", "  4  5  1  3  4  5", "  4  5  1  3  4  1", FR_REPEATED, "/line/9",
          "(1, 5) again, after line 9" },
        { "symmetric.rb", "    1    3    2    3", "    1    3    2    1", FR_RELATION, "/line/6",
          "(1, 3) is above the diagonal" },
        /* values */
        { "general.rua", "   4.0000D+00  -1.0000D+00   3", "  4.0000D+400  -1.0000D+00   3",
          FR_RANGE, "/line/10", "larger than a double" },
        { "general.rua", "  -1.0000D+00   4.0000D+00\n", "  -1.0000D+00          NaN\n", FR_SYNTAX,
          "/line/14", "'NaN' is not a number" },
        { "general.rua", "   4.0000D+00  -1.0000D+00   3", "   4.0000D+ 0  -1.0000D+00   3",
          FR_SYNTAX, "/line/10", "is the format on line 4 right?" },
        { "packed.rua", " 2.00E+00 0.00E+00-1.00E+00 4.00E+00\n", "", FR_SYNTAX, "/line/10",
          "the file ends where the other 4 of 14 values should follow" },
        { "packed.rua", "51345\n", "51345\n51345\n", FR_SYNTAX, "/line/8", "" },
        { "hermitian.rb", "  0.000000000000E+00  3.0", "  1.000000000000E+00  3.0", FR_RELATION,
          "/line/7", "(1, 1) has imaginary part 1" },
        { "integer.rb", "  40", " 4.5", FR_SYNTAX, "/line/8", "'4.5' is not a whole number" },
        /* right-hand sides, the end */
        { "general.rua", "    0.000\n    1.500", "    1.500", FR_SYNTAX, "/line/23",
          "the file ends where the other lines of right-hand sides should follow" },
        { "general.rua", "    3.250    0.000\n    1.000\n",
          "    3.250    0.000\n    1.000\n    1.000\n", FR_SYNTAX, "/line/24",
          "after the last of 14 entries that line 3 announces" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fr_faults faults;
        size_t length;
        char *text = with(cases[i].name, cases[i].part, cases[i].instead, &length);

        faults = matrix_refused(text, length);
        assert_fault(&faults, cases[i].code, cases[i].where, cases[i].words);
        free(text);
    }
}

TEST(several_faults_of_a_header_are_told_at_once)
{
    size_t length;
    char *text = with("general.rua", "RUA", "XRE", &length);
    struct fr_faults faults = matrix_refused(text, length);

    assert_int_equal(faults.count, 3);
    free(text);
    text = with("general.rua", "             2             2             5",
                "             4             4             4", &length);
    faults = matrix_refused(text, length);
    assert_int_equal(faults.count, 3);
    free(text);
}

TEST(a_pattern_may_be_skew_and_a_title_end_with_a_bar)
{
    struct fr_matrix *matrix = matrix_of_text(
        "skew                                                                   |skew    \n"
        "             2             1             1             0\n"
        "pza                        2             2             1             0\n"
        "(40I2)          (40I2)\n 1 2 2\n 2\n");

    assert_string_equal(matrix->title, "skew");
    assert_int_equal(matrix->symmetry, FR_MATRIX_SKEW);
    assert_int_equal(matrix->nnz, 2);
    fr_matrix_free(matrix);
}

/* ---- files of others ---- */

/* The examples that Debian installs with SuperLU_DIST. */
static struct fr_matrix *read_example(const char *name)
{
    char pattern[100], *text;
    struct fr_matrix *matrix;
    glob_t found;
    size_t length;

    snprintf(pattern, sizeof pattern, "/usr/lib/*/superlu-dist/tests/EXAMPLE/%s", name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    text = file_text(found.gl_pathv[0], &length);
    globfree(&found);
    assert_non_null(text);
    matrix = matrix_of(text, length);
    free(text);
    return matrix;
}

TEST(examples_of_superlu_dist_are_taken)
{
    static const struct {
        const char *name, *title;
        int64_t n, nnz;
        enum fr_matrix_field field;
    } cases[] = {
        { "big.rua", "32-bit adder, from Steve Hamm (Motorola) hamm@austoto.sps.mot.com", 4960,
          23884, FR_MATRIX_REAL },
        { "g20.rua", "g20, symm permuted by SYMMMD", 400, 1920, FR_MATRIX_REAL },
        { "g4.rua", "g4, symm. permuted by SYMMMD", 16, 64, FR_MATRIX_REAL },
        { "cg20.cua", "complex g20, symm. permuted by SYMMMD", 400, 1920, FR_MATRIX_COMPLEX },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fr_matrix *matrix = read_example(cases[i].name);

        if (!matrix)
            skip(); /* libsuperlu-dist-dev is not installed */
        assert_int_equal(matrix->format, FR_HARWELL_BOEING);
        assert_int_equal(matrix->field, cases[i].field);
        assert_string_equal(matrix->title, cases[i].title);
        assert_int_equal(matrix->n, cases[i].n);
        assert_int_equal(matrix->nnz, cases[i].nnz);
        fr_matrix_free(matrix);
    }
}
