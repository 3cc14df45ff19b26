/* Drift: false alarms, detection, date and end, also of drift that has passed. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

enum { MOST = 400, HOUR_S = 3600, DAY_S = 24 * HOUR_S };

/* What lasts, and what passed before it. */
struct drifts {
    bool is_lasting;
    struct fr_drift lasting, passed[FR_MOST_PASSED];
    size_t passed_count;
};

/* What passed while so many runs began together, a time apart from the next. */
static size_t find_passed(const struct fr_residual *residual, size_t count, size_t together,
                          double apart_s, struct fr_arena *arena, struct fr_drift *passed)
{
    double started_s[MOST];

    for (size_t i = 0; i < count; i++)
        started_s[i] = apart_s * (double)(i / together);
    return fr_past_drifts_find(residual, started_s, count, arena, passed);
}

static struct drifts find_drifts(const struct fr_residual *residual, size_t count,
                                 struct fr_arena *arena)
{
    struct drifts drifts;

    drifts.is_lasting = fr_drift_find(residual, count, arena, &drifts.lasting);
    drifts.passed_count = find_passed(residual, drifts.is_lasting ? drifts.lasting.since : count, 1,
                                      HOUR_S, arena, drifts.passed);
    return drifts;
}

/* `count` runs with 5 % noise, slower by a factor from `since` until before `until`.  Each is of
 * one of so many configurations. */
static struct drifts drifts_of(size_t count, size_t since, size_t until, double factor,
                               uint64_t configurations, uint64_t *random)
{
    struct fr_arena *arena = fr_arena_new(1 << 22);
    struct fr_residual residual[MOST];
    struct drifts drifts;

    for (size_t i = 0; i < count; i++) {
        const double slowdown = i >= since && i < until ? factor : 1;

        residual[i] = (struct fr_residual){ slowdown * exp(0.05 * draw_normal(random)), 1, 0,
                                            i % configurations };
    }
    drifts = find_drifts(residual, count, arena);
    fr_arena_free(arena);
    return drifts;
}

static bool finds_drift(size_t count, size_t since, size_t until, double factor, uint64_t *random,
                        struct fr_drift *drift)
{
    const struct drifts drifts = drifts_of(count, since, until, factor, 1, random);

    *drift = drifts.lasting;
    return drifts.is_lasting;
}

TEST(steady_runs_raise_no_alarm)
{
    static const size_t counts[] = { 15, 25, 60, 200 };
    struct fr_drift drift;
    uint64_t random = 11;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t alarms = 0;

        for (int trial = 0; trial < 1000; trial++)
            alarms += finds_drift(counts[i], MOST, MOST, 1, &random, &drift);
        if (alarms > 15)
            fail_msg("%zu runs: %zu alarms of 1000", counts[i], alarms);
    }
}

TEST(a_lasting_slowdown_is_found_and_dated)
{
    struct fr_drift drift;
    uint64_t random = 12;
    size_t found = 0;

    for (int trial = 0; trial < 200; trial++) {
        if (!finds_drift(80, 60, 80, 1.2, &random, &drift))
            continue;
        found++;
        assert_true(drift.since >= 54 && drift.since <= 66);
        assert_int_equal(drift.runs, 80 - drift.since);
        assert_true(drift.outside * 2 >= drift.runs);
        assert_true(drift.slowdown > 1.12 && drift.slowdown < 1.28);
    }
    assert_true(found > 195);
}

TEST(a_speedup_is_drift_too)
{
    struct fr_drift drift;
    uint64_t random = 13;

    assert_true(finds_drift(100, 80, 100, 0.7, &random, &drift));
    assert_true(drift.slowdown > 0.65 && drift.slowdown < 0.75);
}

TEST(a_past_change_is_not_a_drift)
{
    struct fr_drift drift;
    uint64_t random = 14;
    size_t alarms = 0;

    for (int trial = 0; trial < 200; trial++)
        alarms += finds_drift(120, 50, 70, 1.3, &random, &drift);
    assert_true(alarms < 6);
}

/* Twenty slow runs, then fifteen at the old level, which lie within the interval. */
TEST(a_change_that_just_ended_is_not_a_drift)
{
    struct fr_drift drift;
    uint64_t random = 16;
    size_t alarms = 0;

    for (int trial = 0; trial < 400; trial++)
        alarms += finds_drift(95, 60, 80, 1.2, &random, &drift);
    assert_true(alarms < 12);
    alarms = 0;
    for (int trial = 0; trial < 400; trial++) /* two ordinary runs do not end it */
        alarms += finds_drift(82, 60, 80, 1.2, &random, &drift);
    assert_true(alarms > 390);
}

