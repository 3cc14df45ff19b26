/* The golden cases of the Modeler: fits, grids, and the models of both strategies. */
#include "tests/unit/support/golden.h"
#include "tests/unit/support/modeled.h"

static json_t *golden;

static json_t *get(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);

    if (!value)
        fail_msg("no %s", name);
    return value;
}

static double number(json_t *object, const char *name)
{
    return json_number_value(get(object, name));
}

static bool is(json_t *object, const char *name, const char *text)
{
    json_t *value = json_object_get(object, name);

    return value && strcmp(json_string_value(value), text) == 0;
}

static void read_sizes(json_t *list, int64_t *out)
{
    for (size_t d = 0; d < json_array_size(list); d++)
        out[d] = (int64_t)json_number_value(json_array_get(list, d));
}

TEST(test_fits)
{
    json_t *item;
    size_t index;

    json_array_foreach(get(golden, "fits"), index, item)
    {
        json_t *basis = get(item, "basis"), *points = get(item, "points");
        const size_t terms = json_array_size(basis), count = json_array_size(points);
        const bool is_relative = json_is_true(get(item, "relative"));
        struct blocked_box box = { { 0 }, { 0 } };
        int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES] = { { 0 } };
        int64_t at[32][BLOCKED_MAX_SIZES] = { { 0 } }, row[BLOCKED_MAX_SIZES];
        double value[32], coef[BLOCKED_MAX_TERMS], worst = 0;

        assert_true(count <= 32);
        read_sizes(get(item, "min"), box.min);
        read_sizes(get(item, "max"), box.max);
        for (size_t j = 0; j < terms; j++) {
            read_sizes(json_array_get(basis, j), row);
            exponent[j][0] = (int)row[0];
            exponent[j][1] = (int)row[1];
        }
        for (size_t i = 0; i < count; i++) {
            read_sizes(json_array_get(points, i), at[i]);
            value[i] = json_number_value(json_array_get(get(item, "values"), i));
        }
        assert_int_equal(blocked_fit(&box, 2, exponent, terms, at, value, count, is_relative,
                                     BLOCKED_ROUNDING, coef),
                         0);
        for (size_t j = 0; j < terms; j++)
            assert_close(coef[j], json_number_value(json_array_get(get(item, "coef"), j)), 1e-9);
        for (size_t i = 0; i < count; i++)
            worst = fmax(
                worst,
                fabs(blocked_polynomial(&box, 2, exponent, terms, coef, at[i]) / value[i] - 1));
        if (is(item, "name", "exact"))
            assert_true(worst < 1e-11);
        else
            assert_close(worst, number(item, "max_relative_error"), 1e-9);
    }
}

TEST(test_grids)
{
    json_t *item;
    size_t index;

    json_array_foreach(get(golden, "grids"), index, item)
    {
        json_t *grid = get(item, "grid");
        int64_t points[16];
        const size_t count =
            blocked_grid(is(item, "kind", "chebyshev") ? BLOCKED_CHEBYSHEV : BLOCKED_CARTESIAN,
                         (int64_t)number(item, "min"), (int64_t)number(item, "max"),
                         (size_t)number(item, "points"), points);

        assert_int_equal(count, json_array_size(grid));
        for (size_t i = 0; i < count; i++)
            assert_int_equal(points[i], (int64_t)json_number_value(json_array_get(grid, i)));
    }
}

static struct blocked_build strategy_of(json_t *item, const struct blocked_kernel *kernel)
{
    struct blocked_build build = blocked_build_default(kernel);

    build.measure = BLOCKED_ERROR_MAX;
    build.eps = number(item, "eps");
    if (is(item, "strategy", "adaptive_refinement")) {
        build.split = is(item, "split", "all") ? BLOCKED_SPLIT_ALL : BLOCKED_SPLIT_LONGEST;
        build.s_min = (int64_t)number(item, "s_min");
        return build;
    }
    build.strategy = BLOCKED_EXPANSION;
    build.direction =
        is(item, "direction", "toward_origin") ? BLOCKED_TOWARD_ORIGIN : BLOCKED_AWAY_FROM_ORIGIN;
    build.grid = BLOCKED_CARTESIAN;
    build.s_ini = (int64_t)number(item, "s_ini");
    return build;
}

TEST(test_strategies)
{
    const struct blocked_kernel kernel = modeled_kernel("dtrsm", "LLNN");
    json_t *strategies = get(golden, "strategies"), *item;
    struct blocked_box box = { { 0 }, { 0 } };
    size_t index;

    read_sizes(get(strategies, "min"), box.min);
    read_sizes(get(strategies, "max"), box.max);
    json_array_foreach(get(strategies, "cases"), index, item)
    {
        const struct blocked_build build = strategy_of(item, &kernel);
        struct modeled formula = { .jump = number(item, "jump") };
        struct blocked_model model = modeled_build(&kernel, &box, 1, &build, &formula);
        json_t *bounds = get(item, "bounds");
        double worst = 0;

        assert_true(model.is_complete);
        assert_int_equal(model.pieces, (size_t)number(item, "regions"));
        assert_int_equal(model.samples, (size_t)number(item, "samples"));
        assert_int_equal(formula.measured, model.samples);
        for (size_t i = 0; i < model.pieces; i++) {
            json_t *expected = json_array_get(bounds, i);
            struct blocked_box want;

            worst = fmax(worst, model.piece[i].error);
            read_sizes(json_array_get(expected, 0), want.min);
            read_sizes(json_array_get(expected, 1), want.max);
            for (size_t d = 0; expected && d < 2; d++) {
                assert_int_equal(model.piece[i].box.min[d], want.min[d]);
                assert_int_equal(model.piece[i].box.max[d], want.max[d]);
            }
        }
        assert_close(worst, number(item, "max_error"), 1e-9);
        modeled_check_sound(&model);
        modeled_check_covers(&model, &box);
        blocked_model_free(&model);
    }
}

static int load(void **state)
{
    golden = golden_load("blocked.json");
    return modeled_alone(state);
}

static int unload(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

GROUP(load, unload)
