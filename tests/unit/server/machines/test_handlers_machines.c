/* Machines and calibrations, asked of the handlers directly. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <string.h>

#define PREDICT "/api/v1/predict/{model}"
static const char cannon[] = "machine=round&algorithm=cannon&variant=2d&n=4&processes=4";

DESK_TEST(machines_are_listed_with_their_newest_calibration)
{
    fixture_get(fixture, 200, "/api/v1/machines", NULL, NULL);
    assert_int_equal(json_array_size(fixture_at(fixture, "/items")), 2);
    assert_string_equal(fixture_string(fixture, "/items/0/name"), "full");
    assert_true(json_is_null(fixture_at(fixture, "/next")));
    fixture_get(fixture, 200, "/api/v1/machines", NULL, "limit=1");
    assert_int_equal(json_array_size(fixture_at(fixture, "/items")), 1);
    assert_string_equal(fixture_string(fixture, "/next"), "/api/v1/machines?limit=1&cursor=full");
    fixture_get(fixture, 200, "/api/v1/machines", NULL, "limit=1&cursor=full");
    assert_string_equal(fixture_string(fixture, "/items/0/name"), "round");
    assert_true(json_is_null(fixture_at(fixture, "/next")));
    fixture_get(fixture, 200, "/api/v1/machines/{machine}", "round", NULL);
    assert_string_equal(fixture_string(fixture, "/models/0"), "matmul");
    assert_close(fixture_number(fixture, "/calibrations"), 1, 0);
    fixture_get(fixture, 404, "/api/v1/machines/{machine}", "nowhere", NULL);
    fixture_get(fixture, 422, "/api/v1/machines", NULL, "limit=0&curser=x");
    fixture_refuses(fixture, "out_of_range", "limit");
    fixture_refuses(fixture, "unknown_parameter", "curser");
    fixture_get(fixture, 422, "/api/v1/machines", NULL, "limit=1001");
}

DESK_TEST(a_machine_is_described_and_described_anew)
{
    fixture_ask(fixture, "PUT", "/api/v1/machines/{machine}", "new", NULL,
                "{'description': 'A new one.', 'nodes': 512, 'cpu': null}", FR_JSON);
    assert_int_equal(fixture->status, 201);
    assert_string_equal(fixture->reply.location, "/api/v1/machines/new");
    assert_close(fixture_number(fixture, "/facts/nodes"), 512, 0);
    assert_true(json_is_null(fixture_at(fixture, "/calibration")));
    fixture_ask(fixture, "PUT", "/api/v1/machines/{machine}", "new", NULL, "{'nodes': 600}",
                FR_JSON);
    assert_int_equal(fixture->status, 200);
    assert_close(fixture_number(fixture, "/facts/nodes"), 600, 0);
    fixture_ask(fixture, "PUT", "/api/v1/machines/{machine}", "No Name", NULL,
                "{'nodes': 0, 'coers_per_node': 4}", FR_JSON);
    assert_int_equal(fixture->status, 422);
    fixture_refuses(fixture, "out_of_range", "machine");
    fixture_refuses(fixture, "out_of_range", "/nodes");
    fixture_refuses(fixture, "unknown_key", "/coers_per_node");
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "new", NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 204);
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "new", NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 404);
}

DESK_TEST(a_machine_with_calibrations_goes_only_with_them)
{
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "round", NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 409);
    fixture_get(fixture, 200, PREDICT, "matmul", cannon);
    fixture_ask(fixture, "DELETE", "/api/v1/machines/{machine}", "round", "cascade=true", NULL,
                FR_JSON);
    assert_int_equal(fixture->status, 204);
    fixture_get(fixture, 422, PREDICT, "matmul", cannon);
    fixture_refuses(fixture, "not_found", "machine");
}

static const char *const small[] = {
    "{'schema': 'forerun-calibration-1', 'machine': 'small', 'node': {'cores_per_node': 1}}",
    "{'schema': 'forerun-calibration-1', 'machine': 'small', 'node': {'cores_per_node': 2}}",
};

static void upload(struct handler_fixture *fixture, int status, const char *body, char id[17])
{
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/calibrations", "small", NULL, body,
                FR_JSON);
    if (fixture->status != status)
        fail_msg("%d instead of %d: %s", fixture->status, status, fixture->text);
    snprintf(id, 17, "%s", fixture_string(fixture, "/id"));
    assert_non_null(strstr(fixture->reply.location, id));
}

DESK_TEST(the_newest_upload_is_the_one_that_predicts)
{
    char first[17], second[17], again[17];

    upload(fixture, 201, small[0], first);
    upload(fixture, 201, small[1], second);
    upload(fixture, 200, small[0], again);
    assert_string_equal(again, first);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}", "small", NULL);
    assert_string_equal(fixture_string(fixture, "/calibration"), second);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}/calibrations", "small", NULL);
    assert_string_equal(fixture_string(fixture, "/items/0/id"), second);
    assert_string_equal(fixture_string(fixture, "/items/1/id"), first);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}/calibrations", "small", "limit=1");
    assert_non_null(strstr(fixture_string(fixture, "/next"), "limit=1&cursor="));
    fixture_get(fixture, 200, "/api/v1/calibrations/{id}", first, NULL);
    assert_close(fixture_number(fixture, "/node/cores_per_node"), 1, 0);
    fixture_ask(fixture, "DELETE", "/api/v1/calibrations/{id}", second, NULL, NULL, FR_JSON);
    assert_int_equal(fixture->status, 204);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}", "small", NULL);
    assert_string_equal(fixture_string(fixture, "/calibration"), first);
    fixture_get(fixture, 404, "/api/v1/calibrations/{id}", second, NULL);
}

DESK_TEST(an_upload_with_faults_is_refused_and_not_stored)
{
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL, small[0],
                FR_JSON);
    assert_int_equal(fixture->status, 422);
    fixture_refuses(fixture, "impossible_combination", "/machine");
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL,
                "{'schema': 'x', 'machine': 'other', 'node': {'cores': 1}}", FR_JSON);
    assert_int_equal(fixture->status, 422);
    assert_int_equal(fixture_error_count(fixture), 2);
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL, "{",
                FR_JSON);
    assert_int_equal(fixture->status, 400);
    fixture_get(fixture, 404, "/api/v1/machines/{machine}", "other", NULL);
}