/* `since` is an index of the given runs. */
ARENA_TEST(runs_without_a_ratio_are_skipped)
{
    struct fr_residual residual[60];
    struct fr_drift drift;
    uint64_t random = 17;

    for (size_t i = 0; i < 60; i++)
        residual[i] =
            (struct fr_residual){ (i < 40 ? 1 : 2) * exp(0.02 * draw_normal(&random)), 1, 0, 0 };
    residual[3].predicted = 0;
    residual[17].measured = 0;
    residual[50] = (struct fr_residual){ 0, 0, 0, 0 };
    assert_true(fr_drift_find(residual, 60, arena, &drift));
    assert_int_equal(drift.since, 40);
    assert_int_equal(drift.runs, 19);
    assert_int_equal(drift.outside, 19);
    assert_close(drift.slowdown, 2, 0.05);
    assert_int_equal(drift.other_runs, 38);
    assert_close(drift.other_ratio, 1, 0.02);
    assert_close(drift.ratio / drift.other_ratio, drift.slowdown, 1e-12);
}

ARENA_TEST(equal_runs_are_no_drift)
{
    struct fr_residual residual[50];
    struct fr_drift drift;

    for (size_t i = 0; i < 50; i++)
        residual[i] = (struct fr_residual){ 3, 2, 0, 0 };
    assert_false(fr_drift_find(residual, 50, arena, &drift));
    for (size_t i = 44; i < 50; i++)
        residual[i].measured = 6;
    assert_true(fr_drift_find(residual, 50, arena, &drift));
    assert_int_equal(drift.since, 44);
    assert_close(drift.slowdown, 2, 1e-12);
}

/* Only the newest of many runs are read. */
ARENA_TEST(drift_is_dated_among_all_runs)
{
    enum { COUNT = 5000, SINCE = 4800 };
    static struct fr_residual residual[COUNT];
    struct fr_drift drift;
    uint64_t random = 18;

    for (size_t i = 0; i < COUNT; i++)
        residual[i] =
            (struct fr_residual){ (i < SINCE ? 1 : 1.2) * exp(0.05 * draw_normal(&random)), 1, 0,
                                  0 };
    assert_true(fr_drift_find(residual, COUNT, arena, &drift));
    assert_true(drift.since >= SINCE - 5 && drift.since <= SINCE + 5);
    assert_int_equal(drift.runs, COUNT - drift.since);
}

TEST(a_change_that_has_passed_is_found_and_dated)
{
    uint64_t random = 19;
    size_t found = 0;

    for (int trial = 0; trial < 200; trial++) {
        const struct drifts drifts = drifts_of(120, 50, 80, 1.3, 7, &random);
        const struct fr_drift *drift = drifts.passed;

        if (drifts.passed_count != 1 || drifts.is_lasting)
            continue;
        found++;
        assert_true(drift->since >= 45 && drift->since <= 55);
        assert_true(drift->last >= 74 && drift->last <= 84);
        assert_int_equal(drift->runs, drift->last + 1 - drift->since);
        assert_int_equal(drift->runs + drift->other_runs, 120);
        assert_true(drift->slowdown > 1.2 && drift->slowdown < 1.4);
    }
    assert_true(found > 190);
}

TEST(steady_runs_have_no_past_drift)
{
    uint64_t random = 20;
    size_t alarms = 0;

    for (int trial = 0; trial < 1000; trial++)
        alarms += drifts_of(100, MOST, MOST, 1, 1, &random).passed_count > 0;
    assert_true(alarms <= 5);
}

/* A lasting change is told once, as that. */
TEST(what_lasts_has_not_passed)
{
    uint64_t random = 21;
    size_t passed = 0;

    for (int trial = 0; trial < 200; trial++)
        passed += drifts_of(150, 100, 150, 1.3, 7, &random).passed_count +
                  drifts_of(150, 7, 150, 1.3, 7, &random).passed_count;
    assert_true(passed <= 2);
}

