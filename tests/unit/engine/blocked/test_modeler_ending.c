/* The Modeler in exceptional cases: samplers that stop, unusable times, limits, refusals, and
 * resumed buildings. */
#include "tests/unit/support/modeled.h"

#include <stdlib.h>

/* Needs 200 to 500 samples with any strategy. */
static const struct blocked_box boxes[] = { { { 8, 8 }, { 128, 512 } },
                                            { { 8, 8 }, { 512, 128 } } };
static const double jump = 30000;

static struct blocked_build build_of(unsigned choice)
{
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    struct blocked_build build = blocked_build_default(&kernel);

    build.measure = BLOCKED_ERROR_MAX;
    build.strategy = choice & 1 ? BLOCKED_EXPANSION : BLOCKED_REFINEMENT;
    build.split = choice & 2 ? BLOCKED_SPLIT_ALL : BLOCKED_SPLIT_LONGEST;
    build.direction = choice & 2 ? BLOCKED_AWAY_FROM_ORIGIN : BLOCKED_TOWARD_ORIGIN;
    build.grid = choice & 1 ? BLOCKED_CARTESIAN : BLOCKED_CHEBYSHEV;
    build.s_min = 64;
    return build;
}

static struct blocked_model build_two(const struct blocked_build *build,
                                      const struct blocked_model *from, struct modeled *formula)
{
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");

    return modeled_again(&kernel, boxes, 2, build, from, formula);
}

static void check_same(const struct blocked_model *got, const struct blocked_model *want)
{
    assert_int_equal(got->is_complete, want->is_complete);
    assert_int_equal(got->pieces, want->pieces);
    assert_int_equal(got->samples, want->samples);
    for (size_t i = 0; i < want->pieces; i++) {
        assert_memory_equal(&got->piece[i].box, &want->piece[i].box, sizeof want->piece[i].box);
        assert_memory_equal(&got->piece[i].coef, &want->piece[i].coef, sizeof want->piece[i].coef);
    }
}

/* After an early end at any sample the model covers its range and is marked incomplete.  A building
 * resumed from its samples measures nothing twice and gives the same model. */
TEST(test_an_end_at_any_sample)
{
    for (unsigned choice = 0; choice < 4; choice++) {
        const struct blocked_build build = build_of(choice);
        struct modeled all = { .jump = jump };
        struct blocked_model whole = build_two(&build, NULL, &all);

        assert_true(whole.is_complete && whole.samples > 100);
        for (size_t some = 1; some < whole.samples; some += some < 60 ? 1 : 7) {
            struct modeled first = { .jump = jump, .gives_up_at = some }, rest = { .jump = jump };
            struct blocked_model part = build_two(&build, NULL, &first);
            struct blocked_model again = build_two(&build, &part, &rest);

            assert_false(part.is_complete);
            assert_int_equal(part.samples, some);
            assert_int_equal(first.measured, some);
            modeled_check_sound(&part);
            modeled_check_covers(&part, &boxes[0]);
            modeled_check_covers(&part, &boxes[1]);
            assert_int_equal(rest.measured, whole.samples - some);
            check_same(&again, &whole);
            blocked_model_free(&again);
            blocked_model_free(&part);
        }
        blocked_model_free(&whole);
    }
}

/* A limit of samples ends a building like a sampler that stops; a sufficient limit does not. */
TEST(test_most_samples)
{
    for (unsigned choice = 0; choice < 4; choice++) {
        struct blocked_build build = build_of(choice);
        struct modeled all = { .jump = jump };
        struct blocked_model whole = build_two(&build, NULL, &all);
        const size_t limits[] = { 1, 19, 20, 21, 100, whole.samples - 1, whole.samples };

        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            struct modeled formula = { .jump = jump };
            struct modeled giving_up = { .jump = jump, .gives_up_at = limits[i] };
            struct blocked_model limited, ended;

            build.most_samples = 0;
            ended = build_two(&build, NULL, &giving_up);
            build.most_samples = limits[i];
            limited = build_two(&build, NULL, &formula);
            assert_int_equal(formula.measured, limits[i]);
            assert_int_equal(limited.is_complete, limits[i] == whole.samples);
            check_same(&limited, &ended);
            blocked_model_free(&limited);
            blocked_model_free(&ended);
        }
        blocked_model_free(&whole);
    }
}

