/* Matrix Market files. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/matrix_files.h"

#include <stdio.h>
#include <stdlib.h>

#define BANNER(kind) "%%MatrixMarket matrix coordinate " kind "\n"
#define GENERAL BANNER("real general")

/* ---- what is taken ---- */

TEST(a_general_file_is_what_it_says)
{
    struct fr_matrix *matrix = matrix_of_file("general.mtx");

    assert_int_equal(matrix->format, FR_MATRIX_MARKET);
    assert_int_equal(matrix->field, FR_MATRIX_REAL);
    assert_int_equal(matrix->symmetry, FR_MATRIX_GENERAL);
    assert_string_equal(matrix->title, "five by five, an explicit zero on the diagonal");
    check_five(matrix);
}

TEST(kinds_have_the_names_of_matrix_market)
{
    assert_string_equal(fr_matrix_formats[FR_MATRIX_MARKET], "matrix_market");
    assert_string_equal(fr_matrix_formats[FR_RUTHERFORD_BOEING], "rutherford_boeing");
    assert_string_equal(fr_matrix_fields[FR_MATRIX_PATTERN], "pattern");
    assert_string_equal(fr_matrix_symmetries[FR_MATRIX_SKEW], "skew-symmetric");
    assert_string_equal(fr_matrix_symmetries[FR_MATRIX_HERMITIAN], "hermitian");
}

TEST(symmetric_kinds_are_expanded)
{
    struct fr_matrix *matrix = matrix_of_file("skew.mtx");

    assert_int_equal(matrix->entries, 2);
    assert_int_equal(matrix->nnz, 4);
    assert_int_equal(matrix->field, FR_MATRIX_INTEGER);
    assert_close(entry_of(matrix, 2, 1), 7, 0);
    assert_close(entry_of(matrix, 1, 2), 7, 0);
    assert_close(entry_of(matrix, 2, 3), 5, 0);
    assert_close(entry_of(matrix, 1, 1), -1, 0);
    fr_matrix_free(matrix);
    matrix = matrix_of_file("hermitian.mtx");
    assert_int_equal(matrix->nnz, 7);
    assert_close(entry_of(matrix, 1, 2), 5, 0);
    assert_close(entry_of(matrix, 2, 1), 5, 0);
    assert_close(entry_of(matrix, 3, 3), 2, 0);
    fr_matrix_free(matrix);
    matrix = matrix_of_file("symmetric.mtx");
    assert_int_equal(matrix->nnz, 8);
    assert_null(matrix->value);
    assert_close(entry_of(matrix, 3, 4), 1, 0);
    assert_close(entry_of(matrix, 1, 3), 1, 0);
    assert_close(entry_of(matrix, 1, 2), -1, 0);
    fr_matrix_free(matrix);
}

TEST(case_blanks_and_line_ends_may_differ)
{
    static const char *const texts[] = {
        "%%matrixmarket MATRIX Coordinate Real GENERAL\n2 2 2\n1 1 1\n2 2 3\n",
        "%%MatrixMarket  matrix\tcoordinate real general \n\n  2\t2 2 \n\n 1 1  1\n\n\t2 2 3 \n\n",
        "%%MatrixMarket matrix coordinate real general\r\n% c\r\n2 2 2\r\n1 1 1\r\n2 2 3\r\n\r\n",
        BANNER("integer general") "%\n2 2 2\n1 1 1\n2 2 +3\n",
        GENERAL "2 2 2\n2 2 3\n1 1 1\n",
        GENERAL "2 2 2\n1 1 1.d0\n2 2 .3D+1\n",
        BANNER("complex symmetric") "2 2 2\n1 1 0 1\n2 2 -3 0\n",
        BANNER("unsigned-integer general") "2 2 2\n1 1 1\n2 2 3\n",
        " " GENERAL "2 2 2\n1 1 1\n2 2 3\n",
        "\n\t" GENERAL "  % indented\n\t%\n 2 2 2\n1 1 1\n2 2 3\n",
        "%%MatrixMarket matrix coordinate real general % by hand\n2 2 2\n1 1 1\n2 2 3\n",
        "%%MatrixMarket matrix coordinate real general 2 2\n2 2 2\n1 1 1\n2 2 3\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fr_matrix *matrix = matrix_of_text(texts[i]);

        assert_int_equal(matrix->nnz, 2);
        assert_close(entry_of(matrix, 1, 1), 1, 0);
        assert_close(entry_of(matrix, 2, 2), 3, 0);
        fr_matrix_free(matrix);
    }
}

