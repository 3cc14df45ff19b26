/* The estimate of the remaining time of a refinement, against the times of formulas. */
#include "tests/unit/support/modeled.h"

#include <stdio.h>

#include "calibrations/calibrate/blocked/modeling.h"

enum { EXECUTIONS = 20, REPORTS_MAX = 50 };

/* A building on a clock of its own: a sample takes its time, twenty times. */
struct building {
    struct modeled formula;
    struct fr_remaining remaining;
    const struct blocked_kernel *kernel;
    double now_s;
    double at_s[REPORTS_MAX], left_s[REPORTS_MAX];
    size_t reports;
};

static size_t take(void *context, struct blocked_sample *sample, size_t count)
{
    struct building *b = context;
    double batch_s = 0;

    modeled_take(&b->formula, sample, count);
    for (size_t i = 0; i < count; i++)
        batch_s += EXECUTIONS * sample[i].time_s[BLOCKED_MED];
    b->now_s += batch_s;
    fr_remaining_take(&b->remaining, b->kernel, sample, count, batch_s);
    return count;
}

static void report(void *context, const struct blocked_progress *progress)
{
    struct building *b = context;

    assert_in_range(b->reports, 0, REPORTS_MAX - 1);
    b->at_s[b->reports] = b->now_s;
    b->left_s[b->reports++] = fr_remaining_s(&b->remaining, progress, 0);
}

TEST(remaining_time_is_about_right_from_the_first_batch)
{
    const struct blocked_kernel kernel = modeled_kernel("dgemm", "NN");
    const struct blocked_box box = { { 8, 8, 8 }, { 1024, 1024, 1024 } };
    struct blocked_build build = blocked_build_default(&kernel);
    struct building b = { .formula = { .jump = 250000 }, .kernel = &kernel };
    const struct blocked_sampler sampler = { &b, take, report };
    struct blocked_model model;
    char why[160];

    build.eps = 0.02;
    build.s_min = 32;
    assert_int_equal(
        blocked_model_build(&kernel, &box, 1, &build, NULL, 0, &sampler, &model, why, sizeof why),
        0);
    assert_true(b.reports > 3);
    for (size_t i = 0; i < b.reports; i++) {
        const double whole_s = b.at_s[i] + b.left_s[i];

        if (b.at_s[i] > b.now_s / 4 && fabs(whole_s - b.now_s) > 0.3 * b.now_s)
            fail_msg("after %g s %g s left, of %g s", b.at_s[i], b.left_s[i], b.now_s);
    }
    assert_true(b.left_s[b.reports - 1] == 0);
    blocked_model_free(&model);
}

TEST(planned_points_have_the_rate_of_their_neighbours)
{
    const struct blocked_kernel kernel = modeled_kernel("dgemm", "NN");
    struct blocked_sample known[2] = { { .at = { 8, 8, 8 } }, { .at = { 512, 512, 512 } } };
    const struct blocked_sample planned[2] = { { .at = { 16, 8, 8 } },
                                               { .at = { 256, 512, 512 } } };
    struct blocked_progress next = { .planned = planned, .planned_count = 2 };
    struct fr_remaining remaining;

    known[0].time_s[BLOCKED_MED] = 1;
    known[1].time_s[BLOCKED_MED] = 100;
    fr_remaining_take(&remaining, &kernel, known, 2, 1010);
    assert_close(fr_remaining_planned_s(&remaining, planned, 2), 520, 1e-12);
    assert_close(fr_remaining_s(&remaining, &next, 0), 520, 1e-12);
    next.levels_after = 1;
    assert_close(fr_remaining_s(&remaining, &next, 0), 520 * (1 + 520.0 / 1010), 1e-12);
    assert_close(fr_remaining_s(&remaining, &next, 1), 260, 1e-12);
    next.planned_count = 0;
    assert_true(fr_remaining_s(&remaining, &next, 0) == 0);
}

static struct blocked_model built(double eps, int64_t s_fine, struct modeled *formula)
{
    static const struct blocked_box box = { { 8, 8, 8 }, { 200, 200, 200 } };
    const struct blocked_kernel kernel = modeled_kernel("dgemm", "NN");
    struct blocked_build build = blocked_build_default(&kernel);

    build.eps = eps;
    build.s_fine = s_fine;
    return modeled_build(&kernel, &box, 1, &build, formula);
}

TEST(large_errors_are_refined_below_the_least_side)
{
    struct modeled formula = { .jump = 10000 };
    struct blocked_model coarse = built(0.02, 0, &formula), fine;

    formula = (struct modeled){ .jump = 10000 };
    fine = built(0.02, 32, &formula);
    assert_int_equal(coarse.pieces, 1);
    assert_true(fine.pieces > 4);
    for (size_t i = 0; i < fine.pieces; i++)
        for (size_t d = 0; d < 3; d++)
            assert_true(fine.piece[i].box.max[d] - fine.piece[i].box.min[d] >= 28);
    modeled_check_covers(&fine, &(struct blocked_box){ { 8, 8, 8 }, { 200, 200, 200 } });
    blocked_model_free(&coarse);
    blocked_model_free(&fine);
}

TEST(regions_that_missed_their_bound_are_named)
{
    struct blocked_piece piece[] = { { .box = { { 8, 8 }, { 64, 128 } }, .error = 0.09 },
                                     { .box = { { 8, 128 }, { 64, 256 } }, .error = 0.02 },
                                     { .box = { { 64, 8 }, { 96, 128 } }, .error = 0.23 },
                                     { .box = { { 64, 128 }, { 96, 256 } }, .error = 0.09 } };
    const struct blocked_model model = { .dimensions = 2, .pieces = 4, .piece = piece };
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    char text[FR_MISSED_BYTES];

    assert_int_equal(fr_missed_write(kernel.routine, &model, 0.08, text), 3);
    assert_string_equal(text,
                        "3 of 4 regions missed the error bound of 8 %: m 64 to 96, n 8 to 128 "
                        "(23 %); m 8 to 64, n 8 to 128 (9 %); m 64 to 96, n 128 to 256 (9 %)");
    assert_int_equal(fr_missed_write(kernel.routine, &model, 0.25, text), 0);
}
