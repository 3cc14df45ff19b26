/* Prediction intervals: their coverage on random runs. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

enum shape { LOGNORMAL, SKEWED, BIASED, SHAPES };

/* The logarithm of measured / predicted. */
static double error_of(enum shape shape, uint64_t *random)
{
    switch (shape) {
    case SKEWED: /* never much faster than predicted, sometimes much slower */
        return -0.3 * log(draw_uniform(random)) - 0.1;
    case BIASED:
        return 0.5 + 0.1 * draw_normal(random);
    case LOGNORMAL:
    case SHAPES:
        break;
    }
    return 0.2 * draw_normal(random);
}

static struct fr_residual run_of(enum shape shape, uint64_t *random)
{
    const double predicted = exp(8 * draw_uniform(random));

    return (struct fr_residual){ .measured = predicted * exp(error_of(shape, random)),
                                 .predicted = predicted };
}

static void fill(struct fr_residual *residual, size_t count, enum shape shape, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        residual[i] = run_of(shape, random);
}

enum { MOST = 400 };

/* The share of new runs within an interval from `count` others, over many draws. */
static double coverage_of(enum shape shape, size_t count)
{
    enum { DRAWS = 600, NEW = 20 };
    uint64_t random = 77 + count;
    size_t covered = 0;

    for (size_t draw = 0; draw < DRAWS; draw++) {
        struct fr_arena *arena = fr_arena_new(1 << 22);
        struct fr_residual residual[MOST];
        struct fr_conformal conformal;

        fill(residual, count, shape, &random);
        assert_int_equal(fr_conformal_prepare(residual, count, arena, &conformal), FR_OK);
        for (size_t i = 0; i < NEW; i++) {
            const struct fr_residual fresh = run_of(shape, &random);
            struct fr_interval interval;

            assert_true(fr_conformal_interval(&conformal, fresh.predicted, &interval));
            assert_close(interval.coverage_fraction, 0.9, 0);
            covered += fresh.measured >= interval.low_s && fresh.measured <= interval.high_s;
        }
        fr_arena_free(arena);
    }
    return (double)covered / (DRAWS * NEW);
}

TEST(a_stated_90_percent_covers_87_to_93)
{
    static const size_t counts[] = { 10, 20, 30, 50, 99, 100, 200, MOST };

    for (enum shape shape = 0; shape < SHAPES; shape++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const double coverage = coverage_of(shape, counts[i]);

            if (coverage < 0.87 || coverage > 0.93)
                fail_msg("shape %d, %zu runs: %.4f", (int)shape, counts[i], coverage);
        }
    }
}

/* The coverage is at least 90 %: with ten to eighteen runs the rank is n, which covers n / (n + 1),
 * up to 95 %. */
TEST(ten_to_eighteen_runs_cover_more)
{
    for (size_t count = 10; count <= 18; count++)
        assert_close(coverage_of(LOGNORMAL, count), (double)count / (double)(count + 1), 0.012);
}

ARENA_TEST(fewer_than_ten_runs_make_no_interval)
{
    struct fr_residual residual[10];
    struct fr_conformal conformal;
    struct fr_interval interval;
    uint64_t random = 1;

    fill(residual, 10, LOGNORMAL, &random);
    assert_int_equal(fr_conformal_prepare(residual, 9, arena, &conformal), FR_OK);
    assert_false(fr_conformal_interval(&conformal, 1, &interval));
    residual[3].predicted = 0; /* left out */
    assert_int_equal(fr_conformal_prepare(residual, 10, arena, &conformal), FR_OK);
    assert_false(fr_conformal_interval(&conformal, 1, &interval));
    residual[3].predicted = INFINITY;
    assert_int_equal(fr_conformal_prepare(residual, 10, arena, &conformal), FR_OK);
    assert_false(fr_conformal_interval(&conformal, 1, &interval));
    residual[3] = (struct fr_residual){ 0, 1, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 10, arena, &conformal), FR_OK);
    assert_false(fr_conformal_interval(&conformal, 1, &interval));
    residual[3].measured = 1;
    assert_int_equal(fr_conformal_prepare(residual, 10, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 1, &interval));
    assert_false(fr_conformal_interval(&conformal, 0, &interval));
    assert_false(fr_conformal_interval(&conformal, INFINITY, &interval));
    assert_false(fr_conformal_interval(&conformal, NAN, &interval));
}

