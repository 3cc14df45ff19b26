/* Facts and rasters of matrices, also of known ones. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/matrix_files.h"
#include "tests/unit/support/text_file.h"

#include "server/matrices/files/matrix.h"

#include <stdio.h>
#include <stdlib.h>

static struct fr_matrix_facts facts_of(struct fr_matrix *matrix)
{
    struct fr_matrix_facts facts;

    assert_int_equal(fr_matrix_find_facts(matrix, &facts), FR_OK);
    fr_matrix_free(matrix);
    return facts;
}

static struct fr_matrix_facts facts_of_text(const char *kind, const char *rest)
{
    char text[400];

    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate %s\n%s", kind, rest);
    return facts_of(matrix_of_text(text));
}

TEST(facts_of_the_small_matrix)
{
    const struct fr_matrix_facts facts = facts_of(matrix_of_file("general.mtx"));

    assert_close(facts.structural_symmetry, 8.0 / 9, 1e-15);
    assert_false(facts.is_symmetric_in_magnitude);
    assert_int_equal(facts.lower_bandwidth, 4);
    assert_int_equal(facts.upper_bandwidth, 4);
    assert_int_equal(facts.zero_diagonals, 1);
    assert_int_equal(facts.empty_rows, 0);
    assert_int_equal(facts.empty_columns, 0);
    assert_int_equal(facts.fewest_in_row, 2);
    assert_int_equal(facts.most_in_row, 3);
}

TEST(facts_of_extremes)
{
    struct fr_matrix_facts facts = facts_of_text("pattern general", "3 3 0\n");

    assert_close(facts.structural_symmetry, 1, 0);
    assert_true(facts.is_symmetric_in_magnitude);
    assert_int_equal(facts.zero_diagonals, 3);
    assert_int_equal(facts.empty_rows, 3);
    assert_int_equal(facts.empty_columns, 3);
    assert_int_equal(facts.most_in_row, 0);
    facts = facts_of_text("real general", "4 4 3\n1 2 1\n1 3 1\n1 4 1\n");
    assert_close(facts.structural_symmetry, 0, 0);
    assert_int_equal(facts.lower_bandwidth, 0);
    assert_int_equal(facts.upper_bandwidth, 3);
    assert_int_equal(facts.empty_rows, 3);
    assert_int_equal(facts.empty_columns, 1);
    assert_int_equal(facts.zero_diagonals, 4);
    assert_int_equal(facts.fewest_in_row, 0);
    assert_int_equal(facts.most_in_row, 3);
    facts = facts_of_text("pattern general", "2 2 2\n1 1\n2 2\n");
    assert_int_equal(facts.zero_diagonals, 0);
    assert_true(facts.is_symmetric_in_magnitude);
}

TEST(symmetry_in_magnitude_is_of_values)
{
    assert_true(facts_of_text("real general", "2 2 2\n1 2 -3\n2 1 3\n").is_symmetric_in_magnitude);
    assert_false(facts_of_text("real general", "2 2 2\n1 2 3\n2 1 4\n").is_symmetric_in_magnitude);
    assert_false(facts_of_text("real general", "2 2 1\n1 2 0\n").is_symmetric_in_magnitude);
    assert_true(facts_of(matrix_of_file("skew.mtx")).is_symmetric_in_magnitude);
    assert_true(facts_of(matrix_of_file("hermitian.mtx")).is_symmetric_in_magnitude);
    assert_close(facts_of(matrix_of_file("hermitian.mtx")).structural_symmetry, 1, 0);
}

/* ---- against a count over the dense matrix ---- */

enum { MOST_ORDER = 24 };

static struct fr_matrix *random_matrix(uint64_t *random, double dense[MOST_ORDER][MOST_ORDER])
{
    const int n = (int)random_between(random, 1, MOST_ORDER);
    const double share = random_share(random);
    static char text[60 + 20 * MOST_ORDER * MOST_ORDER], body[20 * MOST_ORDER * MOST_ORDER + 1];
    char *at = body;
    int count = 0;

    *body = '\0';
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            dense[i][j] = -1;
            if (random_share(random) >= share)
                continue;
            dense[i][j] = (double)random_between(random, 0, 2);
            at += sprintf(at, "%d %d %.0f\n", i + 1, j + 1, dense[i][j]);
            count++;
        }
    }
    sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n%s", n, n, count,
            body);
    return matrix_of_text(text);
}

TEST(facts_are_those_of_the_dense_matrix)
{
    uint64_t random = draws_from(17);

    for (int round = 0; round < draws_of(400); round++) {
        double dense[MOST_ORDER][MOST_ORDER];
        struct fr_matrix *matrix = random_matrix(&random, dense);
        const int64_t n = matrix->n;
        const struct fr_matrix_facts facts = facts_of(matrix);
        int64_t lower = 0, upper = 0, zero = 0, off = 0, matched = 0, empty_columns = 0;
        bool is_symmetric = true;

        for (int64_t i = 0; i < n; i++) {
            bool is_empty = true;

            zero += dense[i][i] <= 0;
            for (int64_t j = 0; j < n; j++) {
                is_empty &= dense[j][i] < 0;
                if (dense[i][j] < 0 || i == j)
                    continue;
                lower = i - j > lower ? i - j : lower;
                upper = j - i > upper ? j - i : upper;
                off++;
                matched += dense[j][i] >= 0;
                is_symmetric &= dense[i][j] == dense[j][i];
            }
            empty_columns += is_empty;
        }
        assert_close(facts.structural_symmetry, off ? (double)matched / (double)off : 1, 0);
        assert_int_equal(facts.is_symmetric_in_magnitude, is_symmetric);
        assert_int_equal(facts.lower_bandwidth, lower);
        assert_int_equal(facts.upper_bandwidth, upper);
        assert_int_equal(facts.zero_diagonals, zero);
        assert_int_equal(facts.empty_columns, empty_columns);
    }
}

