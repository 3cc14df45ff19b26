/* Recommendation: how many nodes, for each goal, and which constraint fails by how much.
 *
 * Cannon on one layer (variant 2d, one thread, no contention) on the round machine, whose nodes
 * have 4 cores: n = 12 takes 3456 s on one core.
 */
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char cannon_12[] = "algorithm=cannon&variant=2d&n=12&contention_model=refined";

static struct fr_goal goal_of(enum fr_objective objective, int64_t max_nodes)
{
    return (struct fr_goal){ .objective = objective,
                             .max_nodes = max_nodes,
                             .deadline_s = NAN,
                             .max_core_hours = NAN,
                             .min_efficiency_fraction = NAN,
                             .min_scaling_fraction = NAN };
}

static int recommend(void **state, const char *query, const struct fr_goal *goal, size_t keep,
                     struct fr_ranking *ranking, struct fr_faults *faults)
{
    const struct round_place *place = *state;
    void *values;
    const struct fr_model *model = ask("matmul", query, place->arena, &values, faults);

    assert_int_equal(faults->count, 0);
    return fr_recommend(model, values, NULL, place->cal, goal, keep, place->arena, ranking, faults);
}

static struct fr_ranking recommended(void **state, const char *query, const struct fr_goal *goal,
                                     size_t keep)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;

    if (recommend(state, query, goal, keep, &ranking, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    return ranking;
}

static struct fr_faults not_recommended(void **state, const char *query, const struct fr_goal *goal)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;

    assert_int_not_equal(recommend(state, query, goal, 100, &ranking, &faults), FR_OK);
    assert_true(faults.count > 0);
    return faults;
}

/* What the recommendation must choose from: every node count of the model, predicted. */
static double time_on(void **state, int64_t nodes)
{
    const struct round_place *place = *state;
    char query[100];

    snprintf(query, sizeof query, "%s&nodes=%lld", cannon_12, (long long)nodes);
    return predicted("matmul", query, place->cal).time_s;
}

static void assert_sorted(const struct fr_ranking *ranking, const struct fr_calibration *cal,
                          enum fr_objective objective)
{
    for (size_t i = 1; i < ranking->count; i++) {
        const struct fr_prediction *a = &ranking->row[i - 1].prediction;
        const struct fr_prediction *b = &ranking->row[i].prediction;

        switch (objective) {
        case FR_LEAST_TIME:
            assert_true(a->time_s <= b->time_s);
            break;
        case FR_FEWEST_NODES:
            assert_true(a->nodes <= b->nodes);
            break;
        case FR_FEWEST_CORE_HOURS:
            assert_true(fr_core_hours(a, cal) <= fr_core_hours(b, cal));
            break;
        case FR_BEST_EFFICIENCY:
            assert_true(a->percent_of_peak >= b->percent_of_peak);
            break;
        case FR_KNEE:
            assert_true(fr_core_hours(a, cal) * a->time_s <= fr_core_hours(b, cal) * b->time_s);
            break;
        }
    }
}

/* Nodes whose cores make a square, up to 36: 1, 4, 9, 16, 25, 36 (4, 16, … 144 processes). */
TEST(the_counts_that_make_the_grid_square_are_tried)
{
    const struct fr_goal goal = goal_of(FR_FEWEST_NODES, 36);
    const struct fr_ranking ranking = recommended(state, cannon_12, &goal, 100);

    assert_int_equal(ranking.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_close(ranking.row[i].prediction.nodes, (double)((i + 1) * (i + 1)), 0);
        assert_true(ranking.row[i].prediction.time_s ==
                    time_on(state, (int64_t)((i + 1) * (i + 1))));
    }
}

#define CASE(name) TEST_OF(name, const struct round_place *place, NULL, NULL)

CASE(each_objective_puts_its_best_first)
{
    static const enum fr_objective objectives[] = { FR_LEAST_TIME, FR_FEWEST_NODES,
                                                    FR_FEWEST_CORE_HOURS, FR_BEST_EFFICIENCY,
                                                    FR_KNEE };

    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++) {
        const struct fr_goal goal = goal_of(objectives[i], 1000);
        const struct fr_ranking ranking = recommended(state, cannon_12, &goal, 1000);
        const struct fr_ranking best = recommended(state, cannon_12, &goal, 1);

        assert_sorted(&ranking, place->cal, objectives[i]);
        assert_int_equal(best.count, 1);
        assert_true(best.row[0].prediction.time_s == ranking.row[0].prediction.time_s);
    }
}