/* Ratios 1.01 ... 1.10: of ten scores the tenth covers 90 % of the eleventh. */
ARENA_TEST(the_half_width_is_an_order_statistic)
{
    struct fr_residual residual[10];
    struct fr_conformal conformal;
    struct fr_interval interval;

    for (size_t i = 0; i < 10; i++)
        residual[i] = (struct fr_residual){ 1 + 0.01 * (double)((i * 7) % 10 + 1), 1, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 10, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 2, &interval));
    assert_close(interval.high_s, 2.2, 1e-12);
    assert_close(interval.low_s, 2 / 1.1, 1e-12);
    assert_int_equal(interval.runs, 10);
    assert_int_equal(interval.basis, FR_BASIS_MODEL);
}

/* Ratios 1.01, 1.02, ...: every run is slower than predicted. */
ARENA_TEST(the_sides_are_separate_from_99_runs)
{
    struct fr_residual residual[99];
    struct fr_conformal conformal;
    struct fr_interval interval;

    for (size_t i = 0; i < 99; i++)
        residual[i] = (struct fr_residual){ 1 + 0.01 * (double)((i * 7) % 99 + 1), 1, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 99, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 2, &interval));
    assert_close(interval.low_s, 2.1, 1e-12);  /* the fifth */
    assert_close(interval.high_s, 3.9, 1e-12); /* the ninety-fifth */
    residual[0] = (struct fr_residual){ 0, 1, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 99, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 2, &interval));
    assert_int_equal(interval.runs, 98);
    assert_close(interval.low_s * interval.high_s, 4, 1e-12); /* symmetric */
}

/* Small runs are noisy, large ones are not. */
ARENA_TEST(a_size_class_with_enough_runs_is_used_alone)
{
    enum { COUNT = 80 };
    struct fr_residual residual[COUNT];
    struct fr_interval small, large, between;
    struct fr_conformal conformal;

    for (size_t i = 0; i < COUNT; i++) {
        const double predicted = i < 40 ? 0.002 : 200;
        const double error = (i % 2 ? 1 : -1) * (i < 40 ? 0.5 : 0.01);

        residual[i] = (struct fr_residual){ predicted * exp(error), predicted, 0, 0 };
    }
    assert_int_equal(fr_conformal_prepare(residual, COUNT, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 0.005, &small));
    assert_true(fr_conformal_interval(&conformal, 500, &large));
    assert_true(fr_conformal_interval(&conformal, 3, &between));
    assert_int_equal(small.basis, FR_BASIS_SIZE_CLASS);
    assert_int_equal(large.basis, FR_BASIS_SIZE_CLASS);
    assert_int_equal(between.basis, FR_BASIS_MODEL);
    assert_int_equal(between.runs, COUNT);
    assert_close(large.high_s, 500 * exp(0.01), 1e-9);
    assert_close(small.high_s, 0.005 * exp(0.5), 1e-9);
}

ARENA_TEST(a_size_class_needs_thirty_runs)
{
    struct fr_residual residual[40];
    struct fr_conformal conformal;
    struct fr_interval interval;

    for (size_t i = 0; i < 40; i++)
        residual[i] = (struct fr_residual){ 1, i < 30 ? 2 : 20, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 40, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 9, &interval));
    assert_int_equal(interval.basis, FR_BASIS_SIZE_CLASS);
    assert_int_equal(interval.runs, 30);
    assert_int_equal(fr_conformal_prepare(residual + 1, 39, arena, &conformal), FR_OK);
    assert_true(fr_conformal_interval(&conformal, 9, &interval));
    assert_int_equal(interval.basis, FR_BASIS_MODEL);
    assert_int_equal(interval.runs, 39);
}

