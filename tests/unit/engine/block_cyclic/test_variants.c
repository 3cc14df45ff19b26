/* Transposed operands, triangular solves that move B alone, factorizations of few blocks:
 * properties, and sums by hand (docs/models/block_cyclic.md). */
#include "engine/block_cyclic/walk.h"
#include "tests/unit/support/factored.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <stdio.h>

static struct fr_arena *arena;
static const struct fr_calibration *cluster, *single;

static int begin(void **state)
{
    json_t *golden = golden_load("block-cyclic.json");

    *state = arena = fr_arena_new(1 << 24);
    cluster = golden_calibration(golden, "cluster", arena);
    single = golden_calibration(golden, "single", arena);
    json_decref(golden);
    return 0;
}

static double seconds(const char *model, const char *query)
{
    return predicted(model, query, cluster).time_s;
}

static void equal_questions_take_equal_time(const char *model, const char *one, const char *other)
{
    assert_close(seconds(model, one), seconds(model, other), 1e-12);
}

TEST(products_that_keep_an_operand_have_mirror_images)
{
    static const char *const transposed[][2] = {
        { "N", "N" }, { "T", "N" }, { "N", "T" }, { "T", "T" }
    };

    for (size_t i = 0; i < 4; i++) {
        const char *a = transposed[i][0], *b = transposed[i][1];
        char one[200], other[200];

        snprintf(one, sizeof one,
                 "m=100&n=3000&k=2000&block_size=64&process_rows=2&process_columns=6&transa=%s&"
                 "transb=%s",
                 a, b);
        snprintf(other, sizeof other,
                 "m=3000&n=100&k=2000&block_size=64&process_rows=6&process_columns=2&"
                 "mapping=column&transa=%s&transb=%s",
                 b, a);
        equal_questions_take_equal_time("pdgemm", one, other);
    }
}

TEST(a_conjugate_is_a_transpose_in_letters_of_either_case)
{
    static const char product[] = "m=900&n=700&k=800&block_size=64&process_rows=2&"
                                  "process_columns=3&transb=%s";
    static const char solve[] = "m=900&n=700&block_size=64&process_rows=2&process_columns=3&"
                                "trans=%s";
    static const char *const letters[] = { "C", "t", "c" };
    char one[200], other[200];

    for (size_t i = 0; i < 3; i++) {
        snprintf(one, sizeof one, product, "T");
        snprintf(other, sizeof other, product, letters[i]);
        equal_questions_take_equal_time("pdgemm", one, other);
        snprintf(one, sizeof one, solve, "T");
        snprintf(other, sizeof other, solve, letters[i]);
        equal_questions_take_equal_time("pdtrsm", one, other);
    }
    snprintf(one, sizeof one, product, "N");
    snprintf(other, sizeof other, product, "n");
    equal_questions_take_equal_time("pdgemm", one, other);
}

/* Slices of both operands lie along the wrong line of processes, and are turned. */
TEST(transposed_operands_take_longer)
{
    static const char query[] = "m=3000&n=3000&k=3000&block_size=64&process_rows=4&"
                                "process_columns=4&transa=%s&transb=%s";
    char plain[200], both[200];

    snprintf(plain, sizeof plain, query, "N", "N");
    snprintf(both, sizeof both, query, "T", "T");
    assert_true(seconds("pdgemm", both) > seconds("pdgemm", plain));
}

TEST(memory_is_that_of_the_stored_operands)
{
    const struct fr_prediction out = predicted(
        "pdgemm", "m=640&n=128&k=64&block_size=64&process_rows=2&process_columns=1&transa=T",
        cluster);

    /* A is 64 x 640, all in process row 0; B 64 x 128; of C 320 x 128; one slice of 64 */
    assert_close(out.memory_bytes_per_process,
                 8 * (64 * 640 + 64 * 128 + 320 * 128 + 64 * (320 + 128)), 1e-12);
}

static bool moves_b_alone(const char *query, const char *remedy)
{
    const struct fr_prediction out = predicted("pdtrsm", query, cluster);

    return has_warning(&out, FR_WARN_SLOW_VARIANT, remedy);
}

TEST(few_right_hand_sides_warn_of_the_slow_variant)
{
    static const char few[] = "m=4000&n=64&block_size=64&process_rows=4&process_columns=4";
    static const char more_rows[] = "m=4000&n=64&block_size=64&process_rows=16&process_columns=1";

    assert_true(moves_b_alone(few, "process_rows"));
    assert_false(moves_b_alone(more_rows, "process_rows"));
    assert_true(seconds("pdtrsm", few) > seconds("pdtrsm", more_rows));
    assert_true(moves_b_alone("m=64&n=4000&side=R&block_size=64&process_rows=4&process_columns=4",
                              "process_columns"));
}

/* pdtrsm_.c counts process rows for either side. */
TEST(a_single_process_row_moves_b_alone_for_either_side)
{
    static const char query[] = "m=2000&n=2000&block_size=64&side=%s&process_rows=%d&"
                                "process_columns=%d";
    char row[200], column[200];

    for (int side = 0; side < 2; side++) {
        snprintf(row, sizeof row, query, side ? "R" : "L", 1, 8);
        snprintf(column, sizeof column, query, side ? "R" : "L", 8, 1);
        assert_true(moves_b_alone(row, "process_rows"));
        assert_false(moves_b_alone(column, "process_rows"));
    }
}

