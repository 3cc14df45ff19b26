/* The model sparse_lu: golden cases from calibration documents, defaults, refusals. */
#include "tests/unit/support/sparse_asked.h"

#include <stdio.h>

/* ---- golden cases --------------------------------------------------------------------------- */

static void switches_of(json_t *params, char *out, size_t size)
{
    json_t *dgemm = json_object_get(params, "dgemm"), *dtrsv = json_object_get(params, "dtrsv");

    snprintf(out, size,
             "overlap=%s&dest_lines=%s&dgemm_counts=%s&dtrsv_loads_linear=%g&count_scatter=%s&"
             "messages_per_panel=%d",
             golden_text(params, "overlap"), golden_text(params, "dest_lines"),
             golden_text(dgemm, "counts"),
             json_number_value(json_object_get(dtrsv, "loads_linear")),
             json_is_true(json_object_get(params, "count_scatter")) ? "true" : "false",
             (int)json_number_value(json_object_get(params, "messages_per_panel")));
}

SPARSE_CASE(every_golden_case_comes_out_of_the_model)
{
    json_t *item;
    size_t index;

    json_array_foreach(json_object_get(sparse_golden_cases, "cases"), index, item)
    {
        const struct fr_arena_mark mark = fr_arena_mark(asked->arena);
        const char *name = golden_text(item, "params");
        json_t *params = json_object_get(json_object_get(sparse_golden_cases, "params"), name);
        const struct fr_calibration *cal = sparse_decoded(sparse_document(name), asked->arena);
        const double clock_hz = json_number_value(json_object_get(params, "clock_hz"));
        json_t *misses = json_object_get(item, "misses");
        struct fr_prediction out;
        char query[400], more[300];

        switches_of(params, more, sizeof more);
        snprintf(query, sizeof query, "matrix=%s&process_rows=%d&process_columns=%d&%s",
                 golden_text(item, "structure"),
                 (int)json_number_value(json_object_get(item, "pr")),
                 (int)json_number_value(json_object_get(item, "pc")), more);
        out = sparse_answered(asked, query, cal);
        assert_close(out.time_s, json_number_value(json_object_get(item, "t_seconds")), 1e-9);
        assert_close(sparse_output(&out, "critical_path_computation_s") * clock_hz,
                     json_number_value(json_object_get(item, "cp_compute_cycles")), 1e-9);
        assert_close(sparse_output(&out, "load_balance_factor"),
                     json_number_value(json_object_get(item, "LB")), 1e-9);
        assert_true(sparse_output(&out, "cache_misses_0") ==
                    json_number_value(json_array_get(misses, 0)));
        assert_close(out.phase[0].time_s + out.phase[1].time_s, out.time_s, 1e-12);
        assert_true(out.warning_count <= 2); /* messages beyond the table; unstated sources */
        fr_arena_release(asked->arena, mark);
    }
    assert_int_equal(index, 192);
}

/* ---- what it chooses ------------------------------------------------------------------------ */

SPARSE_CASE(the_kernel_model_follows_the_calibration)
{
    static const char query[] = "matrix=r13&process_rows=2&process_columns=2";
    const struct fr_calibration *with = sparse_calibration(sparse_rates_document, asked->arena);
    struct fr_prediction out = sparse_answered(asked, query, with);

    assert_int_equal(asked->shelf.counted, 0);
    assert_true(isnan(sparse_output(&out, "loads")) &&
                isnan(sparse_output(&out, "cache_misses_0")));
    assert_true(has_warning(&out, FR_WARN_EXTRAPOLATED, "kernels.dgemm.rates.m"));
    assert_true(sparse_output(&out, "sequential_time_s") > 0 && out.time_s > 0);
    out = sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1", with);
    assert_close(sparse_output(&out, "sequential_time_s"), out.time_s, 1e-12);
    assert_close(sparse_output(&out, "speedup"), 1, 1e-12);
    out = sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=2&kernel_model=paper",
                          with);
    assert_true(sparse_output(&out, "loads") > 0);
    out = sparse_answered(asked, query, sparse_calibration(sparse_node, asked->arena));
    assert_true(sparse_output(&out, "loads") > 0);
}