/* Every run is compared with the interval from the runs before it. */
ARENA_TEST(coverage_equals_that_of_single_intervals)
{
    enum { COUNT = 300 };
    struct fr_residual residual[COUNT];
    uint64_t random = 4;
    size_t covered = 0, asked = 0, classes = 0, tested;

    for (size_t i = 0; i < COUNT; i++) {
        const double predicted = i % 4 ? 5 : 500, noise = i % 4 ? 0.02 : 0.5;
        struct fr_conformal conformal;
        struct fr_interval interval;

        residual[i] = (struct fr_residual){ predicted * exp(noise * draw_normal(&random)),
                                            i % 50 == 7 ? 0 : predicted, 0, 0 };
        assert_int_equal(fr_conformal_prepare(residual, i, arena, &conformal), FR_OK);
        if (!fr_conformal_interval(&conformal, residual[i].predicted, &interval))
            continue;
        asked++;
        classes += interval.basis == FR_BASIS_SIZE_CLASS;
        covered +=
            residual[i].measured >= interval.low_s && residual[i].measured <= interval.high_s;
    }
    assert_close(fr_conformal_coverage(residual, COUNT, arena, &tested),
                 (double)covered / (double)asked, 1e-12);
    assert_int_equal(tested, asked);
    assert_true(classes > 200 && classes < asked);
}

/* The share of new runs within the limit from `count` others, over many draws. */
static double kept_share(enum shape shape, size_t count, double share)
{
    enum { DRAWS = 600, NEW = 20 };
    uint64_t random = 99 + count;
    size_t kept = 0;

    for (size_t draw = 0; draw < DRAWS; draw++) {
        struct fr_arena *arena = fr_arena_new(1 << 22);
        struct fr_residual residual[MOST];
        struct fr_conformal conformal;

        fill(residual, count, shape, &random);
        assert_int_equal(fr_conformal_prepare(residual, count, arena, &conformal), FR_OK);
        for (size_t i = 0; i < NEW; i++) {
            const struct fr_residual fresh = run_of(shape, &random);
            struct fr_time_limit limit;

            assert_true(fr_conformal_limit(&conformal, fresh.predicted, share, &limit));
            assert_true(limit.is_guaranteed);
            kept += fresh.measured <= limit.time_s;
        }
        fr_arena_free(arena);
    }
    return (double)kept / (DRAWS * NEW);
}

/* One side, so that a bias costs nothing: at least the share, and at most one rank more. */
TEST(a_limit_is_kept_by_its_share_of_new_runs)
{
    static const struct {
        double share;
        size_t count;
    } cases[] = { { 0.95, 19 },   { 0.95, 39 }, { 0.95, 100 }, { 0.95, MOST }, { 0.99, 99 },
                  { 0.99, MOST }, { 0.5, 10 },  { 0.5, 101 },  { 0.8, 50 },    { 0.9, 200 } };

    for (enum shape shape = 0; shape < SHAPES; shape++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const double most = cases[i].share + 1 / (double)(cases[i].count + 1);
            const double kept = kept_share(shape, cases[i].count, cases[i].share);

            if (kept < cases[i].share - 0.015 || kept > most + 0.015)
                fail_msg("shape %d, %g from %zu runs: %.4f", (int)shape, cases[i].share,
                         cases[i].count, kept);
        }
    }
}

ARENA_TEST(a_limit_needs_runs_for_its_share)
{
    struct fr_residual residual[19];
    struct fr_conformal conformal;
    struct fr_time_limit limit = { .time_s = 7 };

    assert_int_equal(fr_conformal_least_runs(0.5), 10);
    assert_int_equal(fr_conformal_least_runs(0.9), 10);
    assert_int_equal(fr_conformal_least_runs(0.95), 19);
    assert_int_equal(fr_conformal_least_runs(0.99), 99);
    for (size_t i = 0; i < 19; i++) /* ratios 0.51 ... 0.69: every run is faster than predicted */
        residual[i] = (struct fr_residual){ 0.51 + 0.01 * (double)((i * 7) % 19), 1, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, 0, arena, &conformal), FR_OK);
    assert_false(fr_conformal_limit(&conformal, 2, 0.95, &limit));
    assert_close(limit.time_s, 7, 0);
    assert_int_equal(fr_conformal_prepare(residual, 18, arena, &conformal), FR_OK);
    assert_true(fr_conformal_limit(&conformal, 2, 0.95, &limit));
    assert_false(limit.is_guaranteed);
    assert_int_equal(limit.runs, 18);
    assert_close(limit.time_s, 2 * 0.69, 1e-12); /* the largest */
    assert_int_equal(fr_conformal_prepare(residual, 19, arena, &conformal), FR_OK);
    assert_true(fr_conformal_limit(&conformal, 2, 0.95, &limit));
    assert_true(limit.is_guaranteed);
    assert_close(limit.time_s, 2 * 0.69, 1e-12);
    assert_true(fr_conformal_limit(&conformal, 2, 0.5, &limit));
    assert_close(limit.time_s, 2 * 0.6, 1e-12); /* the tenth */
    assert_false(fr_conformal_limit(&conformal, 0, 0.5, &limit));
}

