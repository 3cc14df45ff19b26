/* Scales: lists as an axis has them, ranges of any length, and places between two indexes. */
#include "engine/forerun.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>

struct box {
    int64_t n;
    double share;
    struct fr_vector grid;
};
static const struct fr_param params[] = {
    FR_INT(struct box, n, .unit = "1", .min = 1, .max = 1e9, .flags = FR_REQUIRED),
    FR_REAL(struct box, share, .unit = "1", .min = 0, .max = 1e6, .flags = FR_REQUIRED),
    FR_VECTOR(struct box, grid, .unit = "1", .min = 1, .max = 1e6, .flags = FR_REQUIRED),
    FR_PARAMS_END,
};

static struct fr_scale scaled(void **state, const char *name, const char *text)
{
    struct fr_faults faults = { 0 };
    struct fr_scale scale;

    if (fr_scale_parse(fr_param_find(params, name), text, *state, &scale, &faults) != FR_OK)
        fail_msg("%s=%s: %s", name, text, faults.fault[0].message);
    return scale;
}

static double value_at(const struct fr_scale *scale, size_t index)
{
    struct box box;

    fr_scale_put(scale, index, &box);
    return fr_param_get(scale->param, &box);
}

TEST(a_range_has_the_values_of_an_axis)
{
    static const char *const texts[][2] = {
        { "n", "3..60" },        { "n", "10..39..10" },       { "n", "4..4" },
        { "n", "16..4096..*4" }, { "share", "0..0.3..0.01" }, { "share", "0.1..0.3..0.1" },
        { "n", "5,7,100" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct fr_scale scale = scaled(state, texts[i][0], texts[i][1]);
        struct fr_faults faults = { 0 };
        struct fr_axis axis;

        assert_int_equal(fr_axis_parse(scale.param, texts[i][1], *state, &axis, &faults), FR_OK);
        assert_int_equal(scale.count, axis.count);
        for (size_t k = 0; k < axis.count; k++)
            assert_close(value_at(&scale, k), axis.value[k], 1e-15);
    }
}

TEST(a_range_may_have_a_billion_values)
{
    const struct fr_scale scale = scaled(state, "n", "1..1e9");

    assert_int_equal(scale.count, 1000000000);
    assert_close(value_at(&scale, 999999999), 1e9, 0);
    assert_int_equal(fr_scale_whole(&params[0]).count, scale.count);
}

TEST(a_range_of_vectors_rises_in_every_extent)
{
    const struct fr_scale scale = scaled(state, "grid", "4x4x8..16x16x20..4");
    const struct fr_vector last = { 3, { 16, 16, 20 } }, second = { 3, { 8, 8, 12 } };
    struct box box;

    assert_int_equal(scale.count, 4);
    fr_scale_put(&scale, 3, &box);
    assert_true(fr_vector_equal(&box.grid, &last));
    fr_scale_put(&scale, 1, &box);
    assert_true(fr_vector_equal(&box.grid, &second));
    assert_int_equal(scaled(state, "grid", "4x4..16x16").count, 13);
    assert_int_equal(scaled(state, "grid", "4x4,16x2").count, 2);
}

TEST(what_does_not_rise_or_does_not_fit_is_refused)
{
    static const struct {
        const char *name, *text;
        enum fr_code code;
    } cases[] = {
        { "n", "9..3", FR_RANGE },        { "n", "0..5", FR_RANGE },
        { "n", "1..2e9", FR_RANGE },      { "n", "1..3..0.5", FR_TYPE },
        { "n", "1..", FR_SYNTAX },        { "n", "1..5..2..3", FR_SYNTAX },
        { "n", "5,4", FR_RANGE },         { "share", "0..1e6..1e-12", FR_TOO_MANY_POINTS },
        { "grid", "4x4..8x9", FR_RANGE }, { "grid", "4x4..8x8x8", FR_RANGE },
        { "grid", "8x8..4x4", FR_RANGE }, { "grid", "4x4..8x8..0", FR_SYNTAX },
        { "grid", "4x4..", FR_SYNTAX },   { "grid", "4x4..8x8..2..2", FR_SYNTAX },
        { "grid", "0x4..8x8", FR_RANGE },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fr_param *param = fr_param_find(params, cases[i].name);
        struct fr_faults faults = { 0 };
        struct fr_scale scale = { .count = 77 };

        assert_int_not_equal(fr_scale_parse(param, cases[i].text, *state, &scale, &faults), FR_OK);
        assert_string_equal(faults.fault[0].where, cases[i].name);
        if (faults.fault[0].code != cases[i].code)
            fail_msg("%s: %s: %s", cases[i].text, fr_code_name(faults.fault[0].code),
                     faults.fault[0].message);
        assert_int_equal(scale.count, 77); /* untouched */
    }
}

TEST(a_place_between_is_strictly_between_and_in_order)
{
    static const char *const texts[] = { "1..1e9", "1000..1010", "7,9,100,5000,6000" };
    uint64_t seed = 7;

    for (size_t i = 0; i < 3; i++) {
        const struct fr_scale scale = scaled(state, "n", texts[i]);

        for (size_t k = 0; k < 200; k++) {
            const size_t low = (size_t)random_between(&seed, 0, (int64_t)scale.count - 3);
            const size_t high =
                (size_t)random_between(&seed, (int64_t)low + 2, (int64_t)scale.count - 1);
            size_t before = low + 1;

            for (size_t part = 1; part < 6; part++) {
                const size_t place = fr_scale_between(&scale, low, high, part, 6);

                assert_true(place > low && place < high && place >= before);
                before = place;
            }
        }
    }
    assert_int_equal(fr_scale_between(&(struct fr_scale){ .param = params }, 3, 4, 1, 2), 3);
}

/* Half of the way from 1 to 10^8 by ratio is 10^4; 8192 is the nearest multiple of 4096 there. */
TEST(a_long_range_is_divided_by_ratio_at_a_round_value)
{
    const struct fr_scale scale = scaled(state, "n", "1..1e8");
    const struct fr_scale odd = scaled(state, "n", "64..1e6..64");

    assert_close(value_at(&scale, fr_scale_between(&scale, 0, scale.count - 1, 1, 2)), 8192, 0);
    assert_close(fmod(value_at(&odd, fr_scale_between(&odd, 0, odd.count - 1, 1, 2)), 1024), 0, 0);
}

GROUP(arena_begin, arena_end)