CASE(core_hours_are_nodes_times_cores_times_time)
{
    const struct fr_prediction out =
        predicted("matmul", "algorithm=cannon&variant=2d&n=12&processes=16", place->cal);

    assert_close(fr_core_hours(&out, place->cal), 4 * 4 * out.time_s / 3600, 1e-15);
}

TEST(a_deadline_leaves_only_what_meets_it)
{
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 1000);
    struct fr_ranking ranking;

    goal.deadline_s = time_on(state, 9); /* exactly: it is met */
    ranking = recommended(state, cannon_12, &goal, 1000);
    for (size_t i = 0; i < ranking.count; i++)
        assert_true(ranking.row[i].prediction.time_s <= goal.deadline_s);
    assert_true(ranking.row[0].prediction.nodes <= 9);
}

TEST(a_deadline_is_judged_by_the_quantile_that_is_asked_for)
{
    const struct fr_outlook_asked asked = { .quantile = 0.95, .margin_percent = 50 };
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 1000);
    struct fr_ranking ranking;
    struct fr_faults faults;

    goal.outlook = &asked;
    goal.deadline_s = 1.5 * time_on(state, 9);
    ranking = recommended(state, cannon_12, &goal, 1000);
    for (size_t i = 0; i < ranking.count; i++)
        assert_true(1.5 * ranking.row[i].prediction.time_s <= goal.deadline_s);
    assert_close(ranking.row[0].prediction.nodes, 9, 0);
    goal.deadline_s = time_on(state, 1);
    goal.max_nodes = 1;
    faults = not_recommended(state, cannon_12, &goal);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "s with a margin of 50 %: ");
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "(50 %) more than");
}

TEST(a_deadline_that_nothing_meets_is_refused_with_the_shortfall)
{
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 1);
    struct fr_faults faults;
    char shortfall[40];

    goal.deadline_s = time_on(state, 1) - 100;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 1);
    snprintf(shortfall, sizeof shortfall, "%.6g s: 100 s", time_on(state, 1));
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", shortfall);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "on 1 nodes");
}

TEST(an_efficiency_that_nothing_reaches_is_refused_with_the_shortfall)
{
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 4);
    const struct fr_goal best = goal_of(FR_BEST_EFFICIENCY, 4);
    const double reached =
        recommended(state, cannon_12, &best, 1).row[0].prediction.percent_of_peak / 100;
    struct fr_faults faults;
    char text[60];

    goal.min_efficiency_fraction = 1;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 1);
    snprintf(text, sizeof text, "reaches %.4g: %.4g less than 1", reached, 1 - reached);
    assert_fault(&faults, FR_INFEASIBLE, "min_efficiency_fraction", text);
}

TEST(two_constraints_that_both_fail_are_both_told)
{
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 64);
    struct fr_faults faults;

    goal.deadline_s = 1e-3;
    goal.min_efficiency_fraction = 1;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 2);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "fastest");
    assert_fault(&faults, FR_INFEASIBLE, "min_efficiency_fraction", "most efficient");
}

/* The cheapest configuration that meets the deadline on so many nodes, against every count. */
CASE(the_cheapest_under_a_deadline_and_a_node_budget_is_found)
{
    for (int64_t most = 4; most <= 36; most *= 3) {
        struct fr_goal goal = goal_of(FR_FEWEST_CORE_HOURS, most);
        double least = INFINITY;
        struct fr_ranking ranking;

        goal.deadline_s = time_on(state, 4);
        for (int64_t root = 1; root * root <= most; root++)
            if (time_on(state, root * root) <= goal.deadline_s)
                least = fmin(least, (double)(root * root) * 4 * time_on(state, root * root) / 3600);
        ranking = recommended(state, cannon_12, &goal, 100);
        assert_close(fr_core_hours(&ranking.row[0].prediction, place->cal), least, 1e-12);
        assert_true(ranking.row[0].prediction.time_s <= goal.deadline_s);
    }
}

CASE(a_budget_of_core_hours_leaves_only_what_meets_it)
{
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 1000);
    struct fr_ranking ranking;

    goal.max_core_hours = 9 * 4 * time_on(state, 9) / 3600; /* exactly: it is met */
    ranking = recommended(state, cannon_12, &goal, 1000);
    for (size_t i = 0; i < ranking.count; i++)
        assert_true(fr_core_hours(&ranking.row[i].prediction, place->cal) <= goal.max_core_hours);
    assert_true(ranking.row[0].prediction.nodes >= 9);
}

