/* Which saved runs match a question: those that agree in each parameter that changes the time. */
#include "tests/unit/support/question.h"

#include <stdio.h>

static struct fr_arena *arena;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 24);
    return arena ? 0 : -1;
}

static const struct fr_model *values_of(const char *model, const char *query, void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *found = ask(model, query, arena, values, &faults);

    if (faults.count)
        fail_msg("%s: %s: %s", query, faults.fault[0].where, faults.fault[0].message);
    return found;
}

/* Whether a run with these parameters agrees with a question, which gives the parameters named. */
static bool agrees(const char *model, const char *run, const char *question, const char *given,
                   enum fr_agreement agreement)
{
    struct fr_footprint a, b;
    const struct fr_model *of;
    uint64_t set = 0;
    void *values;

    of = values_of(model, run, &values);
    fr_footprint_of(of, values, &a);
    values_of(model, question, &values);
    fr_footprint_of(of, values, &b);
    if (given)
        set = fr_param_bit(of->params, fr_param_find(of->params, given));
    return fr_footprint_agrees(of, &a, &b, set, agreement);
}

static const char cg[] = "solver=pcg&nodes=4&processes_per_node=8&local_grid=8x8x8&iterations=20";

/* From the table of parameters: one that is added takes part without being named anywhere. */
TEST(every_parameter_that_changes_the_time_is_compared)
{
    static const struct {
        const char *change, *given;
        bool same_iteration, same_time;
    } cases[] = {
        { "mapping=default", NULL, true, true },
        { "mapping=node_aware", NULL, false, false },
        { "periodic=true", NULL, false, false },
        { "matvec_overlap=false", NULL, false, false },
        { "routing=static", NULL, false, false },
        { "hop_estimate=max", NULL, true, true }, /* ways to predict */
        { "stalls_per_byte=0.5", "stalls_per_byte", true, true },
        { "contention_model=paper", "contention_model", true, true },
        { "allocation=2x2x1", NULL, true, true }, /* chosen, not asked for */
        { "allocation=2x2x1", "allocation", false, false },
        { "eager_limit_bytes=64", "eager_limit_bytes", false, false },
    };
    char query[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(query, sizeof query, "%s&%s", cg, cases[i].change);
        if (agrees("cg", cg, query, cases[i].given, FR_SAME_ITERATION) != cases[i].same_iteration ||
            agrees("cg", cg, query, cases[i].given, FR_SAME_TIME) != cases[i].same_time)
            fail_msg("%s", cases[i].change);
    }
    assert_false(agrees("cg", cg,
                        "solver=pcg&nodes=4&processes_per_node=8&local_grid=8x8x9&iterations=20",
                        NULL, FR_SAME_ITERATION));
}

TEST(the_number_of_iterations_changes_the_time_but_not_an_iteration)
{
    static const char other[] =
        "solver=pcg&nodes=4&processes_per_node=8&local_grid=8x8x8&iterations=21";

    assert_true(agrees("cg", cg, other, "iterations", FR_SAME_ITERATION));
    assert_false(agrees("cg", cg, other, "iterations", FR_SAME_TIME));
    assert_true(agrees("cg", cg, cg, "iterations", FR_SAME_TIME));
}

TEST(calls_are_compared_by_what_they_say)
{
    static const char run[] = "calls=dtrsm LLNN 96 n 0.5; dpotrf L 8|dpotrf U 8&n=8";
    static const struct {
        const char *calls;
        bool agrees;
    } cases[] = {
        { "dtrsm(L, L, N, N, 96, n, .5, A, 96, B, 96); dpotrf(L, 8) | (dpotrf, U, 8)", true },
        { "dtrsm l l n n 96 8 +5e-1\ndpotrf L n|dpotrf U 8", true },
        { "dtrsm LLNN 96 n 0.5; dpotrf L 8; dpotrf U 8", false },
        { "dtrsm LLNN 96 n 0.5|dpotrf L 8; dpotrf U 8", false },
        { "dtrsm LLNN n 96 0.5; dpotrf L 8|dpotrf U 8", false },
        { "dtrsm LLNN 96 n 1; dpotrf L 8|dpotrf U 8", false },
    };
    char query[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(query, sizeof query, "calls=%s&n=8", cases[i].calls);
        if (agrees("calls", run, query, NULL, FR_SAME_TIME) != cases[i].agrees)
            fail_msg("%s", cases[i].calls);
    }
}