/* After one complete level, regions that were not split are kept, and split regions without samples
 * are represented by their parents. */
TEST(test_an_early_end_keeps_what_is_known)
{
    const struct blocked_build build = build_of(0);
    struct modeled formula = { .jump = jump, .gives_up_at = 60 };
    struct blocked_model model = build_two(&build, NULL, &formula);
    const int64_t at[][BLOCKED_MAX_SIZES] = { { 64, 300 }, { 300, 64 }, { 16, 16 }, { 500, 100 } };

    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_close(modeled_value(&model, BLOCKED_MED, at[i]), modeled_time(&formula, at[i]), .35);
    blocked_model_free(&model);
}

/* A half with samples at its ends but fewer usable times than terms. */
TEST(test_an_early_end_does_not_fit_too_few)
{
    const struct blocked_kernel kernel = modeled_kernel("trinv1_unb", "");
    const struct blocked_box box = { { 8 }, { 1032 } };
    struct blocked_build build = build_of(0);
    struct modeled formula = { .jump = 90000, .hole = 3, .in_hole = NAN, .gives_up_at = 12 };
    struct blocked_sample middle = { .at = { 520 }, .time_s = { 1, 1, 1, 1, 0 } };
    const struct blocked_model known = { .sample = &middle, .samples = 1 };
    struct blocked_model model;

    build.degree_extra = 2;
    build.oversampling[0] = 6;
    build.eps = 1e-9;
    model = modeled_again(&kernel, &box, 1, &build, &known, &formula);
    assert_int_equal(model.samples, 13);
    assert_int_equal(model.terms, 6);
    assert_int_equal(model.pieces, 1);
    assert_int_equal(model.piece[0].box.max[0], 1032);
    blocked_model_free(&model);
}

/* With samples in a corner only, the model does not extrapolate their noise; an ordinary fit would
 * reach a thousand times the largest time. */
TEST(test_an_early_end_is_not_extrapolated_wildly)
{
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    const struct blocked_box box = { { 8, 8 }, { 1024, 1024 } };

    for (unsigned choice = 0; choice < 4; choice++)
        for (size_t some = 20; some < 150; some += 3) {
            struct modeled formula = { .noise = .05, .gives_up_at = some };
            struct blocked_build build = build_of(choice);
            struct blocked_model model;
            double worst = 0;

            build.s_ini = 64;
            model = modeled_build(&kernel, &box, 1, &build, &formula);
            for (int64_t m = 8; m <= 1024; m += 127)
                for (int64_t n = 8; n <= 1024; n += 127)
                    worst = fmax(worst,
                                 fabs(modeled_value(&model, BLOCKED_MED, (int64_t[]){ m, n, 0 })));
            assert_true(worst < 2 * modeled_time(&formula, box.max));
            blocked_model_free(&model);
        }
}

/* Every ninth time is unusable; the others determine the polynomial. */
TEST(test_broken_times_do_not_spoil_a_fit)
{
    const double broken[] = { 0, -1, NAN, INFINITY, -INFINITY, 1e300, 5e-324 };

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (unsigned choice = 0; choice < 4; choice++) {
            struct modeled formula = { .hole = 9, .in_hole = broken[i] };
            const struct blocked_build build = build_of(choice);
            struct blocked_model model = build_two(&build, NULL, &formula);
            const int64_t at[BLOCKED_MAX_SIZES] = { 100, 200 };

            assert_true(model.is_complete);
            assert_int_equal(model.pieces, 2);
            modeled_check_sound(&model);
            for (int s = BLOCKED_MIN; s <= BLOCKED_AVG; s++)
                assert_close(modeled_value(&model, (enum blocked_statistic)s, at),
                             (s == BLOCKED_MIN   ? .95
                              : s == BLOCKED_MED ? 1
                                                 : 1.02) *
                                 modeled_time(&formula, at),
                             1e-9);
            blocked_model_free(&model);
        }
}

