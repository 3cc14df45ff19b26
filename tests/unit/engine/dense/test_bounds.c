/* Lower bounds of the dense models by hand, on the round machine (question.h)
 * (docs/models/dense.md#lower-bounds). */
#include "tests/unit/support/question.h"

#include <math.h>
#include <string.h>

static struct fr_arena *arena;
static const struct fr_calibration *cal;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 22);
    cal = calibration_of(round_machine, arena);
    return 0;
}

static void check_bound(const char *model, const char *query, double seconds, const char *resource)
{
    const struct fr_prediction out = predicted(model, query, cal);

    assert_close(out.bound_s, seconds, 1e-14);
    assert_string_equal(out.bound_by, resource);
    assert_true(out.time_s >= out.bound_s);
    assert_false(has_warning(&out, FR_WARN_BELOW_BOUND, resource));
}

TEST(the_largest_bound_is_kept_with_its_resource)
{
    struct fr_prediction out;

    fr_prediction_clear(&out);
    assert_true(isnan(out.bound_s));
    assert_null(out.bound_by);
    fr_check_bound(&out);
    assert_int_equal(out.warning_count, 0);
    fr_bound(&out, "work", 2);
    fr_bound(&out, "network", 3);
    fr_bound(&out, "critical_path", 1);
    assert_close(out.bound_s, 3, 0);
    assert_string_equal(out.bound_by, "network");
    out.time_s = 3 * (1 - 1e-13);
    fr_check_bound(&out);
    assert_int_equal(out.warning_count, 0);
    assert_close(out.bound_s, out.time_s, 0);
    out.time_s = 2.9;
    fr_check_bound(&out);
    assert_true(has_warning(&out, FR_WARN_BELOW_BOUND, "network"));
}

/* 8 products of 2 by 2 blocks, 16 s each, on 4 processes; 27 of order 1, 2 s, on 18.  A process
 * receives two blocks of 4 words. */
TEST(matmul_is_bound_by_whole_products_or_by_what_a_process_receives)
{
    check_bound("matmul", "algorithm=cannon&variant=2d&n=4&processes=4", 2 * 16, "work");
    check_bound("matmul", "algorithm=summa&variant=2d&n=4&processes=4", 2 * 16, "work");
    check_bound("matmul", "algorithm=cannon&variant=25d&n=3&processes=18&replication=2", 2 * 2,
                "work");
    check_bound("matmul", "algorithm=cannon&variant=2d&n=4&processes=4&word_bytes=64", 8 * 8,
                "network");
}

/* One process, blocks of order 1: 4 dtrsm and 2 dgemm, 2 s each.  On 4 processes a chain of dtrsm,
 * dgemm, dtrsm of order 2, 16 s each.  With elements of 64 bytes the process that has a block of X
 * and one of U receives the others of its row and column, 4 words each. */
TEST(trsm_is_bound_by_the_busiest_process_the_chain_or_the_network)
{
    check_bound("trsm", "variant=2d&n=2&processes=1&blocks_per_process=2", 4 * 2 + 2 * 2, "work");
    check_bound("trsm", "variant=2d&n=4&processes=4", 16 + 16 + 16, "critical_path");
    check_bound("trsm", "variant=2d&n=4&processes=4&word_bytes=64", 8 * (4 + 4), "network");
}

/* Blocks of order 1: dpotrf and dsyrk 1 s, dtrsm and dgemm 2 s.  One process: 3 dpotrf, 3 dtrsm,
 * 3 dsyrk, 1 dgemm.  Blocks of order 2 take 8 times as long: on 9 processes the longest chain has
 * 2 dpotrf, 2 dtrsm, dsyrk, and dgemm or as long a pair. */
TEST(cholesky_is_bound_by_the_busiest_process_or_the_chain)
{
    check_bound("cholesky", "variant=2d&n=3&processes=1&blocks_per_process=3", 3 + 6 + 3 + 2,
                "work");
    check_bound("cholesky", "variant=2d&n=4&processes=4", 2 * 8 + 16 + 8, "critical_path");
    check_bound("cholesky", "variant=2d&n=6&processes=9", 2 * 8 + 2 * 16 + 8 + 16, "critical_path");
    check_bound("cholesky", "variant=2d&n=4&processes=4&blocks_per_process=2", 2 + 6 + 1 + 2 * 2,
                "critical_path");
}

/* Two layers halve all but dpotrf: a bound of 16 + 8 + 4. */
TEST(layers_divide_the_chain_but_not_its_factorizations)
{
    check_bound("cholesky", "variant=25d&n=4&processes=8&replication=2", 2 * 8 + 8 + 4,
                "critical_path");
    check_bound("trsm", "variant=25d&n=4&processes=8&replication=2", 3 * 8, "critical_path");
}

TEST(average_block_counts_are_faster_than_the_chain_allows)
{
    static const char query[] = "contention_model=paper&contention=false&variant=2d&n=60&"
                                "processes=9&word_bytes=1";
    const struct fr_prediction out = predicted("cholesky", query, cal);
    const double cube = 20 * 20 * 20;
    char text[400];

    assert_close(out.bound_s, 2 * cube + 2 * 2 * cube + cube + 2 * cube, 1e-14);
    assert_true(out.time_s < out.bound_s);
    assert_true(has_warning(&out, FR_WARN_BELOW_BOUND, "critical_path"));
    for (size_t i = 0; i < out.warning_count; i++) {
        if (out.warning[i].code != FR_WARN_BELOW_BOUND)
            continue;
        fr_warning_print(&out.warning[i], &out, cal, text, sizeof text);
        assert_non_null(strstr(text, "72000 s"));
        assert_non_null(strstr(text, "contention_model=refined"));
    }
}

GROUP(begin, arena_end)
