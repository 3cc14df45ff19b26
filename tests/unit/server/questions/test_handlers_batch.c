/* Batches of predictions, through the handler. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <string.h>

#define BATCH "/api/v1/predict"

static void batch(struct handler_fixture *fixture, int status, const char *body)
{
    fixture_ask(fixture, "POST", BATCH, NULL, NULL, body, FR_JSON);
    if (fixture->status != status || !fixture->json)
        fail_msg("%d instead of %d: %s", fixture->status, status, fixture->text);
}

/* An error of one result; errors are below /results/INDEX. */
static void result_refuses(struct handler_fixture *fixture, int index, const char *code,
                           const char *where)
{
    char pointer[40];
    struct handler_fixture one = *fixture;

    snprintf(pointer, sizeof pointer, "/results/%d", index);
    one.json = fixture_at(fixture, pointer);
    one.status = (int)fixture_number(&one, "/status");
    fixture_refuses(&one, code, where);
}

#define QUESTION                                                                          \
    "'model': 'matmul', 'machine': 'round', 'parameters': {'contention_model': 'paper', " \
    "'algorithm': 'cannon',"                                                              \
    " 'variant': '2d', 'n': 4.0, 'processes': 4}"

DESK_TEST(a_batch_answers_each_request_in_order)
{
    batch(fixture, 200,
          "{'requests': [{" QUESTION "}, {'model': 'nothing'}, {" QUESTION
          ", 'what_if': {'network.latency': '*3', 'node.memory_bytes': 5}}]}");
    assert_int_equal(json_array_size(fixture_at(fixture, "/results")), 3);
    assert_close(fixture_number(fixture, "/results/0/time_s"), 72, 1e-15);
    result_refuses(fixture, 1, "unknown_choice", "model");
    assert_close(fixture_number(fixture, "/results/2/time_s"), 56 + 32, 1e-15);
    assert_close(fixture_number(fixture, "/results/2/baseline/time_s"), 72, 1e-15);
    assert_string_equal(fixture_string(fixture, "/results/2/what_if/network.latency"), "*3");
}

DESK_TEST(a_batch_takes_a_whole_calibration)
{
    char body[6000];

    snprintf(body, sizeof body,
             "{'requests': [{'model': 'matmul', 'parameters': {'contention_model': 'paper', "
             "'algorithm': 'cannon',"
             " 'variant': '2d', 'n': 4, 'processes': 4}, 'calibration': %s}]}",
             round_machine);
    batch(fixture, 200, body);
    assert_close(fixture_number(fixture, "/results/0/time_s"), 72, 1e-15);
    batch(fixture, 200,
          "{'requests': [{'model': 'matmul', 'calibration': {'schema': 'forerun-calibration-1',"
          " 'machine': 'm', 'node': {'cores': 4}}}]}");
    result_refuses(fixture, 0, "unknown_key", "/calibration/node/cores");
    result_refuses(fixture, 0, "required", "n");
    batch(fixture, 200,
          "{'requests': [{'model': 'matmul', 'machine': 'round', 'calibration':"
          " {'schema': 'forerun-calibration-1', 'machine': 'm'}}]}");
    result_refuses(fixture, 0, "impossible_combination", "machine");
}

DESK_TEST(a_batch_refuses_what_has_the_wrong_type)
{
    static const struct {
        const char *request, *code, *where;
    } cases[] = {
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'n': '4'}}", "wrong_type", "n" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'n': true}}", "wrong_type", "n" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'n': 4.5}}", "wrong_type", "n" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'n': null}}", "wrong_type", "n" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'n': 0}}", "out_of_range", "n" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'contention': 1}}", "wrong_type",
          "contention" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'variant': 2}}", "wrong_type",
          "variant" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': []}", "wrong_type", "parameters" },
        { "{'model': 'trsm', 'machine': 'round', 'parameters': {'m': 4}}", "unknown_parameter",
          "m" },
        { "{'model': 'trsm', 'machine': 'round', 'what_if': []}", "wrong_type", "what_if" },
        { "{'model': 'trsm', 'machine': 'round', 'what_if': {'a': true}}", "wrong_type",
          "what_if" },
        { "{'model': 'trsm', 'machine': 5}", "wrong_type", "machine" },
        { "{'model': 'trsm', 'calibration': 5}", "wrong_type", "calibration" },
        { "{'model': 'trsm'}", "required", "machine" },
        { "{'model': 'trsm', 'machine': 'round', 'parametres': {}}", "unknown_key", "parametres" },
        { "{'machine': 'round'}", "required", "model" },
        { "{'model': 5}", "wrong_type", "model" },
        { "{'model': null}", "wrong_type", "model" },
        { "5", "wrong_type", "" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[200];

        snprintf(body, sizeof body, "{'requests': [%s]}", cases[i].request);
        batch(fixture, 200, body);
        result_refuses(fixture, 0, cases[i].code, cases[i].where);
    }
}

DESK_TEST(a_request_of_a_batch_tells_all_its_faults)
{
    batch(fixture, 200,
          "{'requests': [{'model': 'matmul', 'machine': 'round', 'extra': 1,"
          " 'parameters': {'n': 0, 'variant': '3d'}, 'what_if': {'node.bogus': 1}}]}");
    result_refuses(fixture, 0, "unknown_key", "extra");
    result_refuses(fixture, 0, "out_of_range", "n");
    result_refuses(fixture, 0, "unknown_choice", "variant");
    result_refuses(fixture, 0, "unknown_parameter", "what_if.node.bogus");
    result_refuses(fixture, 0, "required", "algorithm");
    result_refuses(fixture, 0, "required", "processes");
}

DESK_TEST(a_body_that_is_no_batch_is_refused_as_a_whole)
{
    static const struct {
        const char *body;
        int status;
        const char *code, *where;
    } cases[] = {
        { "", 400, "syntax", "" },
        { "{'requests': [}", 400, "syntax", "" },
        { "{'requests': [], 'requests': []}", 400, "syntax", "" },
        { "[]", 422, "wrong_type", "" },
        { "{}", 422, "required", "/requests" },
        { "{'requests': 5}", 422, "wrong_type", "/requests" },
        { "{'requests': [], 'request': 1}", 422, "unknown_key", "/request" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        batch(fixture, cases[i].status, cases[i].body);
        fixture_refuses(fixture, cases[i].code, cases[i].where);
    }
    batch(fixture, 200, "{'requests': []}");
    assert_int_equal(json_array_size(fixture_at(fixture, "/results")), 0);
}

DESK_TEST(a_batch_holds_at_most_a_thousand_requests)
{
    enum { MOST = 1000 };
    static char body[20 * MOST + 100];

    strcpy(body, "{'requests': [5");
    for (int i = 1; i < MOST; i++)
        strcat(body + strlen(body), ",5");
    strcat(body, "]}");
    batch(fixture, 200, body);
    assert_int_equal(json_array_size(fixture_at(fixture, "/results")), MOST);
    body[strlen(body) - 2] = '\0';
    strcat(body, ",5]}");
    batch(fixture, 413, body);
    fixture_refuses(fixture, "too_large", "/requests");
}
