/* Searches: the largest size that meets a goal, and where the faster of two changes.
 *
 * Cannon on one layer (variant 2d, one thread, no contention) on the round machine, whose nodes
 * have 4 cores: on one core it takes 2 n^3 s.
 */
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <string.h>

struct place {
    struct fr_arena *arena;
    const struct fr_calibration *cal, *slow; /* slow: messages take long */
};

static int begin(void **state)
{
    static const struct fr_change change = { "network.latency", "*200" };
    static struct place place;
    struct fr_faults faults = { 0 };

    place.arena = fr_arena_new(1 << 28);
    place.cal = calibration_of(round_machine, place.arena);
    place.slow = fr_what_if(place.cal, &change, 1, place.arena, &faults);
    assert_non_null(place.slow);
    *state = &place;
    return 0;
}

static const struct fr_goal any = { .max_nodes = 1000 };

/* A search with its question; the parts live in the arena. */
static struct fr_search searched(void **state, const char *name, const char *query,
                                 const char *along, const char *range, const struct fr_goal *goal,
                                 void **values)
{
    const struct place *place = *state;
    struct fr_scale *scale = fr_arena_zeroed(place->arena, 1, sizeof *scale);
    struct fr_faults faults = { 0 };
    struct fr_search search = {
        .model = ask_open(name, query, place->arena, values, &faults),
        .cal = place->cal,
        .goal = goal,
        .scale = scale,
        .arena = place->arena,
        .faults = fr_arena_zeroed(place->arena, 1, sizeof faults),
    };

    fr_arena_renew(place->arena);
    assert_int_equal(fr_scale_parse(fr_param_find(search.model->params, along), range, place->arena,
                                    scale, &faults),
                     FR_OK);
    assert_int_equal(faults.count, 0);
    return search;
}

