/* The reuse of operands: shares by distance, and the weights of sequences that can be worked out by
 * hand. */
#include "tests/unit/support/check.h"

#include "engine/blocked/blocked.h"
#include "engine/blocked/routine.h"

/* Nothing up to 1 KiB, half of the cost of memory at 4 KiB, all of it at 64 KiB. */
static struct fr_reuse rows[] = { { 1024, 0 }, { 4096, 0.5 }, { 65536, 1 } };
static const struct fr_calibration *cal(void)
{
    static const double log2_bytes[] = { 10, 12, 16 }, shares[] = { 0, 0.5, 1 };
    static struct fr_calibration calibration;

    calibration.reuse = (struct fr_curve){ log2_bytes, shares, 3 };
    calibration.kernels.reuse.row = rows;
    calibration.kernels.reuse.count = 3;
    return &calibration;
}

TEST(a_share_is_linear_in_the_logarithm_of_the_distance)
{
    assert_close(blocked_reuse_share(cal(), 0), 0, 0);
    assert_close(blocked_reuse_share(cal(), 512), 0, 0);
    assert_close(blocked_reuse_share(cal(), 1024), 0, 0);
    assert_close(blocked_reuse_share(cal(), 2048), 0.25, 1e-12);
    assert_close(blocked_reuse_share(cal(), 4096), 0.5, 1e-12);
    assert_close(blocked_reuse_share(cal(), 16384), 0.75, 1e-12);
    assert_close(blocked_reuse_share(cal(), 65536), 1, 1e-12);
    assert_close(blocked_reuse_share(cal(), 1e9), 1, 0);
}

/* Products of blocks of 8: C of matrix 2, A and B of matrices 0 and 1, by the rows where they
 * begin.  Each operand has 512 bytes, a call 1536. */
struct product {
    int64_t a, b, c;
};

static struct blocked_call call_of(const struct product *product)
{
    return (struct blocked_call){
        .kernel = { blocked_routine_find("dgemm"), "NN" },
        .size = { 8, 8, 8 },
        .alpha = 1,
        .operands = 3,
        .operand = { { 0, product->a, 0, 8, 8, BLOCKED_FULL },
                     { 1, product->b, 0, 8, 8, BLOCKED_FULL },
                     { 2, product->c, 0, 8, 8, BLOCKED_FULL } },
    };
}

static const struct product products[] = { { 0, 0, 0 }, { 0, 0, 0 }, { 8, 8, 8 }, { 0, 8, 8 } };
enum { PRODUCTS = sizeof products / sizeof *products };

static bool calls(const void *values, blocked_visit *visit, void *context)
{
    (void)values;
    for (int i = 0; i < PRODUCTS; i++) {
        const struct blocked_call call = call_of(&products[i]);

        if (!visit(context, &call))
            return false;
    }
    return true;
}

static void weigh(bool is_warm, double weight[PRODUCTS])
{
    struct blocked_reuse reuse;

    assert_int_equal(blocked_reuse_open(&reuse, cal(), calls, NULL, is_warm), 0);
    for (int i = 0; i < PRODUCTS; i++) {
        const struct blocked_call call = call_of(&products[i]);

        weight[i] = blocked_reuse_weight(&reuse, &call);
    }
    blocked_reuse_close(&reuse);
}

/* The share of bytes, less that of 1536 bytes, which a repeated call has too. */
static double excess(double bytes)
{
    const double repeated = blocked_reuse_share(cal(), 1536);

    return (blocked_reuse_share(cal(), bytes) - repeated) / (1 - repeated);
}

TEST(operands_cost_by_how_long_ago_they_were_used)
{
    double weight[PRODUCTS];

    weigh(false, weight);
    assert_close(weight[0], 1, 0); /* never used before */
    assert_close(weight[1], 0, 0); /* all used by the call before */
    assert_close(weight[2], 1, 0);
    assert_close(weight[3], excess(3072) / 3, 1e-12); /* A: two calls ago, but 3072 bytes in all */
}

TEST(after_the_same_algorithm_operands_are_where_it_left_them)
{
    double weight[PRODUCTS];

    weigh(true, weight);
    /* A: used by the last call; B and C: three calls ago, 4608 bytes, but only 3072 differ. */
    assert_close(weight[0], 2 * excess(3072) / 3, 1e-12);
    assert_close(weight[1], 0, 0);
    /* B and C: three calls ago; A: four. */
    assert_close(weight[2], excess(3072), 1e-12);
    assert_close(weight[3], excess(3072) / 3, 1e-12);
}

static bool trinv(const void *values, blocked_visit *visit, void *context)
{
    const int64_t *n = values;

    return trinv_calls(3, *n, 8, visit, context);
}

struct weighing {
    struct blocked_reuse reuse;
    double least, most, sum;
};

static bool weigh_call(void *context, const struct blocked_call *call)
{
    struct weighing *weighing = context;

    if (!blocked_call_is_empty(call)) {
        const double weight = blocked_reuse_weight(&weighing->reuse, call);

        weighing->least = fmin(weighing->least, weight);
        weighing->most = fmax(weighing->most, weight);
        weighing->sum += weight;
    }
    return true;
}

static struct weighing weighed(int64_t n, bool is_warm)
{
    struct weighing weighing = { .least = 1 };

    assert_int_equal(blocked_reuse_open(&weighing.reuse, cal(), trinv, &n, is_warm), 0);
    trinv(&n, weigh_call, &weighing);
    blocked_reuse_close(&weighing.reuse);
    return weighing;
}

TEST(a_matrix_that_fits_costs_nothing_and_a_cold_one_more)
{
    assert_close(weighed(8, true).sum, 0, 0);
    for (int64_t n = 8; n <= 2000; n += 83) {
        const struct weighing warm = weighed(n, true), cold = weighed(n, false);

        assert_true(warm.least >= 0 && warm.most <= 1 && cold.least >= 0 && cold.most <= 1);
        if (n < 100)
            assert_true(cold.sum > warm.sum);
    }
}

static bool without_operands(const void *values, blocked_visit *visit, void *context)
{
    const struct blocked_call call = { .kernel = { blocked_routine_find("dgemm"), "NN" },
                                       .size = { 8, 8, 8 },
                                       .alpha = 1 };

    (void)values;
    return visit(context, &call);
}

TEST(calls_without_operands_are_refused)
{
    struct blocked_reuse reuse;

    assert_int_equal(blocked_reuse_open(&reuse, cal(), without_operands, NULL, true), -1);
}
