/* Errors of predictions, and whether predictions order variants correctly. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

static struct fr_accuracy judge(const struct fr_residual *residual, size_t count)
{
    struct fr_arena *arena = fr_arena_new(1 << 26);
    struct fr_accuracy accuracy;

    assert_int_equal(fr_accuracy(residual, count, arena, &accuracy), FR_OK);
    fr_arena_free(arena);
    return accuracy;
}

TEST(errors_are_relative_to_the_measurement)
{
    const struct fr_residual residual[] = {
        { 10, 10.4, 1, 1 }, { 10, 9.2, 2, 2 }, { 10, 11.5, 3, 3 },
        { 10, 7.5, 4, 4 },  { 10, 15, 5, 5 },
    };
    const struct fr_accuracy a = judge(residual, 5);
    size_t worst[3];

    assert_int_equal(a.count, 5);
    assert_close(a.median_error_fraction, 0.15, 1e-12);
    assert_close(a.p90_error_fraction, 0.25 + 0.6 * 0.25, 1e-12);
    assert_close(a.worst_error_fraction, 0.5, 1e-12);
    assert_close(a.bias_fraction, (0.04 - 0.08 + 0.15 - 0.25 + 0.5) / 5, 1e-12);
    assert_close(a.within_5_percent_fraction, 0.2, 1e-12);
    assert_close(a.within_10_percent_fraction, 0.4, 1e-12);
    assert_close(a.within_20_percent_fraction, 0.6, 1e-12);
    assert_close(a.within_30_percent_fraction, 0.8, 1e-12);
    assert_true(isnan(a.pairs_right_fraction) && isnan(a.best_right_fraction));
    assert_true(isnan(a.median_regret_fraction));
    assert_int_equal(fr_worst_residuals(residual, 5, worst, 3), 3);
    assert_int_equal(worst[0], 4);
    assert_int_equal(worst[1], 3);
    assert_int_equal(worst[2], 2);
}

TEST(errors_are_also_in_percent_of_the_peak_where_it_is_known)
{
    /* 8 s at the peak: 80 % measured, 64 % and 50 % predicted; of the third nothing is known. */
    double points[] = { fr_percent_points(12.5, 10, 8), fr_percent_points(16, 10, 8),
                        fr_percent_points(11, 10, NAN) };
    struct fr_accuracy a = judge(NULL, 0);

    assert_close(points[0], -16, 1e-12);
    fr_accuracy_add_points(points + 2, 1, &a);
    assert_true(isnan(a.median_error_percent_points) && isnan(a.worst_error_percent_points));
    fr_accuracy_add_points(points, 3, &a);
    assert_close(a.median_error_percent_points, 23, 1e-12);
    assert_close(a.worst_error_percent_points, 30, 1e-12);
}

TEST(no_measurements_give_nan)
{
    const struct fr_accuracy a = judge(NULL, 0);

    assert_int_equal(a.count, 0);
    assert_true(isnan(a.median_error_fraction) && isnan(a.bias_fraction));
}

/* Three variants of one problem: measured 1 < 2 < 3, predicted 2.5 (twice run), 1.5, 4. */
TEST(variants_are_put_in_order_by_pairs)
{
    const struct fr_residual residual[] = {
        { 0.8, 2.5, 7, 1 }, { 2, 1.5, 7, 2 }, { 3, 4, 7, 3 },
        { 1.2, 2.5, 7, 1 }, { 5, 5, 8, 4 }, /* a problem with one variant has no pairs */
    };
    const struct fr_accuracy a = judge(residual, 5);

    assert_int_equal(a.problems, 1);
    assert_int_equal(a.pairs, 3);
    assert_close(a.pairs_right_fraction, 2.0 / 3, 1e-12);
    assert_close(a.best_right_fraction, 0, 0);
    assert_close(a.median_regret_fraction, 1, 1e-12); /* 2 instead of 1 */
    assert_close(a.worst_regret_fraction, 1, 1e-12);
}