SPARSE_CASE(the_overlap_follows_the_calibration)
{
    static const char query[] = "matrix=r13&process_rows=2&process_columns=2";
    const struct fr_calibration *with = sparse_windowed(asked->arena);
    const struct fr_prediction open = sparse_answered(asked, query, with);
    struct fr_prediction out;

    out = sparse_answered(asked,
                          "matrix=r13&process_rows=2&process_columns=2&kernel_model=calibrated&"
                          "overlap=window&lookahead_panels=10&schedule=static",
                          with);
    assert_close(open.time_s, out.time_s, 1e-12);
    assert_true(sparse_output(&out, "window_fraction") > 0 &&
                sparse_output(&out, "window_fraction") <= 1);
    assert_true(isnan(sparse_output(&out, "loads")));
    out = sparse_answered(
        asked, "matrix=r13&process_rows=2&process_columns=2&lookahead_panels=0&schedule=natural",
        with);
    assert_true(sparse_output(&out, "window_fraction") == 0);
    assert_true(out.time_s >= open.time_s * 0.5 && out.time_s != open.time_s);
    out = sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1", with);
    assert_close(sparse_output(&out, "sequential_time_s"), out.time_s, 1e-12);
    assert_close(sparse_output(&out, "load_balance_factor"), 1, 1e-12);
    /* Other overlaps keep the constants of their own. */
    assert_true(sparse_output(&out, "messages") == 0);
    out = sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=2&overlap=event", with);
    assert_true(sparse_output(&out, "loads") > 0 && isnan(sparse_output(&out, "window_fraction")));
    out = sparse_answered(asked, query, sparse_calibration(sparse_rates_document, asked->arena));
    assert_true(isnan(sparse_output(&out, "window_fraction")));
}

/* The last of two or three processes is 0.5642 or 0.8463 / 1.0294 as late as that of four (Harter);
 * messages that take no time leave the computation alone. */
SPARSE_CASE(a_step_waits_for_the_last_of_a_row_and_a_column)
{
    static const double slowness[] = { 1.2 };
    static const struct {
        const char *query;
        bool is_window;
        double late; /* of that of four */
    } of[] = {
        { "process_rows=1&process_columns=1", true, 0 },
        { "process_rows=2&process_columns=2", true, 0.8463 / 1.0294 },
        { "process_rows=2&process_columns=1&process_layers=2", true, 0.5642 / 1.0294 },
        { "process_rows=1&process_columns=1&part=solve", true, 0 },
        { "process_rows=2&process_columns=2&part=solve", true, 0.8463 / 1.0294 },
        { "process_rows=1&process_columns=1&overlap=event&kernel_model=calibrated", false, 0 },
        { "process_rows=2&process_columns=2&overlap=event&kernel_model=calibrated", false,
          0.8463 / 1.0294 },
    };
    struct fr_bandwidth_point fast = { .message_bytes = 1, .bandwidth_bytes_per_s = 1e30 };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fr_calibration cal =
            *(of[i].is_window ? sparse_windowed(asked->arena)
                              : sparse_calibration(sparse_rates_document, asked->arena));
        struct fr_prediction even, out;
        char query[160];

        snprintf(query, sizeof query, "matrix=r13&%s", of[i].query);
        cal.network.message_bandwidth.points.row = &fast;
        cal.network.message_bandwidth.points.count = 1;
        cal.network.message_bandwidth.latency_s = 0;
        even = sparse_answered(asked, query, &cal);
        cal.slowness = slowness;
        cal.kernels.variability.processor_times.count = 1;
        cal.kernels.variability.cores = 4;
        cal.kernels.variability.late_fraction = 0.1;
        out = sparse_answered(asked, query, &cal);
        assert_close(out.time_s / even.time_s, 1.2 * (1 + 0.1 * of[i].late), 2e-3); /* Blom */
        assert_close(sparse_output(&out, "sequential_time_s"),
                     1.2 * sparse_output(&even, "sequential_time_s"), 1e-12);
        assert_true(out.used & FR_USE(VARIABILITY));
    }
}

static bool warns(const struct fr_prediction *out, enum fr_warning_code code)
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].code == code)
            return true;
    return false;
}

static bool warns_of_fit(const struct fr_prediction *out)
{
    return warns(out, FR_WARN_FIT_QUALITY);
}

