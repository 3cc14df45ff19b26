/* The convergence of a routine model: the rows that are kept, and the reports of the Modeler. */
#include "calibrations/calibrate/blocked/modeling.h"
#include "tests/unit/support/check.h"

#include <math.h>

static struct blocked_progress progress_of(size_t samples, double error)
{
    return (struct blocked_progress){
        .regions_done = 1, .regions_open = 2, .samples = samples, .mean_error = error
    };
}

TEST(each_batch_is_a_row)
{
    static struct fr_fit_history history;
    struct blocked_progress told = progress_of(9, 0.5);

    fr_fit_history_add(&history, &told);
    told = progress_of(20, 0.25);
    fr_fit_history_add(&history, &told);
    assert_int_equal(history.rows, 2);
    assert_int_equal(history.row[0].samples, 9);
    assert_int_equal(history.row[0].regions, 3);
    assert_close(history.row[1].error, 0.25, 0);
    told = progress_of(20, 0.2); /* the final report repeats the number of samples */
    fr_fit_history_add(&history, &told);
    assert_int_equal(history.rows, 2);
    assert_close(history.row[1].error, 0.2, 0);
    told = progress_of(30, NAN);
    fr_fit_history_add(&history, &told);
    assert_int_equal(history.rows, 2);
}

TEST(a_long_building_is_thinned_from_end_to_end)
{
    static struct fr_fit_history history;
    double widest = 0;

    for (size_t samples = 1; samples <= 20000; samples++) {
        const struct blocked_progress told = progress_of(samples, 1.0 / (double)samples);

        fr_fit_history_add(&history, &told);
        assert_true(history.rows <= FR_FIT_HISTORY_ROWS);
    }
    assert_int_equal(history.rows, FR_FIT_HISTORY_ROWS);
    assert_int_equal(history.row[0].samples, 1);
    assert_int_equal(history.row[FR_FIT_HISTORY_ROWS - 1].samples, 20000);
    for (size_t i = 1; i < history.rows; i++) {
        assert_true(history.row[i].samples > history.row[i - 1].samples);
        assert_close(history.row[i].error, 1.0 / (double)history.row[i].samples, 1e-12);
        if (history.row[i - 1].samples >= 20)
            widest =
                fmax(widest, (double)history.row[i].samples / (double)history.row[i - 1].samples);
    }
    assert_true(widest < 1.25); /* 20 rows in each of 10 decades would be 1.12 */
}

/* A time that no polynomial of the basis describes, so that both strategies need many regions. */
static size_t take(void *context, struct blocked_sample *sample, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < BLOCKED_STATISTICS; s++)
            sample[i].time_s[s] =
                1e-6 * sqrt((double)sample[i].at[0]) * pow((double)sample[i].at[1], 1.7);
    return count;
}

static void report(void *context, const struct blocked_progress *progress)
{
    fr_fit_history_add(context, progress);
}

static struct fr_fit_history built_by(enum blocked_strategy strategy)
{
    const struct blocked_kernel kernel = { .routine = blocked_routine_find("dtrsm"),
                                           .flags = "LLNN" };
    const struct blocked_box box = { .min = { 8, 8 }, .max = { 512, 512 } };
    struct blocked_build build = blocked_build_default(&kernel);
    struct fr_fit_history history = { .rows = 0 };
    const struct blocked_sampler sampler = { &history, take, report };
    struct blocked_model model;
    double volume = 0, error = 0, worst = 0;
    char why[160];

    build.strategy = strategy;
    build.eps = 0.01;
    build.s_ini = 32;
    assert_int_equal(
        blocked_model_build(&kernel, &box, 1, &build, NULL, 0, &sampler, &model, why, sizeof why),
        0);
    assert_true(model.pieces > 3);
    for (size_t i = 0; i < model.pieces; i++) {
        const struct blocked_box *piece = &model.piece[i].box;
        const double part = log2((double)piece->max[0] / (double)piece->min[0]) *
                            log2((double)piece->max[1] / (double)piece->min[1]);

        volume += part;
        error += part * model.piece[i].error;
        worst = fmax(worst, model.piece[i].error);
    }
    assert_int_equal(history.row[history.rows - 1].samples, model.samples);
    assert_int_equal(history.row[history.rows - 1].regions, model.pieces);
    assert_true(history.row[history.rows - 1].error <= worst);
    if (strategy == BLOCKED_REFINEMENT) /* regions of refinement do not overlap */
        assert_close(history.row[history.rows - 1].error, error / volume, 1e-9);
    blocked_model_free(&model);
    return history;
}

TEST(a_refinement_covers_all_from_its_first_batch)
{
    const struct fr_fit_history history = built_by(BLOCKED_REFINEMENT);

    assert_true(history.rows >= 3);
    assert_true(history.row[0].error < 1);
    assert_true(history.row[history.rows - 1].error < history.row[0].error / 2);
}

TEST(what_an_expansion_has_not_reached_counts_as_wrong)
{
    const struct fr_fit_history history = built_by(BLOCKED_EXPANSION);

    assert_true(history.row[0].error > 0.9);
    assert_true(history.row[history.rows - 1].error < history.row[0].error / 10);
    for (size_t i = 1; i < history.rows; i++)
        assert_true(history.row[i].error < history.row[i - 1].error + 0.01);
}
