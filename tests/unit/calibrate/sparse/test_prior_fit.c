/* The fit of the constants of sparse LU with a prior: golden cases within 1e-9, and properties of
 * the minimum (docs/models/sparse_lu.md#fit-with-a-window). */
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/sparse/prior_fit.h"

#include "tests/unit/support/golden.h"

static json_t *golden;

static const double prior[FR_CONSTANTS] = { 1, 1.6, 5e-10, 4e-8, 6e-9, 3e-6 };

/* ---- golden cases ---- */

static double number(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    return value ? json_number_value(value) : NAN;
}

/* Numbers from 0 on for the names of matrices, in their order. */
static int matrix_of(json_t *samples, size_t which)
{
    json_t *name = json_object_get(json_array_get(samples, which), "matrix");

    for (size_t i = 0; i < which; i++)
        if (json_equal(json_object_get(json_array_get(samples, i), "matrix"), name))
            return (int)i;
    return (int)which;
}

static void without_parts(struct fr_fit_sample *sample)
{
    for (int j = 0; j < FR_CONSTANTS; j++)
        sample->part_s[j] = NAN;
}

static int read_samples(json_t *item, struct fr_fit_sample *sample)
{
    json_t *samples = json_object_get(item, "samples");

    assert_in_range(json_array_size(samples), 1, FR_EQUATIONS_MAX);
    for (size_t i = 0; i < json_array_size(samples); i++) {
        json_t *from = json_array_get(samples, i), *amounts = json_object_get(from, "amounts");

        assert_int_equal(json_array_size(amounts), FR_CONSTANTS);
        sample[i] = (struct fr_fit_sample){ .matrix = matrix_of(samples, i),
                                            .equation.time_s = number(from, "time_s") };
        without_parts(&sample[i]);
        sample[i].part_s[FR_BY_GEMM] = number(from, "gemm_s");
        sample[i].part_s[FR_BY_PANEL] = number(from, "panel_s");
        for (size_t j = 0; j < FR_CONSTANTS; j++)
            sample[i].equation.amount[j] = json_number_value(json_array_get(amounts, j));
    }
    return (int)json_array_size(samples);
}

/* Relative also for constants of nanoseconds. */
static void check_list(json_t *expected, const double *found, int count)
{
    assert_int_equal(json_array_size(expected), count);
    for (int i = 0; i < count; i++)
        assert_close(found[i] / json_number_value(json_array_get(expected, (size_t)i)), 1, 1e-9);
}

TEST(golden_fits_come_out)
{
    static const char *const bounds[] = {
        [FR_WITHIN] = "", [FR_AT_FLOOR] = "floor", [FR_AT_CEILING] = "ceiling"
    };
    json_t *item;
    size_t at, cases = 0;

    json_array_foreach(json_object_get(golden, "cases"), at, item)
    {
        json_t *expected = json_object_get(item, "expect"),
               *at_bound = json_object_get(expected, "at_bound");
        struct fr_fit_sample sample[FR_EQUATIONS_MAX];
        struct fr_prior_fit fit;
        double of_prior[FR_CONSTANTS];
        const int count = read_samples(item, sample);

        assert_close(number(item, "ridge"), 0.003, 0);
        for (size_t j = 0; j < FR_CONSTANTS; j++)
            of_prior[j] = json_number_value(json_array_get(json_object_get(item, "prior"), j));
        fr_prior_fit(sample, count, of_prior, &fit);
        check_list(json_object_get(expected, "constants"), fit.constant, FR_CONSTANTS);
        check_list(json_object_get(expected, "prior_share"), fit.prior_share, FR_CONSTANTS);
        check_list(json_object_get(expected, "factors"), fit.factor, count);
        assert_close(fit.left_out_median, number(expected, "left_out_median"), 1e-9);
        assert_close(fit.left_out_worst, number(expected, "left_out_worst"), 1e-9);
        for (size_t j = 0; j < FR_CONSTANTS; j++)
            assert_string_equal(bounds[fit.bound[j]],
                                json_string_value(json_array_get(at_bound, j)));
        cases++;
    }
    assert_int_equal(cases, 3);
}

/* ---- properties ---- */

enum { COUNT = 20 };

/* Samples of random amounts that take exactly these constants. */
static void make(struct fr_fit_sample *sample, const double *constant, uint64_t seed)
{
    struct fr_random random = { seed };

    for (int i = 0; i < COUNT; i++) {
        double *amount = sample[i].equation.amount;

        for (int j = 0; j < FR_CONSTANTS; j++)
            amount[j] = (0.6 + fr_random_centred(&random)) / prior[j];
        sample[i].matrix = i / 2;
        sample[i].equation.time_s = fr_equation_s(&sample[i].equation, constant);
        without_parts(&sample[i]);
        sample[i].part_s[FR_BY_GEMM] = amount[FR_BY_GEMM] * constant[FR_BY_GEMM];
        sample[i].part_s[FR_BY_PANEL] = amount[FR_BY_PANEL] * constant[FR_BY_PANEL];
    }
}