static int64_t largest(void **state, const char *query, const char *range,
                       const struct fr_goal *goal, struct fr_largest *out)
{
    struct fr_faults faults = { 0 };
    void *values;
    struct fr_search search = searched(state, "matmul", query, "n", range, goal, &values);

    if (fr_search_largest(&search, values, 10, out, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    fr_scale_put(search.scale, out->index, values);
    return (int64_t)fr_param_get(search.scale->param, values);
}

static const char one_core[] = "algorithm=cannon&variant=2d&processes=1";

TEST(the_largest_size_in_a_time_is_exact)
{
    struct fr_goal goal = any;
    struct fr_largest found;

    for (int64_t n = 1; n <= 60; n++) {
        goal.deadline_s = 2.0 * (double)(n * n * n);
        assert_int_equal(largest(state, one_core, "1..1000", &goal, &found), n);
        assert_close(found.ranking.row[0].prediction.time_s, goal.deadline_s, 1e-12);
        assert_fault(found.why, FR_INFEASIBLE, "deadline_s", "the fastest, on 1 nodes, takes");
        goal.deadline_s *= 1 - 1e-9;
        if (n > 1)
            assert_int_equal(largest(state, one_core, "1..1000", &goal, &found), n - 1);
    }
}

/* 1 node of 4 cores for 2 n^3 s: 2 * 60^3 * 4 / 3600 = 480 core hours. */
TEST(the_largest_size_in_a_budget_is_exact)
{
    struct fr_goal goal = any;
    struct fr_largest found;

    goal.max_core_hours = 480;
    assert_int_equal(largest(state, one_core, "1..1e9", &goal, &found), 60);
    assert_fault(found.why, FR_INFEASIBLE, "max_core_hours", "the cheapest, on 1 nodes, takes");
}

/* A process of 4 on a node has 1 MB.  The largest size fits and the next does not. */
TEST(the_largest_size_in_memory_is_found)
{
    struct fr_goal goal = any;
    struct fr_largest found;
    const struct fr_prediction *best;

    largest(state, "algorithm=cannon&variant=2d&processes=4", "1..1e9", &goal, &found);
    best = &found.ranking.row[0].prediction;
    assert_true(best->memory_bytes_per_process <= best->memory_limit_bytes_per_process);
    assert_int_equal(found.next, found.index + 1);
    assert_fault(found.why, FR_INFEASIBLE, "memory", "nothing fits");
}

TEST(a_step_is_the_resolution_and_a_list_is_kept_to)
{
    struct fr_goal goal = any;
    struct fr_largest found;

    goal.deadline_s = 2 * 59.0 * 59 * 59;
    assert_int_equal(largest(state, one_core, "8..1000..8", &goal, &found), 56);
    assert_int_equal(found.next, found.index + 1);
    assert_int_equal(largest(state, one_core, "3,20,61,100", &goal, &found), 20);
    assert_int_equal(largest(state, one_core, "2..50", &goal, &found), 50);
    assert_int_equal(found.next, 49); /* the end of the range holds */
}

TEST(the_best_of_several_node_counts_counts)
{
    static const int64_t counts[] = { 1, 4, 9 };
    struct fr_goal goal = any;
    struct fr_largest found;
    int64_t most = 0;

    goal.nodes = counts;
    goal.nodes_count = 3;
    goal.deadline_s = 5000;
    for (size_t i = 0; i < 3; i++) {
        struct fr_goal one = goal;
        int64_t n;

        one.nodes = &counts[i];
        one.nodes_count = 1;
        n = largest(state, "algorithm=cannon&variant=2d", "1..1e6", &one, &found);
        most = n > most ? n : most;
    }
    assert_int_equal(largest(state, "algorithm=cannon&variant=2d", "1..1e6", &goal, &found), most);
    for (size_t i = 0; i < found.ranking.count; i++)
        assert_true(found.ranking.row[i].prediction.time_s <= goal.deadline_s);
}

/* Small problems are not efficient and large ones are late: what holds lies between. */
TEST(an_efficiency_and_a_deadline_enclose_the_size)
{
    static const char query[] = "algorithm=cannon&variant=2d&processes=64";
    const struct place *place = *state;
    struct fr_goal goal = any;
    struct fr_largest found;
    char text[100];
    int64_t n;

    goal.memory = FR_MEMORY_IGNORE;
    snprintf(text, sizeof text, "%s&n=800", query);
    goal.deadline_s = predicted("matmul", text, place->cal).time_s;
    goal.min_efficiency_fraction =
        predicted("matmul", text, place->cal).percent_of_peak / 100 * 0.9;
    n = largest(state, query, "8..1e6", &goal, &found);
    assert_true(n >= 800);
    snprintf(text, sizeof text, "%s&n=%lld", query, (long long)n + 1);
    assert_true(predicted("matmul", text, place->cal).time_s > goal.deadline_s);
}

static struct fr_faults no_largest(void **state, const char *query, const char *along,
                                   const char *range, const struct fr_goal *goal)
{
    struct fr_faults faults = { 0 };
    struct fr_largest found;
    void *values;
    struct fr_search search = searched(state, "matmul", query, along, range, goal, &values);

    assert_int_not_equal(fr_search_largest(&search, values, 1, &found, &faults), FR_OK);
    assert_true(faults.count > 0);
    return faults;
}

TEST(a_goal_that_nothing_meets_has_the_reasons_at_the_lowest_value)
{
    struct fr_goal goal = any;
    struct fr_faults faults;

    goal.deadline_s = 1;
    faults = no_largest(state, one_core, "n", "3..1000", &goal);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "takes 54 s");
    assert_fault(&faults, FR_INFEASIBLE, "n", "no value of n holds");
}

TEST(a_question_that_is_never_possible_says_why)
{
    struct fr_faults faults =
        no_largest(state, "algorithm=cannon&variant=2d&processes=12", "n", "1..50", &any);

    assert_fault(&faults, FR_RELATION, "processes", "square");
    faults =
        no_largest(state, "algorithm=cannon&variant=2d&threads=9&processes=1", "n", "1..50", &any);
    assert_fault(&faults, FR_RELATION, "threads", "4 cores");
}

/* From 31622^2 + 1 on the next square is beyond a billion. */
TEST(a_search_among_impossible_values_ends)
{
    const struct fr_faults faults = no_largest(state, "algorithm=cannon&variant=2d&n=100000",
                                               "processes", "999950885..1000000000", &any);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_TOO_LONG, "processes", "list those that are possible");
}

TEST(a_search_ends_with_the_work_of_a_request)
{
    const struct place *place = *state;
    struct fr_faults faults = { 0 };
    struct fr_largest found;
    void *values;
    struct fr_search search = searched(state, "matmul", one_core, "n", "1..1000", &any, &values);

    fr_arena_spend(place->arena, FR_MAX_STEPS);
    assert_int_equal(fr_search_largest(&search, values, 1, &found, &faults), FR_NOMEM);
    assert_fault(&faults, FR_NOMEM, "", "too many configurations");
    fr_arena_renew(place->arena);
}

/* Compares two numbers of blocks per process of Cholesky: more of them send more messages, but let
 * processes work at the same time. */
static int compared(void **state, const char *name, const char *query, const char *pair,
                    const char *along, const char *range, struct fr_crossover *out,
                    struct fr_faults *faults)
{
    const struct place *place = *state;
    void *values, *second;
    struct fr_search search = searched(state, name, query, along, range, &any, &values);
    const size_t size = search.model->values_size;
    const void *both[2];
    const char *parameter = strstr(pair, "2d") ? "variant" : "blocks_per_process";
    struct fr_axis axis;

    search.cal = place->slow;
    assert_int_equal(fr_axis_parse(fr_param_find(search.model->params, parameter), pair,
                                   place->arena, &axis, faults),
                     FR_OK);
    second = fr_arena_zeroed(place->arena, 1, size);
    memcpy(second, values, size);
    fr_axis_put(&axis, 0, values);
    fr_axis_put(&axis, 1, second);
    both[0] = values;
    both[1] = second;
    return fr_search_crossover(&search, both, out, faults);
}

static const char plain[] = "variant=2d&processes=16&blocks_per_process=4";

