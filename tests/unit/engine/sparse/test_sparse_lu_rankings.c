/* The model sparse_lu: rankings, recommendations, the list of ranks. */
#include "tests/unit/support/sparse_asked.h"

#include <stdio.h>
#include <string.h>

SPARSE_CASE(a_ranking_has_every_grid_and_every_ordering_that_there_is)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_ranking ranking;

    assert_int_equal(sparse_rank(asked, "matrix=r13&processes=12&ordering=amd", cal, &ranking),
                     FR_OK);
    assert_int_equal(ranking.count, 6);
    asked->shelf.count = 0;
    sparse_shelf_add(&asked->shelf, "m", "metis", asked->s[3]);
    sparse_shelf_add(&asked->shelf, "m", "natural", asked->s[2]);
    assert_int_equal(sparse_rank(asked, "matrix=m&processes=12", cal, &ranking), FR_OK);
    assert_int_equal(ranking.count, 12);
    for (size_t i = 1; i < ranking.count; i++)
        assert_true(ranking.row[i - 1].prediction.time_s <= ranking.row[i].prediction.time_s);
    assert_int_equal(sparse_rank(asked, "matrix=nobody&processes=12", cal, &ranking), FR_RELATION);
    assert_string_equal(sparse_faults.fault[0].where, "matrix");
}

/* The best grid of each part, and of one factorization and many solves. */
SPARSE_CASE(a_ranking_is_by_the_part_asked_for)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    const int64_t rows[] = { 1, 2, 3, 4, 6, 12 };
    double least_s = INFINITY;
    struct fr_ranking ranking;

    for (size_t i = 0; i < 6; i++) {
        struct fr_prediction factor, solve;
        char query[160];

        snprintf(query, sizeof query, "matrix=r13&process_rows=%d&processes=12", (int)rows[i]);
        factor = sparse_answered(asked, query, cal);
        strcat(query, "&part=solve");
        solve = sparse_answered(asked, query, cal);
        least_s = fmin(least_s, factor.time_s + 1000 * solve.time_s);
    }
    assert_int_equal(sparse_rank(asked,
                                 "matrix=r13&processes=12&ordering=amd&part=both&solves=1000", cal,
                                 &ranking),
                     FR_OK);
    assert_int_equal(ranking.count, 6);
    assert_close(ranking.row[0].prediction.time_s, least_s, 1e-12);
}

SPARSE_CASE(what_takes_too_much_ends_a_ranking)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_ranking ranking;

    asked->shelf.most = 5;
    assert_int_equal(sparse_rank(asked, "matrix=r13&processes=12&ordering=amd", cal, &ranking),
                     FR_NOMEM);
    assert_string_equal(sparse_faults.fault[0].where, "matrix");
}

/* The pass over all processes is work of the request for both kernel models, also if counts are
 * cached; a refusal leaves the allowance for a smaller request. */
SPARSE_CASE(a_question_walks_so_far_and_no_farther)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_rates_document, asked->arena);
    static const char *const models[] = { "paper", "calibrated" };

    for (size_t i = 0; i < 2; i++) {
        char large[120], small[120];
        struct fr_prediction out;
        int answers = 0;

        snprintf(large, sizeof large,
                 "matrix=r13&process_rows=32&process_columns=32&kernel_model=%s", models[i]);
        snprintf(small, sizeof small, "matrix=r13&process_rows=1&process_columns=2&kernel_model=%s",
                 models[i]);
        fr_arena_renew(asked->arena);
        assert_true(fr_arena_spend(asked->arena, FR_MAX_STEPS - 5e4));
        while (sparse_answer(asked, large, cal, &out) == FR_OK && answers < 1000)
            answers++;
        assert_true(answers < 1000);
        assert_int_equal(sparse_faults.fault[0].code, FR_TOO_LONG);
        assert_string_equal(sparse_faults.fault[0].where, "matrix");
        sparse_answered(asked, small, cal);
    }
}

SPARSE_CASE(a_ranking_leaves_out_what_takes_too_long)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_rates_document, asked->arena);
    struct fr_ranking ranking;

    asked->shelf.most = 4; /* of six grids */
    assert_int_equal(sparse_rank(asked,
                                 "matrix=r13&processes=12&ordering=amd&kernel_model=calibrated",
                                 cal, &ranking),
                     FR_OK);
    assert_int_equal(ranking.count, 4);
    assert_int_equal(ranking.left_out_long, 2);
    assert_string_equal(ranking.reason, "enough for one question");
}