/* Unusable times of other statistics do not affect an absolute fit either. */
TEST(test_broken_times_in_an_absolute_fit)
{
    struct modeled formula = { .hole = 9, .in_hole = NAN };
    struct blocked_build build = build_of(0);
    struct blocked_model model;
    const int64_t at[BLOCKED_MAX_SIZES] = { 100, 200 };

    build.is_relative = false;
    model = build_two(&build, NULL, &formula);
    assert_close(modeled_value(&model, BLOCKED_MED, at), modeled_time(&formula, at), 1e-9);
    blocked_model_free(&model);
}

/* If the clock is too coarse for the kernel, the model is zero; the building does not fail. */
TEST(test_all_times_zero)
{
    for (unsigned choice = 0; choice < 4; choice++) {
        struct modeled formula = { .hole = 1, .in_hole = 0 };
        const struct blocked_build build = build_of(choice);
        struct blocked_model model = build_two(&build, NULL, &formula);

        assert_true(model.is_complete);
        assert_int_equal(model.pieces, 2);
        modeled_check_sound(&model);
        for (int s = 0; s < BLOCKED_STATISTICS; s++)
            assert_close(modeled_value(&model, (enum blocked_statistic)s, boxes[0].max), 0, 0);
        blocked_model_free(&model);
    }
}

static int refused(const struct blocked_build *build, const struct blocked_box *box, size_t count,
                   struct modeled *formula, const char *expected)
{
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    const struct blocked_sampler sampler = { formula, modeled_take, NULL };
    struct blocked_model model = { .pieces = 7 };
    char why[160] = "";
    const int failed =
        blocked_model_build(&kernel, box, count, build, NULL, 0, &sampler, &model, why, sizeof why);

    if (!strstr(why, expected))
        fail_msg("'%s' does not say '%s'", why, expected);
    assert_int_equal(model.pieces, 7);
    return failed;
}

TEST(test_nothing_measured)
{
    for (unsigned choice = 0; choice < 4; choice++) {
        const struct blocked_build build = build_of(choice);
        struct modeled silent = { .gives_up_at = 5, .measured = 5 };
        struct modeled broken = { .hole = 1, .in_hole = NAN };

        assert_int_equal(refused(&build, boxes, 2, &silent, "no sample"), -1);
        assert_int_equal(refused(&build, boxes, 2, &broken, "no sample"), -1);
        assert_int_equal(broken.batches, 1); /* stops after the first batch */
    }
}

/* The standard deviation may be 0, so its residuals are absolute while the others are relative. */
TEST(test_the_deviation_is_fitted_absolutely)
{
    struct modeled formula = { .jump = 3000 };
    struct blocked_build build = build_of(0);
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    struct blocked_model model;
    double absolute[BLOCKED_MAX_TERMS], relative[BLOCKED_MAX_TERMS], value[64];
    int64_t at[64][BLOCKED_MAX_SIZES];

    build.eps = 10;
    model = modeled_build(&kernel, boxes, 1, &build, &formula);
    assert_int_equal(model.pieces, 1);
    assert_true(model.samples <= 64);
    for (size_t i = 0; i < model.samples; i++) {
        memcpy(at[i], model.sample[i].at, sizeof at[i]);
        value[i] = model.sample[i].time_s[BLOCKED_STD];
    }
    assert_int_equal(blocked_fit(boxes, 2, model.exponent, model.terms, at, value, model.samples,
                                 false, BLOCKED_ROUNDING, absolute),
                     0);
    assert_int_equal(blocked_fit(boxes, 2, model.exponent, model.terms, at, value, model.samples,
                                 true, BLOCKED_ROUNDING, relative),
                     0);
    for (size_t j = 0; j < model.terms; j++) {
        assert_close(model.piece[0].coef[BLOCKED_STD][j], absolute[j], 1e-12);
        assert_close(model.piece[0].coef[BLOCKED_MED][j] * .05, relative[j], 1e-9);
        assert_true(fabs(absolute[j] - relative[j]) > 1e-4 * fabs(relative[j]));
    }
    blocked_model_free(&model);
}

