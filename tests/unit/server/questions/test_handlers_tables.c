/* Sweeps, rankings, recommendations and charts, through the handlers. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP "/api/v1/sweep/{model}"
#define RANK "/api/v1/rank/{model}"
#define RECOMMEND "/api/v1/recommend/{model}"
#define CHART "/api/v1/chart/{model}"

/* ---- sweep ---- */

DESK_TEST(a_sweep_is_the_product_of_its_lists)
{
    static const double rows[][3] = { { 4, 1, 128 }, { 4, 4, 72 },    { 8, 1, 1024 },
                                      { 8, 4, 392 }, { 12, 1, 3456 }, { 12, 4, 1160 } };

    fixture_get(fixture, 200, SWEEP, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4..12..4&"
                "processes=1,4");
    assert_close(fixture_number(fixture, "/points"), 6, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 6);
    for (int i = 0; i < 6; i++) {
        char pointer[40];

        snprintf(pointer, sizeof pointer, "/rows/%d/n", i);
        assert_close(fixture_number(fixture, pointer), rows[i][0], 0);
        snprintf(pointer, sizeof pointer, "/rows/%d/processes", i);
        assert_close(fixture_number(fixture, pointer), rows[i][1], 0);
        snprintf(pointer, sizeof pointer, "/rows/%d/time_s", i);
        assert_close(fixture_number(fixture, pointer), rows[i][2], 1e-15);
    }
    assert_true(json_is_null(fixture_at(fixture, "/rows/0/error")));
}

DESK_TEST(lists_may_be_of_choices_and_of_machines)
{
    fixture_get(fixture, 200, SWEEP, "matmul",
                "machine=round,full&contention_model=paper&algorithm=cannon,summa&variant=2d&n=64&"
                "processes=4"
                "&contention=true,false");
    assert_close(fixture_number(fixture, "/points"), 8, 0);
    assert_string_equal(fixture_string(fixture, "/rows/3/machine"), "round");
    assert_string_equal(fixture_string(fixture, "/rows/4/machine"), "full");
    assert_string_equal(fixture_string(fixture, "/rows/4/algorithm"), "cannon");
    assert_string_equal(fixture_string(fixture, "/rows/7/algorithm"), "summa");
    assert_true(json_is_false(fixture_at(fixture, "/rows/7/contention")));
}

DESK_TEST(an_illegal_point_is_a_row_with_its_reason)
{
    fixture_get(
        fixture, 200, SWEEP, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1..4");
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 4);
    assert_non_null(strstr(fixture_string(fixture, "/rows/1/error"), "processes: 2"));
    assert_true(json_is_null(fixture_at(fixture, "/rows/1/time_s")));
    assert_close(fixture_number(fixture, "/rows/1/processes"), 2, 0);
    assert_close(fixture_number(fixture, "/rows/3/time_s"), 392, 1e-15);
}