TEST(a_matrix_may_be_empty_or_of_one_row)
{
    struct fr_matrix *matrix = matrix_of_text(BANNER("pattern general") "3 3 0\n");

    assert_int_equal(matrix->nnz, 0);
    fr_matrix_free(matrix);
    matrix = matrix_of_text(GENERAL "1 1 1\n1 1 -0.5\n");
    assert_close(entry_of(matrix, 1, 1), 0.5, 0);
    fr_matrix_free(matrix);
}

TEST(a_title_is_text_that_json_can_hold)
{
    static const char *const comments[][2] = {
        { "%%% \t Name: x \t\n", "Name: x" },
        { "% a\x01\xff\x7f z\n", "a??? z" },
        { "%\n%---\n%é\n%second\n", "é" },
        { "%\n", "" },
    };

    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++) {
        char text[200];
        struct fr_matrix *matrix;

        snprintf(text, sizeof text, "%s%s1 1 1\n1 1\n", BANNER("pattern general"), comments[i][0]);
        matrix = matrix_of_text(text);
        assert_string_equal(matrix->title, comments[i][1]);
        fr_matrix_free(matrix);
    }
}

/* ---- the order of entries ---- */

enum { ORDER = 60, ENTRIES = 900 };

struct triple {
    int row, column, value;
};

/* Different places at random, the first column long. */
static void fill(struct triple triple[ENTRIES], uint64_t *random)
{
    bool is_taken[ORDER][ORDER] = { { false } };

    for (int k = 0; k < ENTRIES;) {
        const int row = (int)random_between(random, 0, ORDER - 1);
        const int column = k < 40 ? 0 : (int)random_between(random, 0, ORDER - 1);

        if (is_taken[row][column])
            continue;
        is_taken[row][column] = true;
        triple[k] = (struct triple){ row, column, k + 1 };
        k++;
    }
}

static char *printed(const struct triple *triple, int count)
{
    char *text = malloc(200 + 20 * (size_t)count), *at = text;

    assert_non_null(text);
    at += sprintf(at, "%s%d %d %d\n", BANNER("integer general"), ORDER, ORDER, count);
    for (int k = 0; k < count; k++)
        at += sprintf(at, "%d %d %d\n", triple[k].row + 1, triple[k].column + 1, triple[k].value);
    return text;
}

static int by_column(const void *a, const void *b)
{
    const struct triple *x = a, *y = b;

    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

TEST(entries_may_come_in_any_order)
{
    uint64_t random = 5;
    struct triple triple[ENTRIES];
    struct fr_matrix *any, *sorted;
    char *text;

    fill(triple, &random);
    text = printed(triple, ENTRIES);
    any = matrix_of_text(text);
    free(text);
    for (int k = 0; k < ENTRIES; k++)
        assert_close(entry_of(any, triple[k].row + 1, triple[k].column + 1), triple[k].value, 0);
    qsort(triple, ENTRIES, sizeof triple[0], by_column);
    text = printed(triple, ENTRIES);
    sorted = matrix_of_text(text);
    free(text);
    check_same(any, sorted);
    fr_matrix_free(any);
    fr_matrix_free(sorted);
}

TEST(an_entry_given_twice_is_refused_with_both_lines)
{
    struct fr_faults faults =
        text_refused(GENERAL "% c\n3 3 5\n1 1 1\n3 2 1\n2 2 1\n3 2 4\n3 2 0\n");

    assert_int_equal(faults.count, 2);
    assert_fault(&faults, FR_REPEATED, "/line/7", "(3, 2) again, after line 5");
    assert_fault(&faults, FR_REPEATED, "/line/8", "(3, 2) again, after line 7");
    faults = text_refused(GENERAL "2 2 2\n1 1 1\n1 1 1\n");
    assert_fault(&faults, FR_REPEATED, "/line/4", "(1, 1) again, after line 3");
    faults = text_refused(GENERAL "2 2 2\n1 1 1\n\n1 1 1\n");
    assert_fault(&faults, FR_REPEATED, "/", "(1, 1) is entry 1 and entry 2");
    faults = text_refused(BANNER("pattern symmetric") "3 3 3\n3 1\n2 2\n3 1\n");
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_REPEATED, "/line/5", "(3, 1) again, after line 3");
}