/* Three changes, the largest last; then one that lasts.  They come in the order of time. */
ARENA_TEST(several_changes_are_told_apart)
{
    enum { COUNT = 300 };
    struct fr_residual residual[COUNT];
    struct drifts drifts;
    uint64_t random = 22;

    for (size_t i = 0; i < COUNT; i++) {
        const double slowdown = i >= 270              ? 2.0
                                : i >= 200 && i < 230 ? 1.6
                                : i >= 120 && i < 140 ? 0.7
                                : i >= 40 && i < 60   ? 1.4
                                                      : 1;

        residual[i] = (struct fr_residual){ slowdown * exp(0.02 * draw_normal(&random)), 1, 0, 0 };
    }
    drifts = find_drifts(residual, COUNT, arena);
    assert_true(drifts.is_lasting);
    assert_int_equal(drifts.lasting.since, 270);
    assert_int_equal(drifts.passed_count, 3);
    assert_int_equal(drifts.passed[0].since, 40);
    assert_int_equal(drifts.passed[0].last, 59);
    assert_int_equal(drifts.passed[1].since, 120);
    assert_int_equal(drifts.passed[1].last, 139);
    assert_int_equal(drifts.passed[2].since, 200);
    assert_int_equal(drifts.passed[2].last, 229);
    assert_close(drifts.passed[1].slowdown, 0.7, 0.02);
}

/* Slower, and then slower still: the first change had no end. */
ARENA_TEST(a_staircase_has_no_past_drift)
{
    enum { COUNT = 280 };
    struct fr_residual residual[COUNT];
    struct drifts drifts;
    uint64_t random = 24;

    for (size_t i = 0; i < COUNT; i++) {
        const double slowdown = i >= 240 ? 6 : i >= 200 ? 1.5 : 1;

        residual[i] = (struct fr_residual){ slowdown * exp(0.02 * draw_normal(&random)), 1, 0, 0 };
    }
    drifts = find_drifts(residual, COUNT, arena);
    assert_int_equal(drifts.lasting.since, 240);
    assert_int_equal(drifts.passed_count, 0);
}

/* Twenty runs of a configuration that is foreseen worse than others tell nothing of the time,
 * whether it ran then alone or at other times too. */
ARENA_TEST(a_configuration_is_no_drift)
{
    enum { COUNT = 120 };
    struct fr_residual residual[COUNT];
    struct drifts drifts;
    uint64_t random = 23;

    for (size_t i = 0; i < COUNT; i++) {
        const bool is_other = i >= 50 && i < 70;

        residual[i] = (struct fr_residual){ (is_other ? 1.3 : 1) * exp(0.02 * draw_normal(&random)),
                                            1, 0, is_other };
    }
    drifts = find_drifts(residual, COUNT, arena);
    assert_int_equal(drifts.passed_count, 0);
    for (size_t i = 5; i < 40; i += 5)
        residual[i] = residual[i + 50];
    residual[20] = residual[25] = residual[30] = residual[55];
    residual[5] = residual[10] = residual[60];
    drifts = find_drifts(residual, COUNT, arena);
    assert_int_equal(drifts.passed_count, 0);
    for (size_t i = 50; i < 70; i++)
        residual[i].configuration = 0;
    drifts = find_drifts(residual, COUNT, arena);
    assert_int_equal(drifts.passed_count, 1);
}

/* Runs with 2 % noise from `since` until before `until`, each of this factor and configuration. */
static void fill(struct fr_residual *residual, size_t since, size_t until, double factor,
                 uint64_t configuration, uint64_t *random)
{
    for (size_t i = since; i < until; i++)
        residual[i] =
            (struct fr_residual){ factor * exp(0.02 * draw_normal(random)), 1, 0, configuration };
}

/* The usual runs within the stretch are as they are at other times. */
ARENA_TEST(a_mixture_of_configurations_is_no_drift)
{
    struct fr_residual residual[90];
    uint64_t random = 25;

    fill(residual, 0, 90, 1, 0, &random);
    fill(residual, 40, 65, 1.3, 1, &random);
    for (size_t i = 45; i < 60; i += 5)
        fill(residual, i, i + 1, 1, 0, &random);
    assert_int_equal(find_drifts(residual, 90, arena).passed_count, 0);
    for (size_t i = 41; i < 65; i += 4) /* more of them */
        fill(residual, i, i + 1, 1, 0, &random);
    assert_int_equal(find_drifts(residual, 90, arena).passed_count, 0);
}

