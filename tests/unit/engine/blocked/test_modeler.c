/* Properties of all models that the Modeler builds. */
#include "engine/core/statistics.h"
#include "tests/unit/support/modeled.h"

static const struct blocked_box cube = { { 8, 8, 8 }, { 264, 200, 136 } };

/* Kernels of one, two and three sizes whose bases contain the formula. */
static struct blocked_kernel kernel_of(size_t dimensions)
{
    return dimensions == 1   ? modeled_kernel("trinv1_unb", "")
           : dimensions == 2 ? modeled_kernel("dtrsm", "LLNN")
                             : modeled_kernel("dgemm", "NN");
}

static struct blocked_build any_build(const struct blocked_kernel *kernel, unsigned choice)
{
    struct blocked_build build = blocked_build_default(kernel);

    build.strategy = choice & 1 ? BLOCKED_EXPANSION : BLOCKED_REFINEMENT;
    build.split = choice & 2 ? BLOCKED_SPLIT_ALL : BLOCKED_SPLIT_LONGEST;
    build.direction = choice & 2 ? BLOCKED_AWAY_FROM_ORIGIN : BLOCKED_TOWARD_ORIGIN;
    build.grid = choice & 1 ? BLOCKED_CARTESIAN : BLOCKED_CHEBYSHEV;
    build.measure = BLOCKED_ERROR_MAX;
    build.s_min = 32;
    build.s_ini = 64;
    return build;
}

TEST(test_a_polynomial_needs_one_region)
{
    for (size_t dimensions = 1; dimensions <= 3; dimensions++)
        for (unsigned choice = 0; choice < 4; choice++) {
            const struct blocked_kernel kernel = kernel_of(dimensions);
            struct blocked_build build = any_build(&kernel, choice);
            struct modeled formula = { .jump = 0 };
            struct blocked_model model;

            build.eps = 1e-6;
            model = modeled_build(&kernel, &cube, 1, &build, &formula);
            assert_true(model.is_complete);
            assert_int_equal(model.pieces, 1);
            assert_memory_equal(model.piece[0].box.max, cube.max, dimensions * sizeof *cube.max);
            assert_int_equal(model.piece[0].samples, model.samples);
            for (int64_t x = 8; x <= 136; x += 13) {
                const int64_t at[] = { 2 * x - 8, dimensions > 1 ? 144 - x : 0,
                                       dimensions > 2 ? x : 0 };
                const double time_s = modeled_time(&formula, at);

                assert_close(modeled_value(&model, BLOCKED_MED, at), time_s, 1e-9);
                assert_close(modeled_value(&model, BLOCKED_MAX, at), 1.2 * time_s, 1e-9);
            }
            assert_close(formula.progress.share_done, 1, 1e-12);
            assert_int_equal(formula.progress.regions_done, 1);
            assert_int_equal(formula.progress.regions_open, 0);
            blocked_model_free(&model);
        }
}

TEST(test_regions_cover_the_range)
{
    for (size_t dimensions = 1; dimensions <= 3; dimensions++)
        for (unsigned choice = 0; choice < 4; choice++) {
            const struct blocked_kernel kernel = kernel_of(dimensions);
            struct blocked_build build = any_build(&kernel, choice);
            struct modeled formula = { .jump = 30000 };
            struct blocked_model model;

            build.eps = .03;
            model = modeled_build(&kernel, &cube, 1, &build, &formula);
            assert_true(model.is_complete);
            assert_true(model.pieces > 1);
            assert_int_equal(model.samples, formula.measured);
            assert_true(formula.told >= formula.batches);
            assert_close(formula.progress.share_done, 1, 1e-12);
            modeled_check_covers(&model, &cube);
            modeled_check_sound(&model);
            blocked_model_free(&model);
        }
}

