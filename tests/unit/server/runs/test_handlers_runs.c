/* Saved runs, asked of the handlers directly. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <string.h>

#define RUNS "/api/v1/machines/{machine}/runs"
#define RUN(n, time)                                                                            \
    "{'model': 'matmul', 'time_s': " time ", 'parameters': {'algorithm': 'cannon', 'variant': " \
    "'2d', 'n': " n ", 'cores': 4, 'threads': 1}, 'job': 'j" n "'}"
#define OTHER                                                                                  \
    "{'model': 'trsm', 'time_s': 9, 'started_at': '2026-11-20T12:00:00+01:00', 'parameters': " \
    "{'variant': '2d', 'n': 4, 'processes': 4, 'threads': 1, 'blocks_per_process': 1}}"

static void upload(struct handler_fixture *fixture, int status, const char *body)
{
    fixture_ask(fixture, "POST", RUNS, "round", NULL, body, FR_JSON);
    if (fixture->status != status)
        fail_msg("%d instead of %d: %s", fixture->status, status, fixture->text);
}

static size_t listed(struct handler_fixture *fixture, const char *query)
{
    fixture_get(fixture, 200, RUNS, "round", query);
    return json_array_size(fixture_at(fixture, "/items"));
}

DESK_TEST(one_run_has_a_place_and_is_known_the_second_time)
{
    char location[256];

    upload(fixture, 201, RUN("4", "1.5"));
    assert_close(fixture_number(fixture, "/stored"), 1, 0);
    assert_close(fixture_number(fixture, "/known"), 0, 0);
    assert_true(json_is_true(fixture_at(fixture, "/items/0/created")));
    assert_string_equal(fixture->reply.location, fixture_string(fixture, "/items/0/url"));
    snprintf(location, sizeof location, "%s", fixture->reply.location);
    upload(fixture, 200, RUN("4", "1.50"));
    assert_close(fixture_number(fixture, "/known"), 1, 0);
    assert_true(json_is_false(fixture_at(fixture, "/items/0/created")));
    assert_string_equal(fixture->reply.location, location);
}

DESK_TEST(an_array_is_stored_as_a_whole_or_not_at_all)
{
    upload(fixture, 422, "[" RUN("4", "1") ", " RUN("8", "-1") "]");
    fixture_refuses(fixture, "out_of_range", "/1/time_s");
    assert_int_equal(listed(fixture, NULL), 0);
    upload(fixture, 201, "[" RUN("4", "1") ", " RUN("8", "2") ", " RUN("4", "1") "]");
    assert_close(fixture_number(fixture, "/stored"), 2, 0);
    assert_close(fixture_number(fixture, "/known"), 1, 0);
    assert_int_equal(json_array_size(fixture_at(fixture, "/items")), 3);
    assert_string_equal(fixture->reply.location, "");
    upload(fixture, 200, "[" RUN("8", "2") "]");
    upload(fixture, 200, "[]");
    assert_int_equal(listed(fixture, NULL), 2);
}

DESK_TEST(a_run_tells_what_was_stored_with_it)
{
    char id[17], calibration[17], etag[48];

    upload(fixture, 201, OTHER);
    snprintf(id, sizeof id, "%s", fixture_string(fixture, "/items/0/id"));
    fixture_get(fixture, 200, "/api/v1/machines/{machine}", "round", NULL);
    assert_close(fixture_number(fixture, "/runs"), 1, 0);
    snprintf(calibration, sizeof calibration, "%s", fixture_string(fixture, "/calibration"));
    fixture_get(fixture, 200, "/api/v1/runs/{id}", id, NULL);
    assert_string_equal(fixture_string(fixture, "/id"), id);
    assert_string_equal(fixture_string(fixture, "/machine"), "round");
    assert_string_equal(fixture_string(fixture, "/calibration"), calibration);
    assert_string_equal(fixture_string(fixture, "/model"), "trsm");
    /* The document's own members are as they came. */
    assert_string_equal(fixture_string(fixture, "/started_at"), "2026-11-20T12:00:00+01:00");
    assert_close(fixture_number(fixture, "/parameters/n"), 4, 0);
    assert_close(fixture_number(fixture, "/time_s"), 9, 0);
    snprintf(etag, sizeof etag, "\"%s\"", fixture->reply.etag);
    fixture->rq.if_none_match = etag;
    fixture_ask(fixture, "GET", "/api/v1/runs/{id}", id, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 304);
    fixture->rq.if_none_match = NULL;
    fixture_get(fixture, 404, "/api/v1/runs/{id}", "0123456789abcdef", NULL);
}