SPARSE_CASE(what_does_not_fit_is_left_out)
{
    const struct fr_calibration *cal =
        sparse_calibration("{'node': {'cores_per_node': 4, "
                           "'peak_flops_per_s': 6e9, 'memory_bytes': 1e4}}",
                           asked->arena);
    struct fr_ranking ranking;
    const struct fr_prediction out =
        sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1", cal);

    assert_true(has_warning(&out, FR_WARN_MEMORY, NULL));
    assert_true(out.memory_limit_bytes_per_process == 1e4);
    assert_int_equal(sparse_rank(asked, "matrix=r13&processes=1&ordering=amd", cal, &ranking),
                     FR_OK);
    assert_int_equal(ranking.count, 0);
    assert_int_equal(ranking.left_out_memory, 1);
}

SPARSE_CASE(nodes_are_recommended_by_deadline_and_the_fastest_is_told)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_goal goal = { .objective = FR_FEWEST_NODES,
                            .max_nodes = 8,
                            .min_efficiency_fraction = NAN,
                            .deadline_s = NAN };
    const struct fr_model *model = fr_model_find("sparse_lu");
    struct fr_ranking ranking;
    double one_node_s;
    void *values;

    sparse_faults.count = 0;
    ask("sparse_lu", "matrix=r13", asked->arena, &values, &sparse_faults);
    fr_param_open(fr_param_find(model->params, "process_rows"), values);
    model->set_structures(values, &asked->shelf.source);
    assert_int_equal(
        fr_recommend(model, values, NULL, cal, &goal, 100, asked->arena, &ranking, &sparse_faults),
        FR_OK);
    assert_int_equal(ranking.count, 4);
    assert_true(ranking.row[0].prediction.nodes == 1);
    one_node_s = ranking.row[0].prediction.time_s;
    for (size_t i = 0; i < ranking.count; i++)
        assert_true(ranking.fastest.prediction.time_s <= ranking.row[i].prediction.time_s);
    goal.deadline_s = ranking.fastest.prediction.time_s;
    assert_int_equal(
        fr_recommend(model, values, NULL, cal, &goal, 100, asked->arena, &ranking, &sparse_faults),
        FR_OK);
    assert_true(ranking.row[0].prediction.time_s == goal.deadline_s);
    goal.deadline_s = one_node_s / 1e6;
    assert_int_equal(
        fr_recommend(model, values, NULL, cal, &goal, 100, asked->arena, &ranking, &sparse_faults),
        FR_INFEASIBLE);
    assert_string_equal(sparse_faults.fault[0].where, "deadline_s");
}

static bool add_row(void *context, const char *text, const double *number)
{
    double *sum = context;

    assert_non_null(strchr(text, 'x'));
    sum[0]++;
    sum[1] = fmax(sum[1], number[1]);
    sum[2] += number[2];
    return true;
}

SPARSE_CASE(every_rank_is_explained)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    const struct fr_model *model = fr_model_find("sparse_lu");
    struct fr_prediction out =
        sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=3", cal);
    struct fr_prediction scratch;
    double sum[3] = { 0 }, factor_s;
    const struct fr_listing listing = { sum, add_row };
    struct fr_evaluation run = {
        .cal = cal, .arena = asked->arena, .out = &scratch, .faults = &sparse_faults
    };
    void *values;

    ask("sparse_lu", "matrix=r13&process_rows=2&process_columns=3", asked->arena, &values,
        &sparse_faults);
    model->set_structures(values, &asked->shelf.source);
    assert_int_equal(fr_model_resolve(model, values, cal, &sparse_faults), FR_OK);
    fr_prediction_clear(&scratch);
    model->explain(values, &run, &listing);
    assert_true(sum[0] == 6 && sum[1] == out.time_s && sum[2] > 0);
    out = sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=3&part=both&solves=7",
                          cal);
    ask("sparse_lu", "matrix=r13&process_rows=2&process_columns=3&part=both&solves=7", asked->arena,
        &values, &sparse_faults);
    model->set_structures(values, &asked->shelf.source);
    assert_int_equal(fr_model_resolve(model, values, cal, &sparse_faults), FR_OK);
    factor_s = sum[2];
    memset(sum, 0, sizeof sum);
    model->explain(values, &run, &listing);
    assert_close(sum[1], out.time_s, 1e-12);
    out = sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1&part=solve", cal);
    assert_close(sum[2] - factor_s, 7 * out.time_s, 1e-9);
}

GROUP(sparse_asked_load, sparse_asked_unload)