TEST(predicted_ties_count_half_and_measured_ties_do_not_count)
{
    const struct fr_residual residual[] = {
        { 1, 2, 7, 1 },
        { 2, 2, 7, 2 },
        { 2, 3, 7, 3 },
    };
    const struct fr_accuracy a = judge(residual, 3);

    assert_int_equal(a.pairs, 2); /* 1 with 2, 1 with 3; 2 and 3 are equal */
    assert_close(a.pairs_right_fraction, 0.75, 1e-12);
    assert_close(a.best_right_fraction, 0.5, 1e-12); /* one of the two that are predicted best */
    assert_close(a.median_regret_fraction, 0.5, 1e-12);
}

/* Equal predictions choose at random. */
TEST(equal_predictions_are_right_by_chance)
{
    const struct fr_residual residual[] = {
        { 1, 5, 7, 1 },
        { 2, 5, 7, 2 },
        { 30, 5, 7, 3 },
        { 1, 5, 7, 4 },
    };
    const struct fr_accuracy a = judge(residual, 4);

    assert_close(a.pairs_right_fraction, 0.5, 1e-12);
    assert_close(a.best_right_fraction, 0.5, 1e-12);
    assert_close(a.worst_regret_fraction, 34.0 / 4 - 1, 1e-12);
}

/* There is no error relative to 0, as of the messages of a single node. */
TEST(measurements_of_zero_are_left_out)
{
    const struct fr_residual residual[] = {
        { 0, 0, 7, 1 }, { 0, 1, 7, 2 }, { 1, 1, 7, 3 }, { 2, 2.2, 7, 4 }, { 1, NAN, 7, 5 },
    };
    const struct fr_accuracy a = judge(residual, 5);
    size_t worst[5];

    assert_int_equal(a.count, 2);
    assert_close(a.worst_error_fraction, 0.1, 1e-12);
    assert_close(a.bias_fraction, 0.05, 1e-12);
    assert_close(a.within_5_percent_fraction, 0.5, 1e-12);
    assert_int_equal(a.pairs, 1);
    assert_close(a.worst_regret_fraction, 0, 0);
    assert_int_equal(fr_worst_residuals(residual, 5, worst, 5), 2);
    assert_int_equal(worst[0], 3);
    assert_int_equal(worst[1], 2);
    assert_int_equal(judge(residual, 2).count, 0);
}

/* Repetitions may have different predictions: runs measure their own computation. */
TEST(repetitions_are_one_run_of_median_time)
{
    const struct fr_residual residual[] = {
        { 9, 1, 7, 1 }, { 5, 4, 7, 2 }, { 3, 6, 7, 1 }, { 1, 9, 7, 1 }, { 7, 8, 7, 2 },
    };
    const struct fr_accuracy a = judge(residual, 5); /* 3, predicted 6; and 6, predicted 6 */

    assert_int_equal(a.pairs, 1);
    assert_close(a.pairs_right_fraction, 0.5, 1e-12);
    assert_close(a.worst_regret_fraction, 0.5, 1e-12);
}

TEST(pairs_equal_a_direct_count)
{
    enum { COUNT = 60 };
    uint64_t random = 5;

    for (int trial = 0; trial < 50; trial++) {
        struct fr_residual residual[COUNT];
        double right = 0, pairs = 0;
        struct fr_accuracy a;

        for (size_t i = 0; i < COUNT; i++)
            residual[i] = (struct fr_residual){ ceil(20 * draw_uniform(&random)),
                                                ceil(20 * draw_uniform(&random)), 1, i };
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t k = 0; k < i; k++) {
                const double measured = residual[i].measured - residual[k].measured;
                const double predicted = residual[i].predicted - residual[k].predicted;

                pairs += measured != 0;
                if (measured != 0)
                    right += predicted == 0 ? 0.5 : measured * predicted > 0;
            }
        }
        a = judge(residual, COUNT);
        assert_close(a.pairs_right_fraction, right / pairs, 1e-12);
        assert_close((double)a.pairs, pairs, 0);
    }
}

TEST(ten_thousand_variants_in_the_wrong_order)
{
    enum { COUNT = 10000 };
    static struct fr_residual residual[COUNT];
    struct fr_accuracy a;

    for (size_t i = 0; i < COUNT; i++)
        residual[i] = (struct fr_residual){ (double)(i + 1), (double)(COUNT - i), 1, i };
    a = judge(residual, COUNT);
    assert_int_equal(a.pairs, 49995000);
    assert_close(a.pairs_right_fraction, 0, 0);
    assert_close(a.worst_regret_fraction, COUNT - 1, 1e-12);
}