/* Core hours rise with the nodes, so the fastest that still pays is the last that meets it. */
CASE(nodes_are_added_as_long_as_they_pay)
{
    const struct fr_goal thrifty = goal_of(FR_FEWEST_CORE_HOURS, 1000);
    const struct fr_ranking all = recommended(state, cannon_12, &thrifty, 1000);
    const double least = fr_core_hours(&all.row[0].prediction, place->cal);
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 1000);
    double fastest_s = INFINITY;
    struct fr_ranking ranking;
    size_t paying = 0;

    goal.min_scaling_fraction = 0.8;
    for (size_t i = 0; i < all.count; i++) {
        if (least / fr_core_hours(&all.row[i].prediction, place->cal) < 0.8)
            continue;
        paying++;
        fastest_s = fmin(fastest_s, all.row[i].prediction.time_s);
    }
    assert_true(paying > 1 && paying < all.count);
    ranking = recommended(state, cannon_12, &goal, 1000);
    assert_int_equal(ranking.count, paying);
    assert_close(ranking.row[0].prediction.time_s, fastest_s, 1e-15);
    goal.min_scaling_fraction = 1;
    ranking = recommended(state, cannon_12, &goal, 1000);
    assert_close(fr_core_hours(&ranking.row[0].prediction, place->cal), least, 1e-15);
}

/* On q by q processes, that is q^2 / 4 nodes, it takes 3744 / q^2 + 2 q + 288 / q s.  Nodes times
 * the square of that are 195364 for q = 8, 185933 for q = 10 and 197136 for q = 12. */
TEST(the_knee_has_the_least_core_hours_times_time)
{
    const struct fr_goal all = goal_of(FR_KNEE, 1000);
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 1000);
    struct fr_ranking ranking = recommended(state, cannon_12, &all, 1);

    assert_close(ranking.row[0].prediction.nodes, 25, 0);
    assert_close(ranking.row[0].prediction.time_s, 86.24, 1e-9);
    goal.deadline_s = time_on(state, 4);
    ranking = recommended(state, cannon_12, &goal, 1); /* whatever the objective and the limits */
    assert_true(ranking.has_knee);
    assert_close(ranking.knee.prediction.nodes, 25, 0);
    assert_close(ranking.row[0].prediction.nodes, 4, 0);
    goal.max_nodes = 10; /* it is sought among the counts that are tried */
    assert_close(recommended(state, cannon_12, &goal, 1).knee.prediction.nodes, 9, 0);
}

/* With less work than all counts take, and with more: what leaves nothing untried is the whole
 * answer.  Most counts make no square. */
CASE(too_many_counts_are_searched_around_the_best)
{
    static const enum fr_objective objectives[] = { FR_LEAST_TIME, FR_FEWEST_NODES,
                                                    FR_FEWEST_CORE_HOURS, FR_BEST_EFFICIENCY,
                                                    FR_KNEE };

    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++) {
        const struct fr_arena_mark mark = fr_arena_mark(place->arena);
        struct fr_goal goal = goal_of(objectives[i], 1000);
        struct fr_ranking whole, part;
        double steps;

        goal.deadline_s = 2000;
        fr_arena_renew(place->arena);
        whole = recommended(state, cannon_12, &goal, 100);
        steps = fr_arena_spent(place->arena);
        for (int tenths = 3; tenths <= 20; tenths++) {
            const struct fr_arena_mark tried = fr_arena_mark(place->arena);

            fr_arena_renew(place->arena);
            fr_arena_spend(place->arena, FR_MAX_STEPS - tenths * steps / 10);
            part = recommended(state, cannon_12, &goal, 100);
            assert_true(part.count <= whole.count);
            assert_true(part.untried_nodes || part.legal == whole.legal);
            if (tenths >= 8)
                assert_close(part.row[0].prediction.nodes, whole.row[0].prediction.nodes, 0);
            if (!part.untried_nodes)
                for (size_t row = 0; row < whole.count; row++)
                    assert_close(part.row[row].prediction.time_s, whole.row[row].prediction.time_s,
                                 0);
            fr_arena_release(place->arena, tried);
        }
        assert_int_equal(part.untried_nodes, 0);
        fr_arena_release(place->arena, mark);
    }
    fr_arena_renew(place->arena);
}

/* A deadline that no count so far meets may be met by another. */
CASE(a_goal_is_not_called_impossible_before_all_is_tried)
{
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 1000);
    struct fr_faults faults;
    double steps;

    fr_arena_renew(place->arena);
    recommended(state, cannon_12, &goal, 1);
    steps = fr_arena_spent(place->arena);
    goal.deadline_s = 1e-9;
    fr_arena_renew(place->arena);
    fr_arena_spend(place->arena, FR_MAX_STEPS - steps / 2);
    faults = not_recommended(state, cannon_12, &goal);
    assert_fault(&faults, FR_NOMEM, "", "too many configurations");
    fr_arena_renew(place->arena);
    faults = not_recommended(state, cannon_12, &goal);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "takes");
}