ARENA_TEST(a_stretch_that_does_not_count_hides_no_other)
{
    struct fr_residual residual[200];
    struct drifts drifts;
    uint64_t random = 26;

    fill(residual, 0, 200, 1, 0, &random);
    fill(residual, 40, 70, 2, 1, &random);
    fill(residual, 120, 140, 1.2, 0, &random);
    drifts = find_drifts(residual, 200, arena);
    assert_int_equal(drifts.passed_count, 1);
    assert_int_equal(drifts.passed[0].since, 120);
    assert_int_equal(drifts.passed[0].last, 139);
}

ARENA_TEST(days_that_differ_by_less_than_five_percent_are_no_drift)
{
    struct fr_residual residual[120];

    for (size_t i = 0; i < 120; i++)
        residual[i] = (struct fr_residual){ i >= 50 && i < 80 ? 1.04 : 1, 1, 0, 0 };
    assert_int_equal(find_drifts(residual, 120, arena).passed_count, 0);
    for (size_t i = 50; i < 80; i++)
        residual[i].measured += 0.02;
    assert_int_equal(find_drifts(residual, 120, arena).passed_count, 1);
}

/* Most runs are what is usual: those between two slower stretches were not faster for a while. */
ARENA_TEST(the_majority_has_not_drifted)
{
    struct fr_residual residual[100];
    uint64_t random = 28;

    fill(residual, 0, 100, 1.3, 0, &random);
    fill(residual, 20, 75, 1, 0, &random);
    assert_int_equal(find_drifts(residual, 100, arena).passed_count, 0);
    fill(residual, 40, 75, 1.3, 0, &random);
    assert_int_equal(find_drifts(residual, 100, arena).passed_count, 1);
}

/* Every second run of 55 is slower; the other 45 are too few to say so. */
ARENA_TEST(a_stretch_has_no_more_runs_than_the_others)
{
    struct fr_residual residual[100];
    uint64_t random = 32;

    fill(residual, 0, 100, 1, 0, &random);
    for (size_t i = 20; i < 75; i += 2)
        fill(residual, i, i + 1, 1.3, 0, &random);
    assert_int_equal(find_drifts(residual, 100, arena).passed_count, 0);
}

/* A change between two levels, of which the first began the series. */
ARENA_TEST(what_was_before_the_stretch_is_as_what_came_after)
{
    struct fr_residual residual[160];
    struct fr_drift drift[FR_MOST_PASSED];
    uint64_t random = 29;

    fill(residual, 0, 60, 1, 0, &random);
    fill(residual, 60, 160, 1.3, 0, &random);
    assert_int_equal(find_passed(residual, 160, 1, 60, arena, drift), 0);
}

ARENA_TEST(equal_times_are_not_split)
{
    struct fr_residual residual[120];
    struct fr_drift drift[FR_MOST_PASSED];
    uint64_t random = 30;

    fill(residual, 0, 120, 1, 0, &random);
    fill(residual, 50, 80, 1.3, 0, &random);
    assert_int_equal(find_passed(residual, 120, 1, 0.001, arena, drift), 0); /* one upload */
    if (find_passed(residual, 120, 20, DAY_S, arena, drift)) {
        assert_int_equal(drift[0].since % 20, 0);
        assert_int_equal(drift[0].last % 20, 19);
    }
    assert_int_equal(find_passed(residual, 120, 10, DAY_S, arena, drift), 1);
    assert_int_equal(drift[0].since, 50);
    assert_int_equal(drift[0].last, 79);
}

ARENA_TEST(without_memory_there_is_no_drift)
{
    struct fr_arena *full = fr_arena_new(1);
    struct fr_residual residual[120];
    uint64_t random = 31;

    fill(residual, 0, 120, 1, 0, &random);
    fill(residual, 50, 80, 1.3, 0, &random);
    while (fr_arena_zeroed(full, 1, 64))
        ;
    assert_int_equal(find_drifts(residual, 120, full).passed_count, 0);
    assert_int_equal(find_drifts(residual, 120, arena).passed_count, 1);
    fr_arena_free(full);
}

TEST(few_runs_give_no_drift)
{
    struct fr_drift drift;
    uint64_t random = 15;

    assert_false(finds_drift(0, 0, 0, 1, &random, &drift));
    assert_false(finds_drift(14, 10, 14, 5, &random, &drift));
    assert_true(finds_drift(40, 35, 40, 5, &random, &drift));
}