/* A range may be a single size in some dimension, or too narrow for a grid of its own. */
TEST(test_narrow_ranges)
{
    static const struct blocked_box boxes[] = {
        { { 96, 8, 8 }, { 96, 1024, 8 } },  { { 8, 96, 24 }, { 512, 96, 24 } },
        { { 96, 96, 96 }, { 96, 96, 96 } }, { { 8, 8, 8 }, { 16, 16, 16 } },
        { { 1, 3, 5 }, { 7, 100, 6 } },
    };

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (size_t dimensions = 1; dimensions <= 3; dimensions++)
            for (unsigned choice = 0; choice < 4; choice++) {
                const struct blocked_kernel kernel = kernel_of(dimensions);
                const struct blocked_build build = any_build(&kernel, choice);
                struct modeled formula = { .jump = 0 };
                struct blocked_model model = modeled_build(&kernel, &boxes[i], 1, &build, &formula);

                assert_true(model.is_complete);
                assert_int_equal(model.pieces, 1);
                modeled_check_covers(&model, &boxes[i]);
                modeled_check_sound(&model);
                for (size_t j = 0; j < model.samples; j++)
                    assert_close(modeled_value(&model, BLOCKED_AVG, model.sample[j].at),
                                 model.sample[j].time_s[BLOCKED_AVG], 1e-9);
                blocked_model_free(&model);
            }
}

/* With a larger eps refinement stops earlier in the same tree.  Expansion then has other regions
 * and may need a few more samples. */
TEST(test_more_error_needs_no_more_samples)
{
    const struct blocked_kernel kernel = kernel_of(2);
    const struct blocked_box box = { { 8, 8 }, { 512, 1024 } };

    for (unsigned choice = 0; choice < 4; choice++) {
        size_t before = SIZE_MAX, first = 0;

        for (double eps = .02; eps < .4; eps *= 1.5) {
            struct blocked_build build = any_build(&kernel, choice);
            struct modeled formula = { .jump = 60000 };
            struct blocked_model model;

            build.eps = eps;
            model = modeled_build(&kernel, &box, 1, &build, &formula);
            first = first ? first : model.samples;
            if (build.strategy == BLOCKED_REFINEMENT)
                assert_true(model.samples <= before);
            before = model.samples;
            blocked_model_free(&model);
        }
        assert_true(before < first / 2);
    }
}

/* The domain of dgemm, where one size is a block size.  The boxes share their points; regions are
 * listed box by box. */
TEST(test_boxes_share_their_points)
{
    static const struct blocked_box boxes[] = { { { 8, 8, 8 }, { 72, 264, 264 } },
                                                { { 8, 8, 8 }, { 264, 72, 264 } },
                                                { { 8, 8, 8 }, { 264, 264, 72 } } };
    const struct blocked_kernel kernel = kernel_of(3);

    for (unsigned choice = 0; choice < 4; choice++) {
        const struct blocked_build build = any_build(&kernel, choice);
        struct modeled formula = { .jump = 9000 };
        struct blocked_model model = modeled_build(&kernel, boxes, 3, &build, &formula);
        size_t piece = 0, alone = 0;

        assert_true(model.is_complete);
        for (size_t i = 0; i < 3; i++) {
            struct modeled again = { .jump = 9000 };
            struct blocked_model one = modeled_build(&kernel, &boxes[i], 1, &build, &again);

            alone += one.samples;
            modeled_check_covers(&model, &boxes[i]);
            /* The grid of a region does not depend on its neighbours in refinement. */
            for (size_t j = 0; build.strategy == BLOCKED_REFINEMENT && j < one.pieces; j++)
                assert_memory_equal(&model.piece[piece++].box, &one.piece[j].box,
                                    sizeof one.piece[j].box);
            blocked_model_free(&one);
        }
        assert_true(build.strategy == BLOCKED_EXPANSION || piece == model.pieces);
        assert_true(formula.measured < alone);
        blocked_model_free(&model);
    }
}

/* 20 samples: the 18th of the errors, their mean, the last. */
TEST(test_measures_of_error)
{
    const struct blocked_kernel kernel = kernel_of(2);

    for (int measure = BLOCKED_ERROR_MAX; measure <= BLOCKED_ERROR_MEAN; measure++) {
        struct blocked_build build = any_build(&kernel, 0);
        struct modeled formula = { .jump = 9000 };
        struct blocked_model model;
        double error[20], mean = 0;

        build.eps = 10;
        build.measure = (enum blocked_measure)measure;
        model = modeled_build(&kernel, &cube, 1, &build, &formula);
        assert_int_equal(model.samples, 20);
        for (size_t i = 0; i < 20; i++) {
            error[i] = fabs(modeled_value(&model, BLOCKED_MED, model.sample[i].at) /
                                model.sample[i].time_s[BLOCKED_MED] -
                            1);
            mean += error[i] / 20;
        }
        fr_sort(error, 20);
        assert_true(error[17] > 1.01 * mean && error[19] > 1.01 * error[17]);
        assert_close(model.piece[0].error,
                     measure == BLOCKED_ERROR_MEAN  ? mean
                     : measure == BLOCKED_ERROR_P90 ? error[17]
                                                    : error[19],
                     1e-9);
        blocked_model_free(&model);
    }
}