CASE(what_extrapolates_goes_last_where_the_calibrated_range_is_preferred)
{
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 36);
    struct fr_faults faults = { 0 };
    struct fr_ranking curve;
    void *values;
    const struct fr_model *model = ask("matmul", cannon_12, place->arena, &values, &faults);
    static const double expected[] = { 9, 16, 25, 4, 36, 1 };

    goal.prefers_calibrated = true;
    assert_int_equal(
        fr_node_curve(model, values, NULL, place->cal, &goal, place->arena, &curve, &faults),
        FR_OK);
    for (size_t i = 0; i < curve.count; i++)
        if (curve.row[i].prediction.nodes < 5 || curve.row[i].prediction.nodes > 30)
            fr_warn(&curve.row[i].prediction, FR_WARN_EXTRAPOLATED, "test", 3, 1, 2);
    fr_warn(&curve.row[0].prediction, FR_WARN_EXTRAPOLATED, "test.processes", 3, 1, 2);
    assert_int_equal(
        fr_recommend_among(model, values, place->cal, &goal, 100, place->arena, &curve, &faults),
        FR_OK);
    assert_int_equal(curve.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_close(curve.row[i].prediction.nodes, expected[i], 0);
}

TEST(a_deadline_beyond_what_pays_is_refused_with_the_efficiency)
{
    const struct fr_goal fast = goal_of(FR_LEAST_TIME, 1000);
    struct fr_goal goal = fast;
    struct fr_faults faults;

    goal.deadline_s = recommended(state, cannon_12, &fast, 1).row[0].prediction.time_s;
    goal.min_scaling_fraction = 1;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 2);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "meets the other constraints takes");
    assert_fault(&faults, FR_INFEASIBLE, "min_scaling_fraction",
                 "every configuration that meets the other constraints reaches at most");
}

CASE(a_budget_that_nothing_meets_is_refused_with_the_shortfall)
{
    const struct fr_goal cheap = goal_of(FR_FEWEST_CORE_HOURS, 64);
    struct fr_goal goal = cheap;
    struct fr_prediction cheapest = recommended(state, cannon_12, &cheap, 1).row[0].prediction;
    struct fr_faults faults;
    char reached[FR_ROUNDED_TEXT], missing[FR_ROUNDED_TEXT], text[120];

    goal.max_core_hours = fr_core_hours(&cheapest, place->cal) / 2;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 1);
    fr_number_rounded(2 * goal.max_core_hours, FR_NO_LESS, reached);
    fr_number_rounded(strtod(reached, NULL) - goal.max_core_hours, FR_NEAREST, missing);
    snprintf(text, sizeof text, "takes %s core hours: %s core hours (100 %%) more", reached,
             missing);
    assert_fault(&faults, FR_INFEASIBLE, "max_core_hours", text);
}

/* The efficient ones are slow, the fast ones wasteful: each can be had, not both. */
TEST(two_constraints_that_exclude_each_other_are_both_told)
{
    const struct fr_goal fast = goal_of(FR_LEAST_TIME, 1000);
    const struct fr_goal thrifty = goal_of(FR_BEST_EFFICIENCY, 1000);
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 1000);
    struct fr_prediction fastest, best;
    struct fr_faults faults;
    char reached[FR_ROUNDED_TEXT], missing[FR_ROUNDED_TEXT], text[120];

    fastest = recommended(state, cannon_12, &fast, 1).row[0].prediction;
    best = recommended(state, cannon_12, &thrifty, 1).row[0].prediction;
    assert_true(fastest.time_s < best.time_s);
    assert_true(fastest.percent_of_peak < best.percent_of_peak);
    goal.deadline_s = fastest.time_s;
    goal.min_efficiency_fraction = best.percent_of_peak / 100;
    faults = not_recommended(state, cannon_12, &goal);
    assert_int_equal(faults.count, 2);
    fr_number_rounded(best.time_s, FR_NO_LESS, reached);
    fr_number_rounded(strtod(reached, NULL) - fastest.time_s, FR_NEAREST, missing);
    snprintf(text, sizeof text, "at least %s s: %s s more", reached, missing);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", text);
    fr_number_rounded(fastest.percent_of_peak / 100, FR_NO_MORE, reached);
    fr_number_rounded(best.percent_of_peak / 100 - strtod(reached, NULL), FR_NEAREST, missing);
    snprintf(text, sizeof text, "at most %s: %s less", reached, missing);
    assert_fault(&faults, FR_INFEASIBLE, "min_efficiency_fraction", text);
}