DESK_TEST(runs_are_listed_newest_first_and_narrowed)
{
    upload(fixture, 201, "[" RUN("4", "1") ", " RUN("8", "2") ", " OTHER "]");
    assert_int_equal(listed(fixture, NULL), 3);
    assert_string_equal(fixture_string(fixture, "/items/0/model"), "trsm");
    assert_string_equal(fixture_string(fixture, "/items/0/started_at"), "2026-11-20T11:00:00.000Z");
    assert_close(fixture_number(fixture, "/items/1/parameters/processes"), 4, 0);
    assert_close(fixture_number(fixture, "/items/1/parameters/cores"), 4, 0);
    assert_string_equal(fixture_string(fixture, "/items/1/job"), "j8");
    assert_int_equal(listed(fixture, "model=matmul"), 2);
    assert_int_equal(listed(fixture, "n=4"), 2);
    assert_int_equal(listed(fixture, "n=4&model=matmul"), 1);
    assert_int_equal(listed(fixture, "n=4e0&processes=4&contention=true"), 2);
    assert_int_equal(listed(fixture, "algorithm=summa"), 0);
    assert_int_equal(listed(fixture, "variant=2d"), 3);
    assert_int_equal(listed(fixture, "from=2026-11-20&to=2026-11-20"), 1);
    assert_int_equal(listed(fixture, "to=2026-11-20T11:59:59+01:00"), 0);
    assert_int_equal(listed(fixture, "to=2026-11-20T12:00:00+01:00"), 1);
    assert_int_equal(listed(fixture, "from=9999-01-01"), 0);
    fixture_get(fixture, 404, RUNS, "nowhere", NULL);
}

DESK_TEST(a_list_is_refused_with_every_fault)
{
    fixture_get(fixture, 400, RUNS, "round",
                "model=chol&limit=0&rows=4&variant=3d&from=x&to=2026-02-30");
    assert_int_equal(fixture_error_count(fixture), 6);
    fixture_refuses(fixture, "unknown_choice", "model");
    fixture_refuses(fixture, "out_of_range", "limit");
    fixture_refuses(fixture, "unknown_parameter", "rows");
    fixture_refuses(fixture, "unknown_choice", "variant");
    fixture_refuses(fixture, "syntax", "from");
    fixture_refuses(fixture, "syntax", "to");
    fixture_get(fixture, 422, RUNS, "round", "model=trsm&algorithm=cannon");
    fixture_refuses(fixture, "unknown_parameter", "algorithm");
    fixture_get(fixture, 400, RUNS, "round", "cursor=x");
    fixture_get(fixture, 422, RUNS, "round", "n=4&n=5");
    fixture_refuses(fixture, "given_twice", "n");
}

DESK_TEST(the_next_page_has_the_same_filters)
{
    const char *next;

    upload(fixture, 201, "[" RUN("4", "1") ", " RUN("4", "2") ", " RUN("8", "2") "]");
    assert_int_equal(listed(fixture, "n=4&to=2999-01-01T00:00:00+01:00&limit=1"), 1);
    next = fixture_string(fixture, "/next");
    assert_non_null(strstr(next, "/api/v1/machines/round/runs?n=4&to=2999-01-01T00%3A00%3A00%2B01"
                                 "%3A00&limit=1&cursor="));
    assert_int_equal(listed(fixture, "limit=3"), 3);
    assert_true(json_is_null(fixture_at(fixture, "/next")));
}

DESK_TEST(tables_have_the_parameters_of_one_model)
{
    upload(fixture, 201, "[" RUN("4", "1") ", " OTHER "]");
    fixture_ask(fixture, "GET", RUNS, "round", "model=matmul", NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, "job,time_s,algorithm,variant,n,processes,threads,"));
    assert_non_null(strstr(fixture->text, ",j4,1,cannon,2d,4,4,1,"));
    fixture_ask(fixture, "GET", RUNS, "round", NULL, NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, "job,time_s,url\r\n"));
    fixture_ask(fixture, "GET", RUNS, "round", "model=trsm", NULL, FR_TXT);
    assert_non_null(strstr(fixture->text, "started_at=2026-11-20T11:00:00.000Z\n"));
    assert_non_null(strstr(fixture->text, "\nblocks_per_process=1\n"));
}

DESK_TEST(what_runs_refer_to_is_deleted_after_them)
{
    char calibration[17], id[17];

    upload(fixture, 201, OTHER);
    snprintf(id, sizeof id, "%s", fixture_string(fixture, "/items/0/id"));
    fixture_get(fixture, 200, "/api/v1/machines/{machine}", "round", NULL);
    snprintf(calibration, sizeof calibration, "%s", fixture_string(fixture, "/calibration"));
    fixture_ask(fixture, "DELETE", "/api/v1/calibrations/{id}", calibration, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 409);
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "round", NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 409);
    fixture_ask(fixture, "DELETE", "/api/v1/runs/{id}", id, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 204);
    fixture_ask(fixture, "DELETE", "/api/v1/runs/{id}", id, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 404);
    fixture_ask(fixture, "DELETE", "/api/v1/calibrations/{id}", calibration, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 204);
}