TEST(slices_of_right_hand_sides_follow_one_another)
{
    assert_close(
        seconds("pdtrsm", "m=3000&n=64&block_size=64&process_rows=2&process_columns=4"),
        2 * seconds("pdtrsm", "m=3000&n=32&block_size=64&process_rows=2&process_columns=4"), 1e-12);
}

/* Two blocks on one row of two processes: each is solved and turned; the first is applied to the
 * second, which is handed over and added; then the solution is combined. */
TEST(two_blocks_by_hand)
{
    const struct cyclic_values v = { .process_rows = 1,
                                     .process_columns = 2,
                                     .block_size = 64,
                                     .threads = 1,
                                     .ranks_per_node = 8,
                                     .contention = true };
    const double bytes = 8 * 64 * 32;
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cluster, .arena = arena, .out = &out, .faults = &faults };
    struct cyclic_walk walk;
    double expected;

    fr_prediction_clear(&out);
    assert_int_equal(cyclic_begin(&walk, &v, true, &run), FR_OK);
    expected = 2 * (cyclic_trsm_s(&walk.kernels, 64, 32) + cyclic_turned_s(&walk, 64, 32, 32)) +
               cyclic_gemm_s(&walk.kernels, 64, 32, 64) + cyclic_row_s(&walk.net, 0, 1, bytes) +
               cyclic_copy_s(&walk.kernels, 64, 32, 24, 32) +
               2 * cyclic_row_s(&walk.net, 0, 1, bytes); /* halves of both blocks, there and back */
    assert_close(seconds("pdtrsm", "m=128&n=32&block_size=64&process_rows=1&process_columns=2"),
                 expected, 1e-12);
}

/* Two blocks of Cholesky on one row of two processes: one call updates the last, its owner factors
 * it and tells the other of its success. */
TEST(a_last_block_takes_one_call)
{
    const struct cyclic_values v = { .process_rows = 1,
                                     .process_columns = 2,
                                     .block_size = 64,
                                     .threads = 1,
                                     .ranks_per_node = 8,
                                     .contention = true };
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cluster, .arena = arena, .out = &out, .faults = &faults };
    struct cyclic_walk walk;
    double expected;

    fr_prediction_clear(&out);
    assert_int_equal(cyclic_begin(&walk, &v, true, &run), FR_OK);
    expected = 2 * factored_s(&walk.kernels, 64) + cyclic_turned_s(&walk, 64, 32, 32) +
               2 * cyclic_trsm_s(&walk.kernels, 32, 64) + cyclic_gemm_s(&walk.kernels, 64, 32, 32) +
               cyclic_turned_s(&walk, 32, 32, 32) + cyclic_row_s(&walk.net, 0, 1, 8 * 64 * 64) +
               cyclic_turned_s(&walk, 64, 64, 64) + cyclic_syrk_s(&walk.kernels, 64, 64) +
               cyclic_row_s(&walk.net, 1, 0, 4);
    assert_close(
        predicted("pdpotrf", "n=128&block_size=64&process_rows=1&process_columns=2", cluster)
            .time_s,
        expected, 1e-12);
}

TEST(one_process_needs_no_messages)
{
    static const char *const trans[] = { "N", "T" };

    for (size_t i = 0; i < 2; i++) {
        char query[200];
        struct fr_prediction out;

        snprintf(query, sizeof query,
                 "m=500&n=400&k=300&block_size=64&process_rows=1&process_columns=1&transa=%s",
                 trans[i]);
        out = predicted("pdgemm", query, single);
        assert_null(phase_of(&out, "broadcast"));
        assert_null(phase_of(&out, "wait"));
    }
}

/* Slices are for a k that lies on more than one process row or column. */
TEST(a_k_on_one_process_takes_one_call)
{
    static const struct {
        int64_t rows, columns;
        bool transa, transb, is_one;
    } cases[] = {
        { 1, 1, false, false, true },  { 4, 1, false, true, true },   { 1, 4, true, false, true },
        { 4, 1, false, false, false }, { 1, 4, false, false, false }, { 1, 4, false, true, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cyclic_values v = {
            .k = 3000,
            .block_size = 64,
            .process_rows = cases[i].rows,
            .process_columns = cases[i].columns,
            .transa = cases[i].transa,
            .transb = cases[i].transb,
        };
        const struct cyclic_sequence slices = cyclic_product_slices(&v);

        assert_int_equal(slices.count, cases[i].is_one ? 1 : 94);
        assert_int_equal(slices.width, cases[i].is_one ? 3000 : 32);
    }
}

/* In one call all processes add their parts; no pipe is filled. */
TEST(mirror_images_in_one_call_take_as_long)
{
    static const char query[] = "m=4000&n=4000&k=64&block_size=64&process_rows=%d&"
                                "process_columns=%d&mapping=%s&trans%s=T&contention=false";
    char tall[200], wide[200];

    snprintf(tall, sizeof tall, query, 4, 1, "row", "b");
    snprintf(wide, sizeof wide, query, 1, 4, "column", "a");
    assert_close(seconds("pdgemm", tall), seconds("pdgemm", wide), 1e-9);
}

TEST(other_letters_are_refused)
{
    const struct fr_faults faults = refused(
        "pdgemm", "m=9&n=9&k=9&block_size=4&process_rows=1&process_columns=1&transb=H", cluster);

    assert_non_null(fault_at(&faults, "transb"));
}

GROUP(begin, arena_end)