/* A class of a size serves a limit only with the runs that its share takes. */
ARENA_TEST(a_limit_takes_all_runs_where_a_size_class_is_too_small)
{
    enum { COUNT = 120 };
    struct fr_residual residual[COUNT];
    struct fr_conformal conformal;
    struct fr_time_limit limit;

    for (size_t i = 0; i < COUNT; i++)
        residual[i] = (struct fr_residual){ i < 40 ? 2.2 : 30, i < 40 ? 2 : 20, 0, 0 };
    assert_int_equal(fr_conformal_prepare(residual, COUNT, arena, &conformal), FR_OK);
    assert_true(fr_conformal_limit(&conformal, 3, 0.95, &limit));
    assert_int_equal(limit.basis, FR_BASIS_SIZE_CLASS);
    assert_close(limit.time_s, 3.3, 1e-12);
    assert_true(fr_conformal_limit(&conformal, 3, 0.99, &limit));
    assert_int_equal(limit.basis, FR_BASIS_MODEL);
    assert_int_equal(limit.runs, COUNT);
    assert_close(limit.time_s, 4.5, 1e-12);
}

ARENA_TEST(coverage_is_measured_on_later_runs)
{
    enum { COUNT = 2000 };
    static struct fr_residual residual[COUNT];
    uint64_t random = 3;
    size_t tested;
    double covered;

    fill(residual, COUNT, SKEWED, &random);
    covered = fr_conformal_coverage(residual, COUNT, arena, &tested);
    assert_int_equal(tested, COUNT - 10);
    assert_true(covered > 0.87 && covered < 0.93);
    assert_true(isnan(fr_conformal_coverage(residual, 10, arena, &tested)));
    assert_int_equal(tested, 0);
    for (size_t i = 0; i < 30; i++) /* increasing errors: none within the earlier ones */
        residual[i] = (struct fr_residual){ exp(0.1 * (double)i + 0.1), 1, 0, 0 };
    assert_close(fr_conformal_coverage(residual, 30, arena, &tested), 0, 0);
}

/* Ratios 0.9, 1.0 and 1.2: the ends are theirs, and (3 - 1) / (3 + 1) of new runs fall between. */
ARENA_TEST(three_to_nine_runs_give_the_range_of_their_ratios)
{
    struct fr_residual residual[10];
    struct fr_conformal conformal;
    struct fr_interval interval;

    for (size_t i = 0; i < 10; i++)
        residual[i] = (struct fr_residual){ i == 0 ? 1.2 : i == 1 ? 0.9 : 1, 1, 0, 0 };
    for (size_t count = 2; count <= 10; count++) {
        assert_int_equal(fr_conformal_prepare(residual, count, arena, &conformal), FR_OK);
        assert_int_equal(fr_conformal_range(&conformal, 5, &interval), count > 2 && count < 10);
    }
    assert_int_equal(fr_conformal_prepare(residual, 3, arena, &conformal), FR_OK);
    assert_true(fr_conformal_range(&conformal, 5, &interval));
    assert_close(interval.low_s, 4.5, 1e-12);
    assert_close(interval.high_s, 6, 1e-12);
    assert_close(interval.coverage_fraction, 0.5, 0);
    assert_string_equal(fr_interval_basis_name(interval.basis), "transfer");
}