/* A process of 4 on a node has 1 MB: 5 (n/2)^2 doubles of n = 1000 are 10 MB. */
TEST(what_fits_on_no_count_is_refused_with_the_least_that_is_needed)
{
    struct fr_goal goal = goal_of(FR_LEAST_TIME, 1);
    struct fr_faults faults = not_recommended(state, "algorithm=cannon&variant=2d&n=1000", &goal);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_INFEASIBLE, "memory",
                 "at least 9.537 MiB, 900 % more than the 976.5 KiB that it has; ask with more "
                 "nodes, or with memory=ignore");
    goal.machine_nodes = 64;
    faults = not_recommended(state, "algorithm=cannon&variant=2d&n=1000", &goal);
    assert_fault(&faults, FR_INFEASIBLE, "memory",
                 "; ask with max_nodes=16, or with memory=ignore");
    goal.machine_nodes = 15; /* which is too small */
    faults = not_recommended(state, "algorithm=cannon&variant=2d&n=1000", &goal);
    assert_fault(&faults, FR_INFEASIBLE, "memory", "; ask with more nodes, or with memory=ignore");
    goal.memory = FR_MEMORY_IGNORE;
    assert_close(
        recommended(state, "algorithm=cannon&variant=2d&n=1000", &goal, 1).row[0].prediction.nodes,
        1, 0);
    /* On 16 nodes a process has 0.63 MB of matrices: with more nodes allowed it is answered. */
    goal = goal_of(FR_FEWEST_NODES, 64);
    assert_close(
        recommended(state, "algorithm=cannon&variant=2d&n=1000", &goal, 1).row[0].prediction.nodes,
        16, 0);
}

TEST(no_more_nodes_than_allowed_are_recommended)
{
    for (int64_t most = 1; most < 100; most += 7) {
        const struct fr_goal goal = goal_of(FR_LEAST_TIME, most);
        const struct fr_ranking ranking = recommended(state, cannon_12, &goal, 100);

        for (size_t i = 0; i < ranking.count; i++)
            assert_true(ranking.row[i].prediction.nodes <= (double)most);
    }
}

TEST(a_list_of_counts_is_kept_to)
{
    static const int64_t counts[] = { 16, 2, 4, 3 };
    struct fr_goal goal = goal_of(FR_FEWEST_NODES, 100);
    struct fr_ranking ranking;

    goal.nodes = counts;
    goal.nodes_count = 4;
    ranking = recommended(state, cannon_12, &goal, 100);
    assert_int_equal(ranking.count, 2); /* 8 and 12 processes make no square */
    assert_close(ranking.row[0].prediction.nodes, 4, 0);
    assert_close(ranking.row[1].prediction.nodes, 16, 0);
    goal.max_nodes = 5;
    assert_int_equal(recommended(state, cannon_12, &goal, 100).count, 1);
}

TEST(a_given_process_count_is_the_only_one)
{
    static const char *const ways[] = { "processes=9", "cores=9" };

    for (size_t i = 0; i < 2; i++) {
        const struct fr_goal goal = goal_of(FR_LEAST_TIME, 4096);
        struct fr_ranking ranking;
        char query[100];

        snprintf(query, sizeof query, "%s&%s", cannon_12, ways[i]);
        ranking = recommended(state, query, &goal, 100);
        assert_int_equal(ranking.count, 1);
        assert_close(ranking.row[0].prediction.processes, 9, 0);
        assert_close(ranking.row[0].prediction.nodes, 3, 0);
    }
}

TEST(processes_beyond_the_allowed_nodes_are_refused_with_the_excess)
{
    const struct fr_goal goal = goal_of(FR_LEAST_TIME, 2);
    char query[100];
    struct fr_faults faults;

    snprintf(query, sizeof query, "%s&processes=144", cannon_12);
    faults = not_recommended(state, query, &goal);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_INFEASIBLE, "max_nodes", "36");
}

TEST(what_is_missing_or_wrong_is_told_as_elsewhere)
{
    const struct fr_goal goal = goal_of(FR_LEAST_TIME, 16);
    struct fr_faults faults = not_recommended(state, "algorithm=cannon&variant=2d", &goal);

    assert_fault(&faults, FR_MISSING, "n", "required");
    faults = not_recommended(state, "algorithm=cannon&variant=2d&n=12&threads=9", &goal);
    assert_fault(&faults, FR_RELATION, "threads", "4 cores");
    faults = not_recommended(state, "algorithm=cannon&variant=2d&n=12&processes=8", &goal);
    assert_fault(&faults, FR_RELATION, "processes", "square");
}

GROUP(round_begin, place_end)