TEST(times_of_the_prior_give_the_prior)
{
    struct fr_fit_sample sample[COUNT];
    struct fr_prior_fit fit;

    make(sample, prior, 3);
    fr_prior_fit(sample, COUNT, prior, &fit);
    for (int j = 0; j < FR_CONSTANTS; j++) {
        assert_close(fit.constant[j] / prior[j], 1, 1e-9);
        assert_int_equal(fit.bound[j], FR_WITHIN);
        assert_true(fit.prior_share[j] > 0 && fit.prior_share[j] < 1);
    }
    assert_close(fit.worst, 1, 1e-9);
    assert_close(fit.left_out_worst, 1, 1e-9);
}

/* The panel alone takes twenty times the prior, which is out of range. */
TEST(constants_stay_within_their_range)
{
    struct fr_fit_sample sample[COUNT];
    struct fr_prior_fit fit;

    make(sample, prior, 5);
    for (int i = 0; i < COUNT; i++) {
        struct fr_equation *equation = &sample[i].equation;
        const double panel_s = equation->amount[FR_BY_PANEL];

        *equation = (struct fr_equation){ .amount[FR_BY_PANEL] = panel_s };
        equation->time_s = sample[i].part_s[FR_BY_PANEL] = 20 * prior[FR_BY_PANEL] * panel_s;
        sample[i].part_s[FR_BY_GEMM] = 0;
    }
    fr_prior_fit(sample, COUNT, prior, &fit);
    assert_int_equal(fit.bound[FR_BY_PANEL], FR_AT_CEILING);
    assert_close(fit.constant[FR_BY_PANEL], 10 * prior[FR_BY_PANEL], 1e-12);
    assert_close(fit.worst, 2, 1e-12);
    assert_close(fit.constant[FR_BY_GEMM], prior[FR_BY_GEMM], 1e-12);
    assert_close(fit.prior_share[FR_BY_GEMM], 1, 1e-12);
}

/* Where gemm and scatter have proportional amounts, only the measured part tells them apart. */
TEST(parts_tell_proportional_amounts_apart)
{
    static const double known[FR_CONSTANTS] = { 3, 1.6, 1e-10, 4e-8, 6e-9, 3e-6 };
    struct fr_fit_sample sample[COUNT];
    struct fr_prior_fit with, without;

    make(sample, known, 7);
    for (int i = 0; i < COUNT; i++) {
        struct fr_equation *equation = &sample[i].equation;

        equation->amount[FR_BY_SCATTER] = 2e9 * equation->amount[FR_BY_GEMM];
        equation->time_s = fr_equation_s(equation, known);
    }
    fr_prior_fit(sample, COUNT, prior, &with);
    for (int i = 0; i < COUNT; i++)
        without_parts(&sample[i]);
    fr_prior_fit(sample, COUNT, prior, &without);
    assert_true(fabs(with.constant[FR_BY_GEMM] - 3) < 0.5 * fabs(without.constant[FR_BY_GEMM] - 3));
    assert_true(without.prior_share[FR_BY_GEMM] > with.prior_share[FR_BY_GEMM]);
}

/* Solves have four constants: the other two have no amount, and leave the result alone. */
TEST(fewer_constants_leave_the_others_at_their_prior)
{
    static const double four[FR_CONSTANTS] = { 7e-10, 3e-10, 6e-8, 2e-7, 1, 1 };
    static const double known[FR_CONSTANTS] = { 9e-10, 2e-10, 8e-8, 3e-7, 1, 1 };
    struct fr_fit_sample sample[COUNT];
    struct fr_random random = { 13 };
    struct fr_prior_fit fit;

    for (int i = 0; i < COUNT; i++) {
        sample[i] = (struct fr_fit_sample){ .matrix = i };
        without_parts(&sample[i]);
        for (int j = 0; j < 4; j++)
            sample[i].equation.amount[j] = (0.6 + fr_random_centred(&random)) / four[j];
        sample[i].equation.time_s = fr_equation_s(&sample[i].equation, known);
    }
    fr_prior_fit(sample, COUNT, four, &fit);
    for (int j = 0; j < 4; j++)
        assert_true(fabs(fit.constant[j] - known[j]) < fabs(four[j] - known[j]));
    for (int j = 4; j < FR_CONSTANTS; j++) {
        assert_close(fit.constant[j], 1, 1e-12);
        assert_close(fit.prior_share[j], 1, 1e-12);
    }
    assert_true(fit.worst < 1.03);
}

/* Without samples of other matrices there is no error to report. */
TEST(one_matrix_leaves_none_to_compare)
{
    struct fr_fit_sample sample[COUNT];
    struct fr_prior_fit fit;

    make(sample, prior, 9);
    fr_prior_fit(sample, 2, prior, &fit);
    assert_true(fit.worst >= fit.median && fit.median >= 1);
    assert_true(isnan(fit.left_out_median) && isnan(fit.left_out_worst));
}

static int open_golden(void **state)
{
    (void)state;
    golden = golden_load("sparse-window-fit.json");
    return golden ? 0 : -1;
}

static int close_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

GROUP(open_golden, close_golden)