DESK_TEST(a_machine_without_calibration_takes_runs)
{
    fixture_ask(fixture, "POST", RUNS, "bare", NULL, "{}", FR_JSON);
    assert_int_equal(fixture->status, 422);
    fixture_ask(fixture, "POST", RUNS, "bare", "preview=true", OTHER, FR_JSON);
    assert_int_equal(fixture->status, 200);
    assert_true(json_is_true(fixture_at(fixture, "/preview")));
    assert_int_equal(json_integer_value(fixture_at(fixture, "/stored")), 0);
    assert_string_equal(json_string_value(fixture_at(fixture, "/warnings/0/what")), "machine");
    fixture_ask(fixture, "GET", "/api/v1/machines/{machine}", "bare", NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 404);
    fixture_ask(fixture, "POST", RUNS, "Bare!", NULL, OTHER, FR_JSON);
    assert_int_equal(fixture->status, 422);
    fixture_ask(fixture, "POST", RUNS, "bare", NULL, OTHER, FR_JSON);
    assert_int_equal(fixture->status, 201);
    assert_string_equal(json_string_value(fixture_at(fixture, "/warnings/0/what")), "machine");
    fixture_get(fixture, 200, RUNS, "bare", "model=trsm&processes=4");
    assert_true(json_is_null(fixture_at(fixture, "/items/0/calibration")));
    /* 15 processes make no square; without a calibration nobody asks the model. */
    fixture_ask(
        fixture, "POST", RUNS, "bare", NULL,
        "{'model': 'trsm', 'time_s': 9, 'parameters': {'variant': '2d', 'n': 4, 'processes': "
        "15, 'threads': 1, 'blocks_per_process': 1}}",
        FR_JSON);
    assert_int_equal(fixture->status, 201);
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "bare", "cascade=true", NULL,
                FR_JSON);
    assert_int_equal(fixture->status, 204);
}

static const char sacct[] = "JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start\n"
                            "1207|gemm|COMPLETED|318|1||2024-05-14T09:12:03\n"
                            "1207.0|gemm|COMPLETED|301|1|4|2024-05-14T09:12:18\n"
                            "1208.0|gemm|FAILED|3|1|4|2024-05-14T09:12:18\n";

DESK_TEST(a_text_of_another_program_becomes_runs)
{
    fixture_ask(fixture, "POST", RUNS, "round",
                "format=sacct&model=matmul&algorithm=cannon&variant=2d&n=4&threads=1", sacct,
                FR_JSON);
    if (fixture->status != 201)
        fail_msg("%d: %s", fixture->status, fixture->text);
    assert_close(fixture_number(fixture, "/stored"), 1, 0);
    assert_close(fixture_number(fixture, "/left_out"), 1, 0);
    assert_int_equal(listed(fixture, "model=matmul&processes=4"), 1);
    assert_close(fixture_number(fixture, "/items/0/time_s"), 301, 0);
}

DESK_TEST(a_text_is_refused_by_line_and_by_parameter)
{
    fixture_ask(fixture, "POST", RUNS, "round", "format=hpll", sacct, FR_JSON);
    assert_int_equal(fixture->status, 422);
    fixture_refuses(fixture, "unknown_choice", "format");
    fixture_ask(fixture, "POST", RUNS, "round", "format=sacct&model=mat", sacct, FR_JSON);
    fixture_refuses(fixture, "unknown_choice", "model");
    fixture_ask(fixture, "POST", RUNS, "round", "format=sacct&model=matmul&n=0&nn=1&n=1", sacct,
                FR_JSON);
    assert_int_equal(fixture_error_count(fixture), 3);
    fixture_refuses(fixture, "out_of_range", "n");
    fixture_refuses(fixture, "unknown_parameter", "nn");
    fixture_refuses(fixture, "given_twice", "n");
    fixture_ask(fixture, "POST", RUNS, "round", "format=sacct&model=matmul", sacct, FR_JSON);
    fixture_refuses(fixture, "required", "/parameters/n");
    fixture_ask(fixture, "POST", RUNS, "round", "model=matmul", OTHER, FR_JSON);
    fixture_refuses(fixture, "unknown_parameter", "model");
    assert_int_equal(listed(fixture, NULL), 0);
}

/* An LU factorization is no run of a Cholesky factorization, whatever the request says. */
DESK_TEST(output_of_hpl_is_stored_as_runs_of_hpl)
{
    static const char hpl[] = "WR11C2R4  400  32  1  4  0.00  5.461e+01\n";
    struct handler_fixture *desk = *state;

    fixture_ask(desk, "POST", RUNS, "round", "format=hpl&model=cholesky", hpl, FR_JSON);
    assert_int_equal(desk->status, 422);
    fixture_refuses(desk, "impossible_combination", "model");
    assert_int_equal(listed(desk, NULL), 0);
    fixture_ask(desk, "POST", RUNS, "round", "format=hpl", hpl, FR_JSON);
    assert_int_equal(desk->status, 201);
    assert_int_equal(listed(desk, "model=hpl&process_columns=4&broadcast=1ringM"), 1);
}
