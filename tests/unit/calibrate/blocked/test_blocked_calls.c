/* The blocked algorithms of tests/validation/blocked give the right result on every shape, and
 * their calls are those of trinv_calls and sylv_calls, in the same order.  So the algorithm that is
 * predicted is the one that runs.
 */
#include "tests/unit/support/check.h"

#include <stdlib.h>

#include "calibrations/calibrate/blocked/sampler.h"
#include "calibrations/calibrate/core/sample.h"
#include "tests/validation/blocked/algorithms.h"
#include "tests/validation/blocked/calls.h"

enum { LD = 48, ELEMENTS = LD * LD };
static const int orders[] = { 1, 5, 8, 17, 40 }, block_sizes[] = { 1, 3, 8, 20, 47 };
enum {
    ORDERS = sizeof orders / sizeof *orders,
    BLOCK_SIZES = sizeof block_sizes / sizeof *block_sizes
};

struct algorithm {
    int is_sylv, variant, has_own_leaf, m, n, b;
};

static double *at(double *matrix, int row, int column)
{
    return &matrix[row + column * LD];
}

static void fill(double *l, double *u, double *c)
{
    struct fr_random random = { 5 };

    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++) {
            const double off = fr_random_centred(&random) / LD;

            *at(l, i, j) = i > j ? off : i == j ? 1 : 0;
            *at(u, i, j) = i < j ? off : i == j ? 1 : 0;
            *at(c, i, j) = fr_random_centred(&random);
        }
}

/* The residual, L X - I or L X + X U - C. */
static double residual(const struct algorithm *a, double *l, double *u, double *c, double *x)
{
    double most = 0;

    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++) {
            double sum = a->is_sylv ? -*at(c, i, j) : -(i == j);

            for (int k = 0; k <= i; k++)
                sum += *at(l, i, k) * *at(x, k, j);
            for (int k = 0; k <= j && a->is_sylv; k++)
                sum += *at(x, i, k) * *at(u, k, j);
            most = fmax(most, fabs(sum));
        }
    return most;
}

static bool list(const void *arguments, blocked_visit *visit, void *context)
{
    const struct algorithm *a = arguments;

    if (a->is_sylv)
        return sylv_calls(a->variant, a->m, a->n, a->b,
                          a->has_own_leaf ? SYLV_LEAF_OWN : SYLV_LEAF_COMMON, visit, context);
    return trinv_calls(a->variant, a->n, a->b, visit, context);
}

/* Executes an algorithm; returns its calls, which the caller frees. */
static struct calls made_by(const struct algorithm *a)
{
    static double l[ELEMENTS], u[ELEMENTS], c[ELEMENTS], x[ELEMENTS];
    struct calls calls = { .leading = LD, .elements = ELEMENTS, .matrix = { x } };

    if (a->is_sylv) {
        calls.matrix[0] = l;
        calls.matrix[1] = u;
        calls.matrix[2] = x;
    }
    fill(l, u, c);
    memcpy(x, a->is_sylv ? c : l, sizeof x);
    calls_record(&calls);
    if (a->is_sylv)
        sylv_blocked(a->variant, a->has_own_leaf, a->m, a->n, a->b, l, u, x, LD);
    else
        trinv_blocked(a->variant, a->n, a->b, x, LD);
    calls_record(NULL);
    if (!(residual(a, l, u, c, x) < 1e-13))
        fail_msg("%s variant %d, %d x %d, b = %d: residual %g", a->is_sylv ? "sylv" : "trinv",
                 a->variant, a->m, a->n, a->b, residual(a, l, u, c, x));
    return calls;
}

/* The operands of a call have the shapes that its sizes say. */
static bool check_shape(void *context, const struct blocked_call *call)
{
    const struct fr_execution execution = fr_execution_of(call);

    (void)context;
    assert_int_equal(call->operands, execution.executor->operands);
    for (size_t i = 0; i < call->operands; i++) {
        assert_int_equal(call->operand[i].rows, execution.operand[i].rows);
        assert_int_equal(call->operand[i].columns, execution.operand[i].columns);
    }
    return true;
}

static void check(const struct algorithm *a)
{
    struct calls calls = made_by(a);
    char why[300];

    if (!calls_agree(&calls, list, a, why, sizeof why))
        fail_msg("%s variant %d, %d x %d, b = %d: %s", a->is_sylv ? "sylv" : "trinv", a->variant,
                 a->m, a->n, a->b, why);
    assert_true(list(a, check_shape, NULL));
    free(calls.call);
}

TEST(trinv_is_executed_as_predicted)
{
    for (int variant = 1; variant <= TRINV_VARIANTS; variant++)
        for (int i = 0; i < ORDERS; i++)
            for (int k = 0; k < BLOCK_SIZES; k++)
                check(&(struct algorithm){
                    .variant = variant, .m = orders[i], .n = orders[i], .b = block_sizes[k] });
}

static void check_shapes(int variant, int has_own_leaf)
{
    for (int i = 0; i < ORDERS; i++)
        for (int j = 0; j < ORDERS; j++)
            for (int k = 0; k < BLOCK_SIZES; k++)
                check(&(struct algorithm){ 1, variant, has_own_leaf, orders[i], orders[j],
                                           block_sizes[k] });
}

TEST(sylv_is_executed_as_predicted)
{
    for (int variant = 1; variant <= SYLV_VARIANTS; variant++) {
        check_shapes(variant, 0);
        check_shapes(variant, 1);
    }
}

/* Compares the calls of an algorithm with those of another one. */
static void check_differ(const struct algorithm *a, const struct algorithm *other)
{
    struct calls calls = made_by(a);
    char why[300] = "";

    assert_false(calls_agree(&calls, list, other, why, sizeof why));
    assert_true(strlen(why) > 0);
    free(calls.call);
}

TEST(other_calls_are_told_apart)
{
    const struct algorithm inverse = { 0, 1, 0, 40, 40, 8 }, solve = { 1, 1, 0, 40, 40, 8 };
    struct algorithm other = inverse;

    other.b = 20;
    check_differ(&inverse, &other);
    check_differ(&other, &inverse);
    for (other = inverse, other.variant = 2; other.variant <= TRINV_VARIANTS; other.variant++)
        check_differ(&inverse, &other);
    for (other = solve, other.variant = 2; other.variant <= SYLV_VARIANTS; other.variant++)
        check_differ(&solve, &other);
    other = solve;
    other.has_own_leaf = 1;
    check_differ(&solve, &other);
}

int main(void)
{
    return unit_tests_run("test_blocked_calls");
}
