/* The model sparse_lu on several layers: outputs, refusals, rankings. */
#include "tests/unit/support/sparse_asked.h"

#include <stdio.h>

static const char layered[] = "matrix=r13&process_rows=2&process_columns=2&process_layers=2";

SPARSE_CASE(layers_multiply_the_processes_and_keep_the_operations)
{
    const struct fr_calibration *cal = sparse_windowed(asked->arena);
    const struct fr_prediction one =
        sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=2", cal);
    const struct fr_prediction two = sparse_answered(asked, layered, cal);

    assert_true(one.processes == 4 && two.processes == 8 && two.nodes == 2);
    assert_true(one.flops == two.flops);
    assert_close(sparse_output(&two, "updates"), sparse_output(&one, "updates"), 0);
    assert_close(sparse_output(&two, "sequential_time_s"), sparse_output(&one, "sequential_time_s"),
                 0);
    assert_true(isnan(sparse_output(&one, "reduced_bytes")));
    assert_true(sparse_output(&two, "reduced_bytes") > 0);
    assert_true(sparse_output(&two, "reduced_bytes") < sparse_output(&two, "message_bytes"));
    assert_true(isnan(sparse_output(&two, "analytic_time_s")));
    assert_true(sparse_output(&two, "memory_factors_bytes") <
                sparse_output(&one, "memory_factors_bytes"));
    assert_close(two.communication_bytes_per_process, sparse_output(&two, "message_bytes") / 8,
                 1e-12);
    assert_true(
        sparse_answered(asked, "matrix=r13&process_rows=2&processes=8&process_layers=2", cal)
            .time_s == two.time_s);
    assert_true(
        sparse_answered(asked, "matrix=r13&process_rows=2&nodes=2&process_layers=2", cal).time_s ==
        two.time_s);
}