/* ---- the raster ---- */

static struct fr_spy *spy_of(struct fr_matrix *matrix)
{
    struct fr_spy *spy = malloc(sizeof *spy);
    uint64_t sum = 0;

    assert_non_null(spy);
    fr_matrix_spy(matrix, spy);
    for (int r = 0; r < FR_SPY_SIDE; r++)
        for (int c = 0; c < FR_SPY_SIDE; c++)
            sum += spy->count[r][c];
    assert_int_equal(sum, matrix->nnz);
    assert_int_equal(spy->n, matrix->n);
    fr_matrix_free(matrix);
    return spy;
}

TEST(a_small_matrix_has_a_cell_for_each_place)
{
    struct fr_spy *spy = spy_of(matrix_of_file("general.mtx"));

    assert_int_equal(spy->side, 5);
    assert_int_equal(spy->most, 1);
    assert_int_equal(spy->count[4][0], 1);
    assert_int_equal(spy->count[0][4], 1);
    assert_int_equal(spy->count[3][0], 0);
    free(spy);
}

TEST(a_large_matrix_is_counted_in_cells)
{
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n"
                               "1000 1000 5\n1 1\n2 2\n1000 1000\n1000 1\n501 4\n";
    struct fr_spy *spy = spy_of(matrix_of_text(text));

    assert_int_equal(spy->side, FR_SPY_SIDE);
    assert_int_equal(spy->most, 2);
    assert_int_equal(spy->count[0][0], 2);
    assert_int_equal(spy->count[255][255], 1);
    assert_int_equal(spy->count[255][0], 1);
    assert_int_equal(spy->count[128][0], 1);
    free(spy);
}

/* ---- real matrices ---- */

/* FORERUN_MATRICES names a folder that has some of them. */
static struct fr_matrix *read_real(const char *folder, const char *name)
{
    char path[400], *text;
    struct fr_matrix *matrix;
    size_t length;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = file_text(path, &length);
    if (!text)
        return NULL;
    matrix = matrix_of(text, length);
    free(text);
    return matrix;
}

TEST(real_matrices_are_what_is_known_of_them)
{
    static const struct {
        const char *name;
        int64_t n, nnz;
        double structural_symmetry;
        int64_t zero_diagonals;
    } cases[] = {
        { "memplus.mtx.gz", 17758, 126150, 1, 0 },
        { "orsirr_1.mtx.gz", 1030, 6858, 1, 0 },
        { "pde900.mtx.gz", 900, 4380, 1, 0 },
        { "west0479.rua.gz", 479, 1910, 0.0137, 471 },
    };
    const char *folder = getenv("FORERUN_MATRICES");
    size_t found = 0;

    for (size_t i = 0; folder && i < sizeof cases / sizeof cases[0]; i++) {
        struct fr_matrix *matrix = read_real(folder, cases[i].name);
        struct fr_matrix_facts facts;

        if (!matrix)
            continue;
        found++;
        assert_int_equal(matrix->n, cases[i].n);
        assert_int_equal(matrix->nnz, cases[i].nnz);
        facts = facts_of(matrix);
        assert_true(fabs(facts.structural_symmetry - cases[i].structural_symmetry) < 5e-5);
        assert_int_equal(facts.zero_diagonals, cases[i].zero_diagonals);
        assert_int_equal(facts.empty_rows + facts.empty_columns, 0);
    }
    if (!found)
        skip();
}

TEST(a_raster_comes_back)
{
    struct fr_spy *spy = calloc(1, sizeof *spy), *back = calloc(1, sizeof *back);
    unsigned char *packed;
    size_t length;

    for (int32_t side = 1; side <= FR_SPY_SIDE; side += 51) {
        spy->n = 3 * side;
        spy->side = side;
        spy->most = 70000;
        for (int32_t i = 0; i < side; i++)
            spy->count[i][side - 1 - i] = (uint32_t)(1 + i * 274);
        packed = fr_spy_pack(spy, &length);
        assert_non_null(packed);
        assert_true(fr_spy_unpack(packed, length, back));
        assert_int_equal(back->n, spy->n);
        assert_int_equal(back->side, side);
        assert_int_equal(back->most, 70000);
        for (int32_t i = 0; i < side; i++)
            assert_memory_equal(back->count[i], spy->count[i], (size_t)side * 4);
        assert_false(fr_spy_unpack(packed, length - 1, back));
        free(packed);
    }
    assert_false(fr_spy_unpack("", 0, back));
    free(spy);
    free(back);
}
