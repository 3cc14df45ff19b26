/* The unblocked kernels give the right result for every size, for rectangular operands too, inside
 * a larger matrix.
 */
#include "tests/unit/support/check.h"

#include <stdlib.h>

#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/sample.h"

/* Larger than any order, so that other data lies between the columns. */
enum { LD = 34, ELEMENTS = LD * LD };
static const int orders[] = { 1, 2, 3, 7, 16, 33 };
enum { ORDERS = sizeof orders / sizeof *orders };
static const double untouched = 1e300;

static double *at(double *matrix, int row, int column)
{
    return &matrix[row + column * LD];
}

/* A well-conditioned triangle; elements outside it must be neither read nor written. */
static void fill_triangle(struct fr_random *random, int n, int is_upper, double *out)
{
    for (int i = 0; i < ELEMENTS; i++)
        out[i] = untouched;
    for (int j = 0; j < n; j++)
        for (int i = is_upper ? 0 : j; i < (is_upper ? j + 1 : n); i++)
            *at(out, i, j) =
                i == j ? 1 + 0.3 * fr_random_centred(random) : fr_random_centred(random) / n;
}

static void fill(struct fr_random *random, int m, int n, double *out)
{
    for (int i = 0; i < ELEMENTS; i++)
        out[i] = untouched;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            *at(out, i, j) = fr_random_centred(random);
}

/* Whether an element may be written: 1 in the lower triangle of order n, else 0. */
static int is_lower(int n, int i, int j)
{
    return i < n && j <= i;
}

static void check_inverse(int variant, int n)
{
    struct fr_random random = { 1 + (uint64_t)n };
    double l[ELEMENTS], inverse[ELEMENTS];

    fill_triangle(&random, n, 0, l);
    memcpy(inverse, l, sizeof l);
    fr_unblocked_trinv(variant, n, inverse, LD);
    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++) {
            double sum = 0;

            if (!is_lower(n, i, j)) {
                assert_true(*at(inverse, i, j) == untouched);
                continue;
            }
            for (int k = j; k <= i; k++)
                sum += *at(l, i, k) * *at(inverse, k, j);
            if (fabs(sum - (i == j)) > 1e-13)
                fail_msg("variant %d, n = %d: L L^-1 is %g at %d, %d", variant, n, sum, i, j);
        }
}

TEST(triangles_are_inverted)
{
    for (int variant = 1; variant <= 4; variant++)
        for (int i = 0; i < ORDERS; i++)
            check_inverse(variant, orders[i]);
}

/* Variant 0 is the kernel common to all variants. */
static void check_solution(int variant, int m, int n)
{
    struct fr_random random = { 1 + (uint64_t)(m + 40 * n) };
    double l[ELEMENTS], u[ELEMENTS], c[ELEMENTS], x[ELEMENTS];

    fill_triangle(&random, m, 0, l);
    fill_triangle(&random, n, 1, u);
    fill(&random, m, n, c);
    memcpy(x, c, sizeof x);
    if (variant)
        fr_unblocked_sylv_own(variant, m, n, l, LD, u, LD, x, LD);
    else
        fr_unblocked_sylv(m, n, l, LD, u, LD, x, LD);
    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++) {
            double residual = -*at(c, i, j);

            if (i >= m || j >= n) {
                assert_true(*at(x, i, j) == untouched);
                continue;
            }
            for (int k = 0; k <= i; k++)
                residual += *at(l, i, k) * *at(x, k, j);
            for (int k = 0; k <= j; k++)
                residual += *at(x, i, k) * *at(u, k, j);
            if (!(fabs(residual) < 1e-13))
                fail_msg("variant %d, %d x %d: L X + X U - C is %g at %d, %d", variant, m, n,
                         residual, i, j);
        }
}

TEST(sylvester_equations_are_solved)
{
    for (int variant = 0; variant <= 16; variant++)
        for (int i = 0; i < ORDERS; i++)
            for (int j = 0; j < ORDERS; j++)
                check_solution(variant, orders[i], orders[j]);
}