/* With too few or repeated points, the polynomial of least norm passes through them. */
TEST(test_points_too_few_or_repeated)
{
    const struct blocked_box box = { { 8, 8, 8 }, { 24, 24, 24 } };
    int exponent[4][BLOCKED_MAX_SIZES] = { { 0 }, { 1 }, { 2 }, { 3 } };
    int64_t at[][BLOCKED_MAX_SIZES] = { { 8 }, { 16 }, { 24 }, { 16 }, { 8 }, { 24 } };
    const double value[] = { 1, 4, 9, 4, 1, 9 };

    for (size_t count = 1; count <= 6; count++)
        for (int is_relative = 0; is_relative < 2; is_relative++) {
            double coef[4] = { NAN, NAN, NAN, NAN };

            assert_int_equal(blocked_fit(&box, 1, exponent, 4, at, value, count, is_relative,
                                         BLOCKED_ROUNDING, coef),
                             0);
            for (size_t i = 0; i < count; i++)
                assert_close(blocked_polynomial(&box, 1, exponent, 4, coef, at[i]), value[i],
                             1e-12);
            for (size_t j = 0; j < 4; j++)
                assert_true(fabs(coef[j]) < 20);
        }
}

/* Known points that repeat or lie outside the ranges have no effect. */
TEST(test_known_samples_of_any_kind)
{
    const struct blocked_build build = build_of(0);
    struct modeled all = { .jump = jump }, none = { .jump = jump };
    struct blocked_model whole = build_two(&build, NULL, &all), again;
    struct blocked_sample *known = calloc(2 * whole.samples + 1, sizeof *known);
    const struct blocked_model from = { .sample = known, .samples = 2 * whole.samples + 1 };

    assert_non_null(known);
    memcpy(known, whole.sample, whole.samples * sizeof *known);
    memcpy(known + whole.samples, whole.sample, whole.samples * sizeof *known);
    for (size_t i = 0; i < from.samples; i++)
        known[i].at[2] = (int64_t)i; /* ignored for two sizes */
    known[2 * whole.samples] = (struct blocked_sample){ .at = { 5000, 7 }, .time_s = { NAN } };
    again = build_two(&build, &from, &none);
    assert_int_equal(none.measured, 0);
    assert_int_equal(again.samples, whole.samples + 1);
    again.samples--;
    check_same(&again, &whole);
    blocked_model_free(&again);
    blocked_model_free(&whole);
    free(known);
}

TEST(test_refusals)
{
    const struct blocked_build good = build_of(0);
    const struct blocked_box reversed = { { 64, 8 }, { 8, 64 } }, none = { { 0, 8 }, { 8, 8 } };
    const struct blocked_box huge = { { 8, 8 }, { 8, 1000001 } };
    struct modeled formula = { .jump = 0 };
    struct blocked_build build = good;

    build.eps = NAN;
    assert_int_equal(refused(&build, boxes, 2, &formula, "eps"), -1);
    build = good;
    build.s_min = 7;
    assert_int_equal(refused(&build, boxes, 2, &formula, "s_min"), -1);
    build = build_of(1);
    build.s_ini = 0;
    assert_int_equal(refused(&build, boxes, 2, &formula, "s_ini"), -1);
    build = good;
    build.oversampling[1] = 0;
    assert_int_equal(refused(&build, boxes, 2, &formula, "oversampling"), -1);
    build = good;
    build.degree_extra = 3;
    assert_int_equal(refused(&build, boxes, 2, &formula, "degree_extra"), -1);
    assert_int_equal(refused(&good, boxes, 0, &formula, "no range"), -1);
    assert_int_equal(refused(&good, &reversed, 1, &formula, "64 to 8"), -1);
    assert_int_equal(refused(&good, &none, 1, &formula, "0 to 8"), -1);
    assert_int_equal(refused(&good, &huge, 1, &formula, "1000001"), -1);
    assert_int_equal(formula.batches, 0);
}

GROUP(modeled_alone, NULL)