/* 1.5 Gflop/s of a core are 4 operations a cycle at 375 MHz. */
SPARSE_CASE(the_paper_on_a_core_with_vector_units_is_warned_of)
{
    static const char query[] = "matrix=r13&process_rows=2&process_columns=2&kernel_model=paper";
    struct fr_prediction out =
        sparse_answered(asked, query, sparse_calibration(sparse_node, asked->arena));

    assert_false(warns(&out, FR_WARN_OLDER_MACHINES)); /* no clock */
    out = sparse_answered(
        asked, query,
        sparse_calibration(
            "{'node': {'cores_per_node': 4, 'peak_flops_per_s': 6e9, 'clock_hz': 375e6}}",
            asked->arena));
    assert_false(warns(&out, FR_WARN_OLDER_MACHINES));
    out = sparse_answered(
        asked, query,
        sparse_calibration(
            "{'node': {'cores_per_node': 4, 'peak_flops_per_s': 6e9, 'clock_hz': 300e6}}",
            asked->arena));
    assert_true(warns(&out, FR_WARN_OLDER_MACHINES));
    assert_true(isnan(sparse_output(&out, "ordering_measured_s")));
}

/* Goals are 1.2 at the median and 1.6 at worst, of matrices that were left out. */
SPARSE_CASE(a_fit_that_misses_other_matrices_is_warned_of)
{
    static const struct {
        const char *quality;
        bool is_warned;
    } cases[] = {
        { "", false },
        { ", 'window_fit_quality': {'median': 1.3, 'worst': 2, 'left_out_median': 1.2,"
          " 'left_out_worst': 1.6}",
          false },
        { ", 'window_fit_quality': {'left_out_median': 1.21, 'left_out_worst': 1.3}", true },
        { ", 'window_fit_quality': {'left_out_median': 1.1, 'left_out_worst': 1.61}", true },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fr_calibration *cal = sparse_windowed_with(cases[i].quality, asked->arena);
        struct fr_prediction out =
            sparse_answered(asked, "matrix=r13&process_rows=2&process_columns=2", cal);

        assert_int_equal(warns_of_fit(&out), cases[i].is_warned);
        out = sparse_answered(
            asked, "matrix=r13&process_rows=2&process_columns=2&kernel_model=paper", cal);
        assert_false(warns_of_fit(&out));
    }
}

SPARSE_CASE(a_window_is_refused_where_it_means_nothing)
{
    static const char *const wrong[][2] = {
        { "kernel_model=paper&overlap=window", "overlap" },
        { "overlap=paper&lookahead_panels=3", "lookahead_panels" },
        { "kernel_model=paper&lookahead_panels=3", "lookahead_panels" },
        { "lookahead_panels=50", "lookahead_panels" },
        { "lookahead_panels=-1", "lookahead_panels" },
        { "schedule=random", "schedule" },
    };
    const struct fr_calibration *with = sparse_windowed(asked->arena);
    struct fr_prediction out;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char query[160];

        snprintf(query, sizeof query, "matrix=r13&process_rows=2&process_columns=2&%s",
                 wrong[i][0]);
        assert_true(sparse_answer(asked, query, with, &out) != FR_OK);
        assert_string_equal(sparse_faults.fault[0].where, wrong[i][1]);
    }
    assert_int_equal(
        sparse_answer(asked,
                      "matrix=r13&process_rows=2&process_columns=2&kernel_model=calibrated&"
                      "overlap=paper",
                      with, &out),
        FR_GROUP_MISSING);
    assert_non_null(strstr(sparse_faults.fault[0].message, "sparse.fit"));
    assert_int_equal(sparse_answer(asked,
                                   "matrix=r13&process_rows=2&process_columns=2&overlap=window",
                                   sparse_calibration(sparse_rates_document, asked->arena), &out),
                     FR_GROUP_MISSING);
    assert_non_null(strstr(sparse_faults.fault[0].message, "sparse.window_fit"));
}

/* A table of dgemm whose rows reach up to `most`, and whose other sizes are those of any block. */
static const struct fr_calibration *with_rows_up_to(int most, struct fr_arena *arena)
{
    json_t *document = sparse_document("power3/base"),
           *more = json_loads(quoted(sparse_rates_document, arena), 0, NULL);
    json_t *rates = json_array();

    for (int i = 0; i < 8; i++)
        json_array_append_new(rates, json_pack("{s:i, s:i, s:i, s:f}", "m", i & 1 ? most : 1, "n",
                                               i & 2 ? 4096 : 1, "k", i & 4 ? 4096 : 1,
                                               "rate_flops_per_s", 1e9));
    json_object_update_recursive(document, more);
    json_object_set_new(json_object_get(json_object_get(document, "kernels"), "dgemm"), "rates",
                        rates);
    json_decref(more);
    return sparse_decoded(document, arena);
}