/* ---- what is refused ---- */

TEST(what_is_no_such_file_is_refused_where_it_is_wrong)
{
    static const struct {
        const char *text;
        enum fr_code code;
        const char *where, *words;
    } cases[] = {
        { "%%MatrixMarketmatrix\n", FR_SYNTAX, "/line/1", "not a banner" },
        { GENERAL "", FR_SYNTAX, "/line/2", "ends where the sizes should follow" },
        { "%%MatrixMarket matrix coordinate real general symmetric\n1 1 1\n1 1 1\n", FR_SYNTAX,
          "/line/1", "not a banner" },
        { "%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n", FR_SYNTAX, "/line/1",
          "the line has one % too few" },
        { "%% MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", FR_SYNTAX, "/line/1",
          "two %, and no blank behind them" },
        { "%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", FR_SYNTAX, "/line/1",
          "two %, and no blank behind them" },
        { "% a comment\n1 1 1\n1 1 1\n", FR_SYNTAX, "/line/1",
          "'%%MatrixMarket matrix coordinate FIELD SYMMETRY'; put the one of this matrix in "
          "front" },
        { "%%MatrixMarket matrix array real general\n", FR_CHOICE, "/line/1", "as coordinate" },
        { "%%MatrixMarket vector coordinate real general\n", FR_CHOICE, "/line/1",
          "'vector' is not one of matrix" },
        { BANNER("double general"), FR_CHOICE, "/line/1",
          "field 'double' is not one of real, integer, complex, pattern" },
        { BANNER("real hermite"), FR_CHOICE, "/line/1", "skew-symmetric, hermitian" },
        { BANNER("real hermitian") "1 1 1\n1 1 1\n", FR_RELATION, "/line/2", "are complex" },
        { BANNER("pattern skew-symmetric") "2 2 1\n2 1\n", FR_RELATION, "/line/2", "no signs" },
        { "% no banner\n1 1 1\n1 1 1\n", FR_SYNTAX, "/line/1", "%%MatrixMarket matrix" },
        { GENERAL "2 2\n", FR_SYNTAX, "/line/2", "'2 2' is not ROWS COLUMNS ENTRIES" },
        { GENERAL "2 2 2 2\n", FR_SYNTAX, "/line/2", "three whole numbers" },
        { GENERAL "2 2 -1\n", FR_SYNTAX, "/line/2", "three whole numbers" },
        { GENERAL "2 3 1\n1 1 1\n", FR_RELATION, "/line/2", "2 rows and 3 columns" },
        { GENERAL "0 0 0\n", FR_RANGE, "/line/2", "at least one row" },
        { GENERAL "2 2 5\n", FR_RELATION, "/line/2", "has at most 4" },
        { BANNER("real symmetric") "2 2 4\n", FR_RELATION, "/line/2", "has at most 3" },
        { BANNER("real skew-symmetric") "2 2 2\n", FR_RELATION, "/line/2", "has at most 1" },
        { GENERAL "99999999999999999999 99999999999999999999 1\n", FR_NOMEM, "/line/2",
          "order at least 1000000000000000000; at most 10000000" },
        { GENERAL "999999999999999999 999999999999999999 1\n", FR_NOMEM, "/line/2",
          "order 999999999999999999; at most 10000000" },
        { GENERAL "99999999999999999999 2 1\n", FR_RELATION, "/line/2",
          "at least 1000000000000000000 rows and 2 columns" },
        { GENERAL "2 2 1\n99999999999999999999 1 1\n", FR_RANGE, "/line/3",
          "row at least 1000000000000000000 is outside 1 to 2" },
        { GENERAL "10000000 10000000 100000001\n", FR_NOMEM, "/line/2", "at most 100000000" },
        { GENERAL "10000000 10000000 3\n", FR_RELATION, "/line/2", "leaves rows empty" },
        { BANNER("pattern symmetric") "1000001 1000001 500000\n", FR_RELATION, "/line/2",
          "leaves rows empty" },
        { BANNER("pattern symmetric") "1000001 1000001 500001\n", FR_SYNTAX, "/line/3",
          "entry 1 of 500001 should follow" },
        { GENERAL "2 2 1\n1 1\n", FR_SYNTAX, "/line/3", "'1 1' is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 1 1\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 1x\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 1-3\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 1e\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 .\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 nan\n", FR_SYNTAX, "/line/3", "'1 1 nan' is not" },
        { GENERAL "2 2 1\n1 1 inf\n", FR_SYNTAX, "/line/3", "'1 1 inf' is not" },
        { GENERAL "2 2 1\n1 1 0x1p3\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { GENERAL "2 2 1\n1 1 -2e308\n", FR_RANGE, "/line/3", "larger than a double" },
        { GENERAL "2 2 1\n% c\n1 1 1\n", FR_SYNTAX, "/line/3", "comments stand before the sizes" },
        { GENERAL "2 2 1\n1.0 1 1\n", FR_SYNTAX, "/line/3", "is not ROW COLUMN VALUE" },
        { BANNER("integer general") "2 2 1\n1 1 1.5\n", FR_SYNTAX, "/line/3", "whole numbers" },
        { BANNER("integer general") "2 2 1\n1 1 1e3\n", FR_SYNTAX, "/line/3", "whole numbers" },
        { BANNER("complex general") "2 2 1\n1 1 1\n", FR_SYNTAX, "/line/3", "REAL IMAGINARY" },
        { BANNER("pattern general") "2 2 1\n1 1 1\n", FR_SYNTAX, "/line/3", "not ROW COLUMN" },
        { GENERAL "2 2 1\n0 1 1\n", FR_RANGE, "/line/3", "row 0 is outside 1 to 2; count from 1" },
        { GENERAL "2 2 1\n1 3 1\n", FR_RANGE, "/line/3", "column 3 is outside 1 to 2" },
        { BANNER("real symmetric") "2 2 1\n1 2 1\n", FR_RELATION, "/line/3",
          "(1, 2) is above the diagonal; a symmetric file holds the lower triangle alone: exchange "
          "row and column, or leave it out if (2, 1) is there too" },
        { BANNER("real skew-symmetric") "2 2 1\n1 2 1\n", FR_RELATION, "/line/3",
          "exchange row and column and the sign, or" },
        { BANNER("complex hermitian") "2 2 1\n1 2 1 1\n", FR_RELATION, "/line/3",
          "exchange row and column and the sign of the imaginary part, or" },
        { BANNER("real skew-symmetric") "2 2 1\n2 2 1\n", FR_RELATION, "/line/3",
          "is on the diagonal" },
        { BANNER("complex hermitian") "2 2 1\n2 2 1 1\n", FR_RELATION, "/line/3",
          "imaginary part 1" },
        { GENERAL "2 2 2\n1 1 1\n", FR_SYNTAX, "/line/4", "entry 2 of 2 should follow" },
        { GENERAL "2 2 1\n1 1 1\n2 2 1\n", FR_SYNTAX, "/line/4",
          "'2 2 1' after the last of 1 entries that line 2 announces" },
        { GENERAL "2 2 1\n1 1 1\n% end\n", FR_SYNTAX, "/line/4", "after the last" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fr_faults faults = text_refused(cases[i].text);

        assert_fault(&faults, cases[i].code, cases[i].where, cases[i].words);
    }
}

TEST(all_faults_are_told_up_to_as_many_as_are_kept)
{
    static const char wrong[] = "9 1 1\n";
    char text[1000] = GENERAL "3 3 9\n1 1 1\n1 2 x\n";
    struct fr_faults faults;

    strcat(text, "0 1 1\n1 3 1\n2 1 1\n2 2 1\n2 3 1\n3 1 1\n3 2 1e999\n");
    faults = text_refused(text);
    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_SYNTAX, "/line/4", "is not");
    assert_fault(&faults, FR_RANGE, "/line/5", "row 0");
    assert_fault(&faults, FR_RANGE, "/line/11", "larger");
    strcpy(text, GENERAL "8 8 50\n");
    for (int i = 0; i < 50; i++)
        strcat(text, wrong);
    faults = text_refused(text);
    assert_int_equal(faults.count, FR_MAX_FAULTS);
    faults = text_refused(BANNER("double triangular"));
    assert_int_equal(faults.count, 2);
}