/* The other sides stay whole, so that fewer samples bracket the step. */
TEST(test_the_best_split_is_of_the_side_with_the_step)
{
    for (size_t dimensions = 2; dimensions <= 3; dimensions++)
        for (size_t side = 0; side < dimensions; side++) {
            const struct blocked_kernel kernel = kernel_of(dimensions);
            struct blocked_build build = any_build(&kernel, 0);
            struct modeled formula = { .step = 90, .side = side }, same = formula;
            struct blocked_model best, longest;

            build.eps = .03;
            build.s_min = 8;
            longest = modeled_build(&kernel, &cube, 1, &build, &same);
            build.split = BLOCKED_SPLIT_BEST;
            best = modeled_build(&kernel, &cube, 1, &build, &formula);
            assert_true(best.pieces > 1);
            assert_true(best.samples < longest.samples);
            for (size_t i = 0; i < best.pieces; i++)
                for (size_t d = 0; d < dimensions; d++)
                    if (d != side) {
                        assert_int_equal(best.piece[i].box.min[d], cube.min[d]);
                        assert_int_equal(best.piece[i].box.max[d], cube.max[d]);
                    }
            modeled_check_covers(&best, &cube);
            modeled_check_sound(&best);
            blocked_model_free(&best);
            blocked_model_free(&longest);
        }
}

/* 64 terms over times from 1e-6 to 1 s with relative residuals: the hardest fit that is allowed. */
TEST(test_the_largest_basis)
{
    const struct blocked_kernel kernel = kernel_of(3);
    const struct blocked_box box = { { 8, 8, 8 }, { 1024, 1024, 1024 } };
    struct blocked_build build = any_build(&kernel, 0);
    struct modeled formula = { .jump = 0 };
    struct blocked_model model;

    build.degree_extra = 2;
    model = modeled_build(&kernel, &box, 1, &build, &formula);
    assert_int_equal(model.terms, 64);
    assert_int_equal(model.pieces, 1);
    for (size_t i = 0; i < 512; i++) {
        const int64_t at[] = { 8 + 145 * (int64_t)(i % 8), 8 + 145 * (int64_t)(i / 8 % 8),
                               8 + 145 * (int64_t)(i / 64) };

        /* Without normalized columns two or more of these digits would be lost. */
        assert_true(fabs(modeled_value(&model, BLOCKED_MED, at) / modeled_time(&formula, at) - 1) <
                    2e-13);
    }
    blocked_model_free(&model);
}

/* 20 is the middle of 16 and 24 and is rounded up, even if the cosine has a rounding error. */
TEST(test_halves_are_rounded_up)
{
    int64_t points[4];

    for (int kind = BLOCKED_CHEBYSHEV; kind <= BLOCKED_CARTESIAN; kind++) {
        const int64_t last = kind == BLOCKED_CHEBYSHEV ? 56 : 44;

        assert_int_equal(blocked_grid((enum blocked_grid)kind, 8, last, 4, points), 4);
        assert_int_equal(points[1], 24);
        assert_int_equal(points[2], kind == BLOCKED_CHEBYSHEV ? 48 : 32);
    }
}

TEST(test_defaults)
{
    const struct blocked_kernel gemm = kernel_of(3), trsm = kernel_of(2);
    const struct blocked_build build = blocked_build_default(&trsm);

    assert_int_equal(build.strategy, BLOCKED_REFINEMENT);
    assert_int_equal(build.split, BLOCKED_SPLIT_LONGEST);
    assert_int_equal(build.grid, BLOCKED_CHEBYSHEV);
    assert_int_equal(build.measure, BLOCKED_ERROR_P90);
    assert_int_equal(build.reference, BLOCKED_MED);
    assert_true(build.is_relative);
    assert_close(build.eps, .08, 0);
    assert_int_equal(build.s_min, 32);
    assert_int_equal(blocked_build_default(&gemm).s_min, 128);
    assert_int_equal(build.oversampling[1], 2);
    assert_int_equal(build.degree_extra, 0);
    assert_int_equal(build.most_samples, 0);
}

GROUP(modeled_alone, NULL)
