/* The calibrator's sparse benchmarks: the fit of the constants, the order of memory accesses, the
 * output of forerun-analyze. */
#include "tests/unit/support/check.h"

#include <stdbool.h>
#include <string.h>

#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/memory/pointer_chase.h"
#include "calibrations/calibrate/sparse/prior_fit.h"

/* ---- the fit ---- */

TEST(known_constants_are_found_again)
{
    static const double known[FR_CONSTANTS] = { 2, 1.5, 1e-9, 1e-7, 7e-9, 2e-6 };
    struct fr_random random = { 11 };
    struct fr_equation equation[12];
    double constant[FR_CONSTANTS], error;

    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < FR_CONSTANTS; j++)
            equation[i].amount[j] = (0.6 + fr_random_centred(&random)) / known[j];
        equation[i].time_s = fr_equation_s(&equation[i], known);
    }
    assert_int_equal(fr_nonnegative_fit(equation, 12, constant, &error), FR_CONSTANTS);
    for (int j = 0; j < FR_CONSTANTS; j++)
        assert_close(constant[j], known[j], 1e-9);
    assert_true(error < 1e-10);
}

/* x + y = 1 and x = 2 of a second each: without signs x = 2, y = -1; with them y = 0 and x is the
 * one that makes (x - 1)^2 + (x/2 - 1)^2 least, 6/5, with errors of 1/5 and 2/5. */
TEST(a_constant_that_would_be_negative_is_nought)
{
    static const struct fr_equation equation[] = { { { 1, 1 }, 1 }, { { 1, 0 }, 2 } };
    double constant[FR_CONSTANTS], error;

    assert_int_equal(fr_nonnegative_fit(equation, 2, constant, &error), 1);
    assert_close(constant[0], 1.2, 1e-12);
    assert_true(constant[1] == 0);
    assert_close(error, sqrt((0.04 + 0.16) / 2), 1e-12);
}

/* 1 and 100 s for the same amount: the absolute error would ask for 50.5; the relative one for
 * (1 + 1/100) / (1 + 1/10000). */
TEST(the_error_is_relative)
{
    static const struct fr_equation equation[] = { { { 0, 0, 1 }, 1 }, { { 0, 0, 1 }, 100 } };
    double constant[FR_CONSTANTS], error;

    assert_int_equal(fr_nonnegative_fit(equation, 2, constant, &error), 1);
    assert_close(constant[2], 1.01 / 1.0001, 1e-12);
}

TEST(amounts_that_are_not_told_apart_are_no_trouble)
{
    static const struct fr_equation equation[] = { { { 1, 2 }, 3 }, { { 2, 4 }, 6 } };
    double constant[FR_CONSTANTS], error;

    assert_int_equal(fr_nonnegative_fit(equation, 2, constant, &error), 1);
    assert_close(constant[0] + 2 * constant[1], 3, 1e-12);
    assert_true(error < 1e-12);
}

TEST(no_amounts_no_constants)
{
    static const struct fr_equation equation[] = { { { 0 }, 3 } };
    double constant[FR_CONSTANTS], error;

    assert_int_equal(fr_nonnegative_fit(equation, 1, constant, &error), 0);
    assert_close(error, 1, 1e-12);
}

/* ---- the walk ---- */

enum { LINES = 1000 };

static void assert_one_ring(int64_t lines, int64_t window)
{
    int32_t next[LINES];
    bool is_seen[LINES] = { false };
    struct fr_random random = { 3 };
    int32_t at = 0;

    fr_pointer_chase_order(&random, lines, window, next);
    for (int64_t i = 0; i < lines; i++) {
        assert_in_range(at, 0, lines - 1);
        assert_false(is_seen[at]);
        is_seen[at] = true;
        at = next[at];
    }
    assert_int_equal(at, 0);
}

TEST(a_walk_is_one_ring_of_all_lines)
{
    assert_one_ring(1, 1);
    assert_one_ring(2, 2);
    assert_one_ring(1000, 1000);
    assert_one_ring(1000, 64);
    assert_one_ring(997, 10);
    assert_one_ring(500, 1);
    assert_one_ring(7, 100);
}

TEST(windows_follow_one_another)
{
    enum { WINDOW = 50 };
    int32_t next[LINES];
    struct fr_random random = { 5 };
    int32_t at = 0;
    int changes = 0, in_sequence = 0;

    fr_pointer_chase_order(&random, LINES, WINDOW, next);
    for (int i = 0; i < LINES; i++) {
        changes += at / WINDOW != next[at] / WINDOW;
        in_sequence += next[at] == at + 1;
        at = next[at];
    }
    assert_int_equal(changes, LINES / WINDOW);
    assert_true(in_sequence < LINES / 10);
}

/* ---- what forerun-analyze prints ---- */

