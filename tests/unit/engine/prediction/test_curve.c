/* Measured curves and the lookups on them: kernels by threads, contention by processes. */
#include "engine/lookup/lookup.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

TEST(a_curve_is_linear_between_its_points_and_constant_outside)
{
    static const double x[] = { 1, 2, 4, 8 }, y[] = { 10, 20, 0, 100 };
    const struct fr_curve curve = { x, y, 4 };

    for (size_t i = 0; i < 4; i++)
        assert_true(fr_curve_at(&curve, x[i]) == y[i]);
    assert_close(fr_curve_at(&curve, 1.5), 15, 1e-15);
    assert_close(fr_curve_at(&curve, 3), 10, 1e-15);
    assert_close(fr_curve_at(&curve, 5), 25, 1e-15);
    assert_close(fr_curve_at(&curve, -1e9), 10, 0);
    assert_close(fr_curve_at(&curve, 1e9), 100, 0);
    assert_true(fr_curve_covers(&curve, 1) && fr_curve_covers(&curve, 8));
    assert_false(fr_curve_covers(&curve, 0.999) || fr_curve_covers(&curve, 8.001));
}

TEST(a_curve_of_one_point_is_constant)
{
    static const double x[] = { 3 }, y[] = { 7 };
    const struct fr_curve curve = { x, y, 1 };

    assert_close(fr_curve_at(&curve, 2), 7, 0);
    assert_close(fr_curve_at(&curve, 3), 7, 0);
    assert_close(fr_curve_at(&curve, 4), 7, 0);
    assert_true(fr_curve_covers(&curve, 3));
    assert_false(fr_curve_covers(&curve, 3.1));
}

TEST(a_long_curve_is_found_at_every_point)
{
    static double x[1000], y[1000];
    const struct fr_curve curve = { x, y, 1000 };
    uint64_t random = draws_from(9);

    for (int i = 0; i < 1000; i++) {
        x[i] = (i ? x[i - 1] : 0) + 0.01 + random_share(&random);
        y[i] = random_share(&random);
    }
    for (int i = 0; i < 1000; i++) {
        assert_true(fr_curve_at(&curve, x[i]) == y[i]);
        if (i)
            assert_true(fabs(fr_curve_at(&curve, (x[i - 1] + x[i]) / 2) - (y[i - 1] + y[i]) / 2) <
                        1e-9);
    }
}

struct lookup {
    struct fr_arena *arena;
    const struct fr_calibration *cal;
    struct fr_prediction out;
    struct fr_evaluation run;
};

/* One core does 1 flop/s.  dgemm: 1 thread 0.25 at 4, 0.75 at 16; 3 threads 0.5 at 4 and 16. */
static const char measured[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'm',"
    " 'node': {'cores_per_node': 4, 'peak_flops_per_s': 4},"
    " 'contention': {"
    "   'average': [{'distance': 4, 'factor': 2}, {'distance': 1, 'factor': 1}],"
    "   'maximum': [{'processes': 4, 'distance': 1, 'factor': 1},"
    "               {'processes': 4, 'distance': 4, 'factor': 2},"
    "               {'processes': 16, 'distance': 1, 'factor': 2},"
    "               {'processes': 16, 'distance': 16, 'factor': 6}]},"
    " 'kernels': {'dgemm': {'square': ["
    "   {'threads': 1, 'n': 4, 'efficiency_fraction': 0.25},"
    "   {'threads': 1, 'n': 16, 'efficiency_fraction': 0.75},"
    "   {'threads': 3, 'n': 4, 'efficiency_fraction': 0.5},"
    "   {'threads': 3, 'n': 16, 'time_s': 5461.333333333333}]}}}";

static int begin(void **state)
{
    static struct lookup lookup;

    lookup.arena = fr_arena_new(1 << 20);
    lookup.cal = calibration_of(measured, lookup.arena);
    lookup.run =
        (struct fr_evaluation){ .cal = lookup.cal, .arena = lookup.arena, .out = &lookup.out };
    fr_prediction_clear(&lookup.out);
    *state = &lookup;
    return 0;
}

/* The efficiency that gives the kernel's time. */
static double efficiency(struct lookup *l, double n, double threads)
{
    fr_prediction_clear(&l->out);
    return 2 * n * n * n / (fr_kernel_s(&l->run, FR_DGEMM, FR_DOUBLE, n, threads) * threads);
}

#define CASE(name) TEST_OF(name, struct lookup *l, NULL, NULL)

CASE(a_kernel_is_linear_in_the_logarithm_of_n)
{
    assert_close(efficiency(l, 4, 1), 0.25, 1e-15);
    assert_close(efficiency(l, 8, 1), 0.5, 1e-15);
    assert_close(efficiency(l, 16, 1), 0.75, 1e-15);
    assert_close(efficiency(l, exp2(2.5), 1), 0.375, 1e-14);
    assert_int_equal(l->out.warning_count, 0);
    assert_close(efficiency(l, 32, 1), 0.75, 1e-15);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "kernels.dgemm.n"));
    assert_close(efficiency(l, 2, 1), 0.25, 1e-15);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "kernels.dgemm.n"));
    assert_true(l->out.used == FR_USE(DGEMM));
}