static struct fr_crossover crossed(void **state, const char *query, const char *pair,
                                   const char *along, const char *range)
{
    struct fr_faults faults = { 0 };
    struct fr_crossover found;

    if (compared(state, "cholesky", query, pair, along, range, &found, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    return found;
}

static double time_with(void **state, int blocks, int64_t n)
{
    const struct place *place = *state;
    char query[200];

    snprintf(query, sizeof query, "variant=2d&processes=16&blocks_per_process=%d&n=%lld", blocks,
             (long long)n);
    return predicted("cholesky", query, place->slow).time_s;
}

/* Who is faster at one size, predicted apart from any search. */
static enum fr_leader leader_at(void **state, int64_t n)
{
    const double first_s = time_with(state, 4, n), second_s = time_with(state, 8, n);

    return first_s < second_s ? FR_FIRST : first_s > second_s ? FR_SECOND : FR_EQUAL;
}

TEST(a_short_range_is_compared_at_every_value)
{
    const struct fr_crossover found = crossed(state, plain, "4,8", "n", "64..300");
    int64_t n = 64;

    assert_true(found.count > 1);
    for (size_t i = 0; i < found.count; i++) {
        const struct fr_segment *segment = &found.segment[i];

        assert_int_equal(segment->from, n - 64); /* without a gap */
        for (; n <= 64 + (int64_t)segment->to; n++)
            assert_int_equal(leader_at(state, n), segment->leader);
    }
    assert_int_equal(n, 301);
}

TEST(both_times_stand_where_the_leader_changes)
{
    const struct fr_crossover found = crossed(state, plain, "4,8", "n", "64..300");

    for (size_t i = 0; i < found.count; i++) {
        const struct fr_segment *segment = &found.segment[i];

        assert_true(segment->has[0] && segment->has[1]);
        assert_string_equal(segment->reason, "");
        assert_true(segment->row[0].prediction.time_s ==
                    time_with(state, 4, 64 + (int64_t)segment->from));
        assert_true(segment->row[1].prediction.time_s ==
                    time_with(state, 8, 64 + (int64_t)segment->from));
    }
}

/* A long range is narrowed to the same integer as a short one. */
TEST(a_crossing_in_a_long_range_is_exact)
{
    const struct fr_crossover near = crossed(state, plain, "4,8", "n", "64..300");
    const struct fr_crossover far = crossed(state, plain, "4,8", "n", "64..700");

    assert_int_equal(far.count, near.count);
    for (size_t i = 0; i < far.count; i++) {
        assert_int_equal(far.segment[i].from, near.segment[i].from);
        assert_int_equal(far.segment[i].leader, near.segment[i].leader);
    }
}

TEST(without_a_crossing_there_is_one_segment)
{
    const struct fr_crossover found = crossed(state, plain, "4,8", "n", "300..500");
    const struct fr_crossover same = crossed(state, plain, "4,4", "n", "64..90");

    assert_int_equal(found.count, 1);
    assert_int_equal(found.segment[0].from, 0);
    assert_int_equal(found.segment[0].to, 200);
    assert_int_equal(found.segment[0].leader, leader_at(state, 300));
    assert_int_equal(same.count, 1);
    assert_int_equal(same.segment[0].leader, FR_EQUAL);
}

TEST(values_that_are_not_possible_for_both_are_skipped)
{
    const struct fr_crossover found =
        crossed(state, "variant=2d&n=200&blocks_per_process=4", "4,8", "processes", "5..110");

    assert_int_equal(found.segment[0].from + 5, 9); /* squares */
    assert_int_equal(found.segment[found.count - 1].to + 5, 100);
}

/* Overlap needs more memory: beyond its largest size the plain variant is left, then none. */
TEST(the_one_that_fits_leads_where_the_other_does_not)
{
    static const char query[] = "algorithm=summa&processes=16&threads=4";
    struct fr_faults faults = { 0 };
    struct fr_crossover found;
    struct fr_largest most;
    char text[100];

    snprintf(text, sizeof text, "%s&variant=2d_ovlp", query);
    snprintf(text, sizeof text, "%lld..6000",
             (long long)largest(state, text, "1..1e6", &any, &most) + 1);
    assert_int_equal(compared(state, "matmul", query, "2d,2d_ovlp", "n", text, &found, &faults),
                     FR_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.segment[0].leader, FR_FIRST);
    assert_true(found.segment[0].has[0] && !found.segment[0].has[1]);
    assert_non_null(strstr(found.segment[0].reason, "nothing fits"));
    assert_int_equal(found.segment[1].leader, FR_NEITHER);
    assert_true(!found.segment[1].has[0] && !found.segment[1].has[1]);
}

TEST(a_comparison_that_is_never_possible_says_why)
{
    struct fr_faults faults = { 0 };
    struct fr_crossover found;

    assert_int_not_equal(compared(state, "cholesky", "variant=2d&processes=12", "4,8", "n",
                                  "64..90", &found, &faults),
                         FR_OK);
    assert_fault(&faults, FR_RELATION, "processes", "square");
}

GROUP(begin, place_end)