/* Also with the most parameters that a question may leave undecided. */
TEST(every_model_has_a_footprint)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        void *values = fr_arena_zeroed(arena, 1, (*model)->values_size);
        struct fr_footprint a, b;

        fr_params_clear((*model)->params, values);
        fr_footprint_of(*model, values, &a);
        fr_footprint_of(*model, values, &b);
        assert_true(fr_footprint_agrees(*model, &a, &b, UINT64_MAX, FR_SAME_TIME));
    }
}

TEST(the_newest_runs_are_found_and_their_median)
{
    enum { RUNS = 3 * FR_MOST_MATCHING };
    static struct fr_indexed_run run[RUNS];
    const struct fr_indexed_run *found[FR_MOST_MATCHING];
    struct fr_run_index index = { .run = run, .count = RUNS };
    struct fr_run_time time;
    void *values, *other;

    index.model = values_of("cg", cg, &values);
    values_of("cg", "solver=pipecg&nodes=4&processes_per_node=8&local_grid=8x8x8&iterations=20",
              &other);
    for (int i = 0; i < RUNS; i++) {
        run[i] = (struct fr_indexed_run){ .time_s = i, .sequence = i };
        fr_footprint_of(index.model, i % 2 ? values : other, &run[i].footprint);
    }
    fr_run_index_sort(&index);
    assert_int_equal(fr_run_index_find(&index, values, 0, FR_SAME_TIME, found), FR_MOST_MATCHING);
    for (size_t i = 0; i < FR_MOST_MATCHING; i++)
        assert_int_equal(found[i]->sequence, RUNS - 1 - 2 * (int)i);
    time = fr_run_index_time(&index, values, 0);
    assert_int_equal(time.runs, FR_MOST_MATCHING);
    assert_close(time.median_s, RUNS - FR_MOST_MATCHING, 0); /* of 101, 103, ... 299 */
    values_of("cg", "solver=sapcg&nodes=4&processes_per_node=8&local_grid=8x8x8&iterations=20",
              &values);
    time = fr_run_index_time(&index, values, 0);
    assert_int_equal(time.runs, 0);
    assert_true(isnan(time.median_s));
    assert_int_equal(fr_run_index_find(&(struct fr_run_index){ .model = index.model }, other, 0,
                                       FR_SAME_TIME, found),
                     0);
}

/* Runs of 110 sizes, one of the oldest asked for again, and many newer runs of one size. */
TEST(candidates_are_one_run_of_each_configuration_and_the_questions_own)
{
    enum { SIZES = FR_MOST_MATCHING + 10, RUNS = SIZES + 2 * FR_MOST_MATCHING };
    static struct fr_indexed_run run[RUNS];
    const struct fr_indexed_run *found[FR_MOST_MATCHING];
    struct fr_run_index index = { .run = run, .count = RUNS };
    void *values = NULL, *oldest = NULL;

    for (int i = 0; i < RUNS; i++) {
        char query[120];

        snprintf(query, sizeof query,
                 "solver=pcg&nodes=%d&processes_per_node=8&local_grid=8x8x8&iterations=20",
                 1 + (i < SIZES ? i : SIZES));
        index.model = values_of("cg", query, &values);
        oldest = i ? oldest : values;
        run[i] = (struct fr_indexed_run){ .sequence = i };
        fr_footprint_of(index.model, values, &run[i].footprint);
    }
    fr_run_index_sort(&index);
    assert_int_equal(fr_run_index_candidates(&index, values, 0, found), FR_MOST_MATCHING);
    assert_int_equal(found[0]->sequence, SIZES - FR_MOST_MATCHING + 2);
    assert_int_equal(found[FR_MOST_MATCHING - 2]->sequence, RUNS - 1);
    assert_int_equal(found[FR_MOST_MATCHING - 1]->sequence, RUNS - 1);
    assert_int_equal(fr_run_index_candidates(&index, oldest, 0, found), FR_MOST_MATCHING);
    assert_int_equal(found[FR_MOST_MATCHING - 2]->sequence, RUNS - 1);
    assert_int_equal(found[FR_MOST_MATCHING - 1]->sequence, 0);
}

GROUP(begin, arena_end)