CASE(a_kernel_is_linear_between_measured_thread_counts)
{
    assert_close(efficiency(l, 16, 3), 0.5, 1e-15);
    assert_close(efficiency(l, 4, 2), 0.375, 1e-15);
    assert_close(efficiency(l, 16, 2), 0.625, 1e-15);
    assert_int_equal(l->out.warning_count, 0);
    assert_close(efficiency(l, 16, 4), 0.5, 1e-15);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "kernels.dgemm.threads"));
    assert_int_equal(l->out.warning_count, 1);
}

CASE(the_average_factor_is_linear_in_the_logarithm_of_distance)
{
    fr_prediction_clear(&l->out);
    assert_close(fr_contention_average(&l->run, 1), 1, 0);
    assert_close(fr_contention_average(&l->run, 2), 1.5, 1e-15);
    assert_close(fr_contention_average(&l->run, 4), 2, 0);
    assert_int_equal(l->out.warning_count, 0);
    assert_close(fr_contention_average(&l->run, 8), 2, 0);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.average"));
}

static double maximum(struct lookup *l, double processes, double distance)
{
    fr_prediction_clear(&l->out);
    return fr_contention_maximum(&l->run, processes, distance);
}

CASE(a_measured_process_count_is_read_on_its_own_curve)
{
    assert_close(maximum(l, 4, 2), 1.5, 1e-15);
    assert_close(maximum(l, 16, 4), 4, 1e-15);
    assert_int_equal(l->out.warning_count, 0);
    assert_close(maximum(l, 4, 16), 2, 0);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.maximum.distance"));
    assert_int_equal(l->out.warning_count, 1);
}

CASE(a_count_between_two_is_linear_in_its_logarithm)
{
    assert_close(maximum(l, 8, 1), 1.5, 1e-15);
    assert_close(maximum(l, 8, 4), 3, 1e-15);
    assert_int_equal(l->out.warning_count, 0);
}

CASE(only_counts_measured_at_the_distance_are_used)
{
    /* Distance 8 was measured on 16 processes only; their factor holds for fewer too. */
    assert_close(maximum(l, 8, 8), 5, 1e-15);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.maximum.processes"));
    assert_int_equal(l->out.warning_count, 1);
    /* No count was measured at distance 32: all are used, each at its largest distance. */
    assert_close(maximum(l, 8, 32), 4, 1e-15);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.maximum.distance"));
    assert_int_equal(l->out.warning_count, 1);
    assert_close(l->out.warning[0].high, 16, 0); /* the largest of all counts */
}

CASE(below_the_least_count_its_value_holds)
{
    assert_close(maximum(l, 2, 4), 2, 0);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.maximum.processes"));
}

CASE(above_the_largest_count_the_fit_holds_but_never_less_than_measured)
{
    /* 1 at log2 p = 2, 2 at 4: a line, 3 at 6. */
    assert_close(maximum(l, 64, 1), 3, 1e-14);
    assert_true(has_warning(&l->out, FR_WARN_EXTRAPOLATED, "contention.maximum.processes"));
    assert_true(l->out.used == FR_USE(CONTENTION_MAXIMUM));
}

CASE(a_falling_fit_is_held_at_the_last_measurement)
{
    static const char falling[] =
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'contention': {'maximum': ["
        " {'processes': 4, 'distance': 1, 'factor': 3}, {'processes': 16, 'distance': 1,"
        " 'factor': 2}]}}";
    struct fr_evaluation run = { .cal = calibration_of(falling, l->arena),
                                 .arena = l->arena,
                                 .out = &l->out };

    fr_prediction_clear(&l->out);
    assert_close(fr_contention_maximum(&run, 64, 1), 2, 0);
}

GROUP(begin, place_end)