SPARSE_CASE(only_sizes_of_this_grid_count_as_extrapolated)
{
    bool was_only_alone = false;

    for (int most = 2; most <= 64; most++) {
        const struct fr_arena_mark mark = fr_arena_mark(asked->arena);
        const struct fr_calibration *cal = with_rows_up_to(most, asked->arena);
        const struct fr_prediction grid =
            sparse_answered(asked, "matrix=r13&process_rows=4&process_columns=1", cal);
        const struct fr_prediction alone =
            sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1", cal);
        const bool is_grid_outside =
            has_warning(&grid, FR_WARN_EXTRAPOLATED, "kernels.dgemm.rates.m");

        assert_false(has_warning(&grid, FR_WARN_EXTRAPOLATED, "kernels.dgemm.rates.n"));
        assert_false(has_warning(&alone, FR_WARN_EXTRAPOLATED, "kernels.dgemm.rates.k"));
        was_only_alone |=
            !is_grid_outside && has_warning(&alone, FR_WARN_EXTRAPOLATED, "kernels.dgemm.rates.m");
        fr_arena_release(asked->arena, mark);
    }
    assert_true(was_only_alone);
}

SPARSE_CASE(messages_of_a_panel_are_compared_with_the_table_one_by_one)
{
    bool was_only_together = false;

    for (double most = 16; most < 1e5; most *= 1.02) {
        const struct fr_arena_mark mark = fr_arena_mark(asked->arena);
        json_t *document = sparse_document("power3/base");
        json_t *points =
            json_pack("[{s:f, s:f}, {s:f, s:f}]", "message_bytes", 8.0, "bandwidth_bytes_per_s",
                      1e6, "message_bytes", most, "bandwidth_bytes_per_s", 1e7);
        const struct fr_calibration *cal;
        bool is_outside[2];

        json_object_set_new(
            json_object_get(json_object_get(document, "network"), "message_bandwidth"), "points",
            points);
        cal = sparse_decoded(document, asked->arena);
        for (int i = 0; i < 2; i++) {
            char query[100];
            struct fr_prediction out;

            snprintf(query, sizeof query,
                     "matrix=r13&process_rows=2&process_columns=2&messages_per_panel=%d", i + 1);
            out = sparse_answered(asked, query, cal);
            is_outside[i] = has_warning(&out, FR_WARN_EXTRAPOLATED, "network.message_bandwidth");
        }
        assert_true(is_outside[0] || !is_outside[1]);
        was_only_together |= is_outside[0] && !is_outside[1];
        fr_arena_release(asked->arena, mark);
    }
    assert_true(was_only_together);
}

SPARSE_CASE(processes_are_given_in_one_of_four_ways)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    const struct fr_prediction grid =
        sparse_answered(asked, "matrix=r12&process_rows=2&process_columns=4", cal);

    assert_true(grid.processes == 8 && grid.nodes == 2);
    assert_true(sparse_answered(asked, "matrix=r12&process_rows=2&processes=8", cal).time_s ==
                grid.time_s);
    assert_true(sparse_answered(asked, "matrix=r12&process_rows=2&cores=8", cal).time_s ==
                grid.time_s);
    assert_true(sparse_answered(asked, "matrix=r12&process_rows=2&nodes=2", cal).time_s ==
                grid.time_s);
}