SPARSE_CASE(layers_are_refused_where_they_mean_nothing)
{
    const struct fr_calibration *cal = sparse_windowed(asked->arena);
    static const struct {
        const char *query, *where, *words;
    } wrong[] = {
        { "process_rows=2&process_columns=2&process_layers=6", "process_layers",
          "6 is not a power of 2; the nearest are 4 and 8" },
        { "process_rows=2&process_columns=2&process_layers=128", "process_layers", "64" },
        { "process_rows=2&process_columns=2&process_layers=0", "process_layers", "1" },
        { "process_rows=2&process_columns=2&process_layers=2&kernel_model=paper", "process_layers",
          "give overlap=window, or 1" },
        { "process_rows=2&process_columns=2&process_layers=2&part=solve", "process_layers",
          "give part=factor, or 1" },
        { "process_rows=2&process_columns=2&process_layers=2&part=both", "process_layers",
          "give part=factor, or 1" },
        { "process_rows=1&processes=6&process_layers=4", "process_layers",
          "4 does not divide 6 processes" },
        { "process_rows=4&processes=12&process_layers=2", "process_rows",
          "4 does not divide 6 processes of a layer" },
        { "process_rows=64&process_columns=64&process_layers=32", "process_columns",
          "at most 65536" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char query[160];

        snprintf(query, sizeof query, "matrix=r13&%s", wrong[i].query);
        sparse_refused_for(asked, query, cal, wrong[i].where, wrong[i].words);
    }
}

/* One process a layer sends nothing but what layers add. */
SPARSE_CASE(layers_of_one_process_need_a_network)
{
    static const char query[] = "matrix=r13&process_rows=1&process_columns=1&process_layers=2";
    const struct fr_prediction out = sparse_answered(asked, query, sparse_windowed(asked->arena));
    struct fr_calibration without = *sparse_windowed(asked->arena);

    assert_close(sparse_output(&out, "reduced_bytes"), sparse_output(&out, "message_bytes"), 0);
    without.network.message_bandwidth.points.count = 0;
    sparse_refused_for(asked, query, &without, "calibration", "network.message_bandwidth");
}

/* 8 processes: four grids of one layer, three of two, two of four, one of eight. */
SPARSE_CASE(a_ranking_tries_all_splits)
{
    const struct fr_calibration *cal = sparse_windowed(asked->arena);
    struct fr_ranking ranking;
    double least_s = INFINITY;

    for (int layers = 1; layers <= 8; layers *= 2)
        for (int rows = 1; rows * layers <= 8; rows *= 2) {
            char query[100];

            snprintf(query, sizeof query,
                     "matrix=r13&processes=8&process_rows=%d&process_layers=%d", rows, layers);
            least_s = fmin(least_s, sparse_answered(asked, query, cal).time_s);
        }
    assert_int_equal(sparse_rank(asked, "matrix=r13&processes=8&ordering=amd", cal, &ranking),
                     FR_OK);
    assert_int_equal(ranking.count, 10);
    assert_true(ranking.row[0].prediction.time_s == least_s);
    assert_int_equal(
        sparse_rank(asked, "matrix=r13&processes=8&ordering=amd&part=both", cal, &ranking), FR_OK);
    assert_int_equal(ranking.count, 4);
    assert_int_equal(
        sparse_rank(asked, "matrix=r13&processes=8&ordering=amd&overlap=event", cal, &ranking),
        FR_OK);
    assert_int_equal(ranking.count, 4);
    assert_int_equal(
        sparse_rank(asked, "matrix=r13&processes=12&ordering=amd&process_layers=4", cal, &ranking),
        FR_OK);
    assert_int_equal(ranking.count, 2);
}

/* Of the splits of 8 processes, those that fit. */
SPARSE_CASE(a_ranking_respects_the_limit_of_memory)
{
    static const char query[] = "matrix=r13&processes=8&ordering=amd";
    struct fr_calibration cal = *sparse_windowed(asked->arena);
    struct fr_ranking all, some;
    double sum = 0;
    size_t fits = 0;

    assert_int_equal(sparse_rank(asked, query, &cal, &all), FR_OK);
    for (size_t i = 0; i < all.count; i++)
        sum += all.row[i].prediction.memory_bytes_per_process;
    cal.node.memory_bytes = 4 * sum / (double)all.count; /* four processes a node */
    for (size_t i = 0; i < all.count; i++)
        fits += all.row[i].prediction.memory_bytes_per_process <= cal.node.memory_bytes / 4;
    assert_int_equal(sparse_rank(asked, query, &cal, &some), FR_OK);
    assert_true(fits > 0 && fits < all.count);
    assert_int_equal(some.count, fits);
    assert_int_equal(some.left_out_memory, all.count - fits);
}

static bool add_row(void *context, const char *text, const double *number)
{
    double *sum = context;
    int layer, row, column;

    assert_int_equal(sscanf(text, "%dx%dx%d", &layer, &row, &column), 3);
    assert_true((layer * 2 + row) * 2 + column == number[0]);
    sum[0]++;
    sum[1] = fmax(sum[1], number[1]);
    sum[2] += number[2];
    return true;
}

SPARSE_CASE(the_ranks_of_all_layers_are_explained)
{
    const struct fr_calibration *cal = sparse_windowed(asked->arena);
    const struct fr_prediction out = sparse_answered(asked, layered, cal);
    struct fr_prediction scratch;
    double sum[3] = { 0 };
    const struct fr_listing listing = { sum, add_row };
    struct fr_evaluation run = {
        .cal = cal, .arena = asked->arena, .out = &scratch, .faults = &sparse_faults
    };
    const struct fr_model *model;
    void *values;

    model = ask("sparse_lu", layered, asked->arena, &values, &sparse_faults);
    model->set_structures(values, &asked->shelf.source);
    assert_int_equal(fr_model_resolve(model, values, cal, &sparse_faults), FR_OK);
    fr_prediction_clear(&scratch);
    model->explain(values, &run, &listing);
    assert_true(sum[0] == 8 && sum[1] == out.time_s && sum[2] > 0);
}

GROUP(sparse_asked_load, sparse_asked_unload)
