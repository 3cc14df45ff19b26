/* The regression beyond the measured process counts
 * (docs/models/dense.md#decision-extrapolated-contention-does-not-fall). */
#include "engine/lookup/lookup.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

TEST(one_point_is_a_constant)
{
    const double x[] = { 4 }, y[] = { 7.5 };

    assert_close(fr_fit_quadratic(x, y, 1, 4), 7.5, 0);
    assert_close(fr_fit_quadratic(x, y, 1, -100), 7.5, 0);
}

/* 7.86 at 1,024 and 9.14 at 4,096 processes; the line reaches 11.7 at 65,536. */
TEST(two_points_are_a_line)
{
    const double x[] = { 10, 12 }, y[] = { 7.86, 9.14 };

    assert_close(fr_fit_quadratic(x, y, 2, 16), 11.7, 1e-14);
    assert_close(fr_fit_quadratic(x, y, 2, 10), 7.86, 1e-14);
    assert_close(fr_fit_quadratic(x, y, 2, 11), 8.5, 1e-14);
}

TEST(three_points_are_met_exactly)
{
    uint64_t random = draws_from(5);

    for (int i = 0; i < draws_of(1000); i++) {
        const double x[] = { random_share(&random), 2 + random_share(&random),
                             4 + random_share(&random) };
        const double y[] = { random_share(&random), random_share(&random), random_share(&random) };

        for (int j = 0; j < 3; j++)
            assert_true(fabs(fr_fit_quadratic(x, y, 3, x[j]) - y[j]) < 1e-12);
    }
}

TEST(a_quadratic_is_recovered_from_any_number_of_points)
{
    uint64_t random = draws_from(6);

    for (int i = 0; i < draws_of(1000); i++) {
        const double a = random_share(&random), b = random_share(&random) - 0.5;
        const double c = random_share(&random) * 0.1;
        const size_t count = (size_t)random_between(&random, 3, FR_MAX_CURVES);
        double x[FR_MAX_CURVES], y[FR_MAX_CURVES], at;

        for (size_t j = 0; j < count; j++) {
            x[j] = (j ? x[j - 1] : 0) + 0.1 + random_share(&random);
            y[j] = a + b * x[j] + c * x[j] * x[j];
        }
        at = x[count - 1] + 6;
        assert_close(fr_fit_quadratic(x, y, count, at), a + b * at + c * at * at, 1e-9);
    }
}

/* 0, 1, 0, 1 over 0 … 3 has the best quadratic 0.2 + 0.2 x + 0 x^2. */
TEST(other_points_are_fitted_by_least_squares)
{
    const double x[] = { 0, 1, 2, 3 }, y[] = { 0, 1, 0, 1 };

    assert_close(fr_fit_quadratic(x, y, 4, 0), 0.2, 1e-13);
    assert_close(fr_fit_quadratic(x, y, 4, 5), 1.2, 1e-13);
}

/* Changing any coefficient increases the sum of squares. */
TEST(no_other_quadratic_is_closer)
{
    uint64_t random = draws_from(8);

    for (int i = 0; i < draws_of(200); i++) {
        double x[8], y[8], p0, p1, pm, c, b, a, best = 0;

        for (int j = 0; j < 8; j++) {
            x[j] = j + random_share(&random);
            y[j] = random_share(&random);
        }
        p0 = fr_fit_quadratic(x, y, 8, 0);
        p1 = fr_fit_quadratic(x, y, 8, 1);
        pm = fr_fit_quadratic(x, y, 8, -1);
        c = p0;
        b = (p1 - pm) / 2;
        a = (p1 + pm) / 2 - p0;
        for (int j = 0; j < 8; j++)
            best += pow(y[j] - (c + b * x[j] + a * x[j] * x[j]), 2);
        for (int k = 0; k < 6; k++) {
            const double step = k % 2 ? 1e-3 : -1e-3;
            double moved = 0;

            for (int j = 0; j < 8; j++)
                moved += pow(y[j] - (c + (k / 2 == 0) * step + (b + (k / 2 == 1) * step) * x[j] +
                                     (a + (k / 2 == 2) * step) * x[j] * x[j]),
                             2);
            assert_true(moved > best);
        }
    }
}