SPARSE_CASE(memory_that_misses_the_tlb_makes_an_upper_time)
{
    const char query[] = "matrix=r12&process_rows=1&process_columns=1";
    struct fr_prediction out =
        sparse_answered(asked, query, sparse_calibration(sparse_node, asked->arena));
    double high;

    assert_true(isnan(sparse_output(&out, "sequential_time_upper_s")));
    out = sparse_answered(
        asked, query,
        sparse_calibration(
            "{'memory': {'memory_latency_s': 1e-9, 'memory_latency_tlb_miss_s': 5e-9}}",
            asked->arena));
    high = sparse_output(&out, "sequential_time_upper_s");
    assert_close(out.time_s, high, 1e-12); /* section 2: the paper counts TLB misses */
    out = sparse_answered(
        asked, "matrix=r12&process_rows=1&process_columns=1&tlb=hit",
        sparse_calibration(
            "{'memory': {'memory_latency_s': 1e-9, 'memory_latency_tlb_miss_s': 5e-9}}",
            asked->arena));
    assert_close(sparse_output(&out, "sequential_time_upper_s"), high, 1e-12);
    assert_close(out.time_s, sparse_output(&out, "sequential_time_s"), 1e-12);
    assert_close(high - out.time_s, 4e-9 * sparse_output(&out, "cache_misses_1"), 1e-9);
    sparse_refused_for(asked, "matrix=r12&process_rows=1&process_columns=1&tlb=miss",
                       sparse_calibration(sparse_node, asked->arena), "calibration",
                       "tlb=hit needs none");
}

SPARSE_CASE(entries_of_the_matrix_make_fill)
{
    const char query[] = "matrix=r12&process_rows=1&process_columns=1";
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_prediction out = sparse_answered(asked, query, cal);

    assert_true(isnan(sparse_output(&out, "fill")));
    asked->s[2]->entries = 500;
    out = sparse_answered(asked, query, cal);
    assert_close(sparse_output(&out, "fill"), (510 + 408 + 533) / 500., 1e-12);
}

/* ---- what it refuses ------------------------------------------------------------------------ */

SPARSE_CASE(refusals_name_what_is_wrong)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena), *bare;
    json_t *document;

    sparse_refused_for(asked, "process_rows=1&process_columns=1", cal, "matrix", "required");
    sparse_refused_for(asked, "matrix=x&process_rows=1&process_columns=1", cal, "matrix",
                       "no such structure");
    sparse_refused_for(asked, "matrix=r11&process_rows=1", cal, "processes", "required");
    sparse_refused_for(asked, "matrix=r11&processes=4", cal, "process_rows", "required");
    sparse_refused_for(asked, "matrix=r11&process_rows=3&processes=4", cal, "process_rows",
                       "3 does not divide 4 processes");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&processes=4&cores=4", cal, "cores",
                       "given too");
    sparse_refused_for(asked, "matrix=r11&process_rows=400&process_columns=400", cal,
                       "process_columns", "at most 65536");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&nodes=60000", cal, "nodes",
                       "at most 65536");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&process_columns=1&kernel_model=calibrated",
                       cal, "calibration", "kernels");
    document = sparse_document("power3/base");
    json_object_del(json_object_get(document, "sparse"), "dtrsv_unroll");
    json_object_del(json_object_get(document, "memory"), "memory_latency_s");
    json_object_del(document, "network");
    bare = sparse_decoded(document, asked->arena);
    sparse_refused_for(asked, "matrix=r11&process_rows=1&process_columns=2", bare, "calibration",
                       "sparse.dtrsv_unroll is missing");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&process_columns=2", bare, "calibration",
                       "memory.memory_latency_s is missing");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&process_columns=2", bare, "calibration",
                       "network.message_bandwidth");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&nodes=1", bare, "calibration",
                       "node.cores_per_node");
    sparse_refused_for(asked, "matrix=r11&process_rows=1&process_columns=1",
                       sparse_calibration("{'memory': {'index_bytes': 4.5}}", asked->arena),
                       "calibration", "index_bytes is 4.5");
}

SPARSE_CASE(without_structures_nothing_is_predicted_but_all_else_is_judged)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_prediction out;
    struct fr_spread spread;
    void *values;
    const struct fr_model *model;

    sparse_faults.count = 0;
    model = ask("sparse_lu", "matrix=r11&process_rows=2&processes=4", asked->arena, &values,
                &sparse_faults);
    assert_int_equal(fr_model_resolve(model, values, cal, &sparse_faults), FR_OK);
    assert_int_equal(
        fr_model_answer(model, values, NULL, cal, asked->arena, &out, &spread, &sparse_faults),
        FR_NOT_FOUND);
    assert_string_equal(sparse_faults.fault[0].where, "matrix");
}

GROUP(sparse_asked_load, sparse_asked_unload)