DESK_TEST(a_sweep_without_a_legal_point_is_refused)
{
    fixture_get(
        fixture, 422, SWEEP, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=2,3");
    fixture_refuses(fixture, "impossible_combination", "processes");
    fixture_get(fixture, 422, SWEEP, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&n=8,16&processes=4");
    fixture_refuses(fixture, "required", "variant");
}

DESK_TEST(a_sweep_tells_all_its_faults)
{
    fixture_get(fixture, 422, SWEEP, "matmul",
                "machine=nowhere&algorithm=cannon,canon&n=0,5&proceses=4&what_if.x=*2");
    fixture_refuses(fixture, "not_found", "machine");
    fixture_refuses(fixture, "unknown_choice", "algorithm");
    fixture_refuses(fixture, "out_of_range", "n");
    fixture_refuses(fixture, "unknown_parameter", "proceses");
    fixture_refuses(fixture, "required", "variant");
    fixture_refuses(fixture, "required", "processes");
}

DESK_TEST(too_many_points_are_refused)
{
    fixture_get(fixture, 422, SWEEP, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=1..1000&"
                "processes=1..101");
    fixture_refuses(fixture, "too_many_points", "processes");
    fixture_get(fixture, 422, SWEEP, "matmul",
                "machine=round,full&contention_model=paper&algorithm=cannon&variant=2d&n=1..50001&"
                "processes=1");
    fixture_refuses(fixture, "too_many_points", "n");
    fixture_get(fixture, 422, SWEEP, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=1..1e9");
    fixture_refuses(fixture, "too_many_points", "n");
}

static size_t lines(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

DESK_TEST(a_sweep_as_csv_has_a_line_for_each_point)
{
    fixture_ask(
        fixture, "GET", SWEEP, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1..4", NULL,
        FR_CSV);
    assert_int_equal(fixture->status, 200);
    assert_int_equal(lines(fixture->text), 5);
    assert_non_null(strstr(fixture->text, "\r\nround,"));
    fixture_ask(
        fixture, "GET", SWEEP, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1,4", NULL,
        FR_TXT);
    assert_non_null(strstr(fixture->text, "\nrow_2_time_s=392\n"));
    assert_non_null(strstr(fixture->text, "\ntime_s=1024\n"));
}

/* tune=true: each point uses the best values of the tunables that were left open. */
DESK_TEST(a_tuned_sweep_takes_the_best_at_each_point)
{
    double best;

    fixture_get(fixture, 200, RANK, "matmul", "machine=round&n=64&processes=64&threads=2");
    best = fixture_number(fixture, "/rows/0/time_s");
    fixture_get(fixture, 200, SWEEP, "matmul",
                "machine=round&n=32,64&processes=64&threads=2&tune=true");
    assert_true(fixture_number(fixture, "/rows/1/time_s") == best);
}

/* ---- rank ---- */

DESK_TEST(a_ranking_is_numbered_and_relative_to_the_best)
{
    json_t *row;
    size_t index;
    double before = 0;

    fixture_get(fixture, 200, RANK, "matmul", "machine=round&n=64&processes=64&threads=2");
    assert_close(fixture_number(fixture, "/considered"), 8, 0);
    assert_close(fixture_number(fixture, "/left_out/memory_exceeded"), 0, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 8);
    json_array_foreach(fixture_at(fixture, "/rows"), index, row)
    {
        const double time_s = json_number_value(json_object_get(row, "time_s"));

        assert_close(json_number_value(json_object_get(row, "rank")), (double)index + 1, 0);
        assert_close(json_number_value(json_object_get(row, "slowdown")),
                     time_s / fixture_number(fixture, "/rows/0/time_s"), 1e-15);
        /* 32 nodes of 4 cores. */
        assert_close(json_number_value(json_object_get(row, "core_hours")), 32 * 4 * time_s / 3600,
                     1e-15);
        assert_close(json_number_value(json_object_get(row, "efficiency_fraction")),
                     json_number_value(json_object_get(row, "percent_of_peak")) / 100, 1e-15);
        assert_true(time_s >= before);
        before = time_s;
    }
    fixture_get(fixture, 200, RANK, "matmul", "machine=round&n=64&processes=64&threads=2&limit=3");
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 3);
    assert_close(fixture_number(fixture, "/considered"), 8, 0);
}

DESK_TEST(memory_limits_a_ranking_unless_it_is_ignored)
{
    fixture_get(fixture, 200, RANK, "matmul", "machine=round&n=1024&processes=64&algorithm=cannon");
    assert_close(fixture_number(fixture, "/left_out/memory_exceeded"), 2, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 2);
    fixture_get(fixture, 200, RANK, "matmul",
                "machine=round&n=1024&processes=64&algorithm=cannon&memory=ignore");
    assert_int_equal(json_array_size(fixture_at(fixture, "/rows")), 4);
    fixture_get(fixture, 422, RANK, "matmul",
                "machine=round&n=100000&processes=64&algorithm=cannon");
    fixture_refuses(fixture, "infeasible", "memory");
}

DESK_TEST(a_ranking_tells_all_its_faults)
{
    fixture_get(fixture, 422, RANK, "matmul",
                "n=0&memory=limitless&limit=0&procs=4&what_if.node.x=1");
    fixture_refuses(fixture, "required", "machine");
    fixture_refuses(fixture, "out_of_range", "n");
    fixture_refuses(fixture, "unknown_choice", "memory");
    fixture_refuses(fixture, "out_of_range", "limit");
    fixture_refuses(fixture, "unknown_parameter", "procs");
    fixture_refuses(fixture, "required", "processes");
    fixture_get(fixture, 422, RANK, "matmul", "machine=round&processes=12");
    fixture_refuses(fixture, "required", "n");
    fixture_get(fixture, 422, RANK, "matmul", "machine=round&n=64&processes=12");
    fixture_refuses(fixture, "impossible_combination", "processes");
}

/* ---- recommend ---- */

DESK_TEST(a_recommendation_is_the_best_and_the_runners_up)
{
    fixture_get(fixture, 200, RECOMMEND, "matmul",
                "machine=round&n=12&algorithm=cannon&variant=2d&objective=nodes&max_nodes=16");
    assert_string_equal(fixture_string(fixture, "/objective"), "nodes");
    assert_close(fixture_number(fixture, "/best/nodes"), 1, 0);
    assert_close(fixture_number(fixture, "/best/rank"), 1, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/runners_up")),
                     3); /* 4, 9 and 16 nodes */
    assert_close(fixture_number(fixture, "/runners_up/0/nodes"), 4, 0);
    fixture_get(fixture, 200, RECOMMEND, "matmul",
                "machine=round&n=12&algorithm=cannon&variant=2d&nodes=4,9&objective=nodes");
    assert_close(fixture_number(fixture, "/best/nodes"), 4, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/runners_up")), 1);
}

DESK_TEST(the_machines_size_bounds_a_recommendation)
{
    fixture_ask(fixture, "PUT", "/api/v1/machines/{machine}", "round", NULL, "{'nodes': 10}",
                FR_JSON);
    assert_int_equal(fixture->status, 200);
    fixture_get(fixture, 200, RECOMMEND, "matmul",
                "machine=round&n=12&algorithm=cannon&variant=2d&objective=nodes");
    assert_int_equal(json_array_size(fixture_at(fixture, "/runners_up")), 2); /* 4 and 9 nodes */
}

DESK_TEST(an_infeasible_goal_is_told_with_the_shortfall)
{
    fixture_get(fixture, 422, RECOMMEND, "matmul",
                "machine=round&n=12&algorithm=cannon&variant=2d&max_nodes=4&deadline_s=1"
                "&min_efficiency_fraction=1");
    fixture_refuses(fixture, "infeasible", "deadline_s");
    fixture_refuses(fixture, "infeasible", "min_efficiency_fraction");
    assert_string_equal(fixture_string(fixture, "/type"), "urn:forerun:problem:infeasible");
}

DESK_TEST(a_recommendation_tells_all_its_faults)
{
    fixture_get(fixture, 422, RECOMMEND, "matmul",
                "objective=speed&max_nodes=0&deadline_s=-1&nodez=4&min_efficiency_fraction=2");
    fixture_refuses(fixture, "required", "machine");
    fixture_refuses(fixture, "unknown_choice", "objective");
    fixture_refuses(fixture, "out_of_range", "max_nodes");
    fixture_refuses(fixture, "out_of_range", "deadline_s");
    fixture_refuses(fixture, "out_of_range", "min_efficiency_fraction");
    fixture_refuses(fixture, "unknown_parameter", "nodez");
    fixture_refuses(fixture, "required", "n");
    assert_int_equal(fixture_error_count(fixture), 7);
    fixture_get(fixture, 422, RECOMMEND, "matmul", "machine=round&objective=speed");
    fixture_refuses(fixture, "unknown_choice", "objective");
    fixture_refuses(fixture, "required", "n");
    assert_int_equal(fixture_error_count(fixture), 2);
    fixture_get(fixture, 422, RECOMMEND, "matmul", "machine=round&n=12&nodes=0,5");
    fixture_refuses(fixture, "out_of_range", "nodes");
    fixture_get(fixture, 422, RECOMMEND, "matmul", "machine=round&n=12&nodes=4,5&processes=4");
    fixture_refuses(fixture, "impossible_combination", "nodes");
}

/* ---- charts ---- */

static void chart(struct handler_fixture *fixture, int status, const char *query,
                  enum fr_format format)
{
    fixture_ask(fixture, "GET", CHART, "matmul", query, NULL, format);
    if (fixture->status != status)
        fail_msg("%s: %d instead of %d: %s", query, fixture->status, status, fixture->text);
}

DESK_TEST(a_chart_is_a_script_with_its_data_inside)
{
    chart(fixture, 200,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=4,8,12&"
          "processes=4&x=n"
          "&series=variant&title=It's a `title`",
          FR_GP);
    assert_non_null(strstr(fixture->text, "2d_ovlp"));
    assert_non_null(strstr(fixture->text, "'It''s a `title`'"));
    assert_non_null(strstr(fixture->text, "4 72"));
    assert_non_null(strstr(fixture->text, "12 1160"));
    assert_null(strstr(fixture->text, "\""));
}

DESK_TEST(a_chart_chooses_its_axes_from_the_lists)
{
    chart(fixture, 200,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=4,8&"
          "processes=4",
          FR_GP);
    assert_non_null(strstr(fixture->text, "8 392"));
    chart(fixture, 422,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4",
          FR_GP);
    fixture_refuses(fixture, "required", "x");
    chart(fixture, 422,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4,8&processes=1,4&"
          "word_bytes=4,8",
          FR_GP);
    fixture_refuses(fixture, "impossible_combination", "word_bytes");
}

DESK_TEST(a_chart_tells_all_its_faults)
{
    chart(fixture, 422,
          "machine=round&contention_model=paper&algorithm=cannon&n=4,8&processes=4&x=m&y=time&"
          "series=bogus&width=5",
          FR_GP);
    fixture_refuses(fixture, "unknown_choice", "x");
    fixture_refuses(fixture, "unknown_choice", "y");
    fixture_refuses(fixture, "unknown_choice", "series");
    fixture_refuses(fixture, "out_of_range", "width");
    fixture_refuses(fixture, "required", "variant");
}