static const char factorized[] =
    "{\"record\":\"factorization\",\"n\":9,\"ordering\":\"metis\",\"factorization_s\":[0.5,0.25,1e-"
    "3],"
    "\"supernodes\":3,\"nnz_lu\":57,\"structure\":{\"supernodes\":4,\"factorization_s\":[9]}}\n";

static int read_times(const char *text, struct fr_factorized *out, char *why)
{
    return fr_analyzed_times(text, strlen(text), out, why);
}

TEST(times_are_read)
{
    struct fr_factorized out;
    char why[FR_ANALYZED_WHY_BYTES];

    assert_int_equal(read_times(factorized, &out, why), 0);
    assert_int_equal(out.times, 3);
    assert_true(out.time_s[0] == 0.5 && out.time_s[1] == 0.25 && out.time_s[2] == 1e-3);
    assert_true(out.supernodes == 3 && out.nnz == 57);
}

TEST(parts_are_read_where_there_are_as_many_as_times)
{
    struct fr_factorized out;
    char why[FR_ANALYZED_WHY_BYTES];

    assert_int_equal(read_times("{\"record\":\"factorization\",\"factorization_s\":[2,3],"
                                "\"gemm_s\":[1,0.5],\"panel_s\":[-1e-9,0],\"supernodes\":3,"
                                "\"nnz_lu\":57}\n",
                                &out, why),
                     0);
    assert_true(out.has_parts);
    assert_true(out.gemm_s[1] == 0.5 && out.panel_s[0] == -1e-9 && out.panel_s[1] == 0);
    assert_int_equal(read_times("{\"record\":\"factorization\",\"factorization_s\":[2,3],"
                                "\"gemm_s\":[1],\"panel_s\":[1,2],\"supernodes\":3,"
                                "\"nnz_lu\":57}\n",
                                &out, why),
                     0);
    assert_false(out.has_parts);
    assert_int_equal(read_times(factorized, &out, why), 0);
    assert_false(out.has_parts);
}

TEST(solves_are_read_where_there_are_any)
{
    struct fr_factorized out;
    char why[FR_ANALYZED_WHY_BYTES];

    assert_int_equal(read_times("{\"record\":\"factorization\",\"factorization_s\":[2],"
                                "\"solve_nrhs\":[1,8],\"solve_s\":[0.5,1e-3],\"supernodes\":3,"
                                "\"nnz_lu\":57}\n",
                                &out, why),
                     0);
    assert_int_equal(out.solves, 2);
    assert_true(out.solve_s[0] == 0.5 && out.solve_s[1] == 1e-3);
    assert_int_equal(read_times(factorized, &out, why), 0);
    assert_true(out.solves <= 0);
}

TEST(what_is_no_result_is_refused)
{
    static const char *const texts[] = {
        "",
        "\n",
        "nothing\n",
        "{\"record\":\"end\"}\n",
        "{\"record\":\"factorization\",\"supernodes\":3,\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":[],\"supernodes\":3,\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":[0],\"supernodes\":3,\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":[1;2],\"supernodes\":3,\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":7,\"supernodes\":3,\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":[1],\"nnz_lu\":57}\n",
        "{\"record\":\"factorization\",\"factorization_s\":[1],\"solve_s\":[0],\"supernodes\":3,"
        "\"nnz_lu\":57}\n",
    };
    struct fr_factorized out;
    char why[FR_ANALYZED_WHY_BYTES];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(read_times(texts[i], &out, why), -1);
    /* Cut off before its end. */
    for (size_t length = 0; length < sizeof factorized - 1; length++)
        assert_int_equal(fr_analyzed_times(factorized, length, &out, why), -1);
}

TEST(the_reason_of_a_failure_is_told)
{
    struct fr_factorized out;
    char why[FR_ANALYZED_WHY_BYTES];

    assert_int_equal(
        read_times("{\"record\":\"failed\",\"reason\":\"structurally singular\"}\n", &out, why),
        -1);
    assert_string_equal(why, "structurally singular");
}

TEST(the_bytes_of_a_structure_are_found)
{
    static const char text[] = "{\"record\":\"progress\",\"fraction\":0.5}\n"
                               "{\"record\":\"extra\",\"bytes\":3}\n\n{x"
                               "{\"record\":\"ordering\",\"status\":\"ready\",\"bytes\":4}\nFRBS"
                               "{\"record\":\"end\"}\n";
    const unsigned char *bytes;
    size_t count;
    char why[FR_ANALYZED_WHY_BYTES];
    const size_t whole = (size_t)(strstr(text, "FRBS") + 4 - text);

    assert_int_equal(fr_analyzed_structure(text, sizeof text - 1, &bytes, &count, why), 0);
    assert_int_equal(count, 4);
    assert_memory_equal(bytes, "FRBS", 4);
    assert_int_equal(fr_analyzed_structure(text, whole, &bytes, &count, why), 0);
    assert_int_equal(fr_analyzed_structure(text, whole - 1, &bytes, &count, why), -1);
}
