/* Machines and calibrations, asked of the handlers directly. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <string.h>

#define PREDICT "/api/v1/predict/{model}"
static const char cannon[] = "machine=round&algorithm=cannon&variant=2d&n=4&processes=4";

static void machines_are_listed_with_their_newest_calibration(void **state)
{
    struct handler_fixture *desk = *state;

    fixture_get(desk, 200, "/api/v1/machines", NULL, NULL);
    assert_int_equal(json_array_size(fixture_at(desk, "/items")), 2);
    assert_string_equal(fixture_string(desk, "/items/0/name"), "full");
    assert_true(json_is_null(fixture_at(desk, "/next")));
    fixture_get(desk, 200, "/api/v1/machines", NULL, "limit=1");
    assert_int_equal(json_array_size(fixture_at(desk, "/items")), 1);
    assert_string_equal(fixture_string(desk, "/next"), "/api/v1/machines?limit=1&cursor=full");
    fixture_get(desk, 200, "/api/v1/machines", NULL, "limit=1&cursor=full");
    assert_string_equal(fixture_string(desk, "/items/0/name"), "round");
    assert_true(json_is_null(fixture_at(desk, "/next")));
    fixture_get(desk, 200, "/api/v1/machines/{machine}", "round", NULL);
    assert_string_equal(fixture_string(desk, "/models/0"), "matmul");
    assert_close(fixture_number(desk, "/calibrations"), 1, 0);
    fixture_get(desk, 404, "/api/v1/machines/{machine}", "nowhere", NULL);
    fixture_get(desk, 422, "/api/v1/machines", NULL, "limit=0&curser=x");
    fixture_refuses(desk, "out_of_range", "limit");
    fixture_refuses(desk, "unknown_parameter", "curser");
    fixture_get(desk, 422, "/api/v1/machines", NULL, "limit=1001");
}

static void a_machine_is_described_and_described_anew(void **state)
{
    struct handler_fixture *desk = *state;

    fixture_ask(desk, "PUT", "/api/v1/machines/{machine}", "new", NULL,
                "{'description': 'A new one.', 'nodes': 512, 'cpu': null}", FR_JSON);
    assert_int_equal(desk->status, 201);
    assert_string_equal(desk->reply.location, "/api/v1/machines/new");
    assert_close(fixture_number(desk, "/facts/nodes"), 512, 0);
    assert_true(json_is_null(fixture_at(desk, "/calibration")));
    fixture_ask(desk, "PUT", "/api/v1/machines/{machine}", "new", NULL, "{'nodes': 600}", FR_JSON);
    assert_int_equal(desk->status, 200);
    assert_close(fixture_number(desk, "/facts/nodes"), 600, 0);
    fixture_ask(desk, "PUT", "/api/v1/machines/{machine}", "No Name", NULL,
                "{'nodes': 0, 'coers_per_node': 4}", FR_JSON);
    assert_int_equal(desk->status, 422);
    fixture_refuses(desk, "out_of_range", "machine");
    fixture_refuses(desk, "out_of_range", "/nodes");
    fixture_refuses(desk, "unknown_key", "/coers_per_node");
    fixture_ask(desk, "DELETE", "/api/v1/machines/{machine}", "new", NULL, NULL, FR_JSON);
    assert_int_equal(desk->status, 204);
    fixture_ask(desk, "DELETE", "/api/v1/machines/{machine}", "new", NULL, NULL, FR_JSON);
    assert_int_equal(desk->status, 404);
}

static void a_machine_with_calibrations_goes_only_with_them(void **state)
{
    struct handler_fixture *desk = *state;

    fixture_ask(desk, "DELETE", "/api/v1/machines/{machine}", "round", NULL, NULL, FR_JSON);
    assert_int_equal(desk->status, 409);
    fixture_get(desk, 200, PREDICT, "matmul", cannon);
    fixture_ask(desk, "DELETE", "/api/v1/machines/{machine}", "round", "cascade=true", NULL,
                FR_JSON);
    assert_int_equal(desk->status, 204);
    fixture_get(desk, 422, PREDICT, "matmul", cannon);
    fixture_refuses(desk, "not_found", "machine");
}

static const char *const small[] = {
    "{'schema': 'forerun-calibration-1', 'machine': 'small', 'node': {'cores_per_node': 1}}",
    "{'schema': 'forerun-calibration-1', 'machine': 'small', 'node': {'cores_per_node': 2}}",
};

static void upload(struct handler_fixture *desk, int status, const char *body, char id[17])
{
    fixture_ask(desk, "POST", "/api/v1/machines/{machine}/calibrations", "small", NULL, body,
                FR_JSON);
    if (desk->status != status)
        fail_msg("%d instead of %d: %s", desk->status, status, desk->text);
    snprintf(id, 17, "%s", fixture_string(desk, "/id"));
    assert_non_null(strstr(desk->reply.location, id));
}

static void the_newest_upload_is_the_one_that_predicts(void **state)
{
    struct handler_fixture *desk = *state;
    char first[17], second[17], again[17];

    upload(desk, 201, small[0], first);
    upload(desk, 201, small[1], second);
    upload(desk, 200, small[0], again);
    assert_string_equal(again, first);
    fixture_get(desk, 200, "/api/v1/machines/{machine}", "small", NULL);
    assert_string_equal(fixture_string(desk, "/calibration"), second);
    fixture_get(desk, 200, "/api/v1/machines/{machine}/calibrations", "small", NULL);
    assert_string_equal(fixture_string(desk, "/items/0/id"), second);
    assert_string_equal(fixture_string(desk, "/items/1/id"), first);
    fixture_get(desk, 200, "/api/v1/machines/{machine}/calibrations", "small", "limit=1");
    assert_non_null(strstr(fixture_string(desk, "/next"), "limit=1&cursor="));
    fixture_get(desk, 200, "/api/v1/calibrations/{id}", first, NULL);
    assert_close(fixture_number(desk, "/node/cores_per_node"), 1, 0);
    fixture_ask(desk, "DELETE", "/api/v1/calibrations/{id}", second, NULL, NULL, FR_JSON);
    assert_int_equal(desk->status, 204);
    fixture_get(desk, 200, "/api/v1/machines/{machine}", "small", NULL);
    assert_string_equal(fixture_string(desk, "/calibration"), first);
    fixture_get(desk, 404, "/api/v1/calibrations/{id}", second, NULL);
}

static void an_upload_with_faults_is_refused_and_not_stored(void **state)
{
    struct handler_fixture *desk = *state;

    fixture_ask(desk, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL, small[0],
                FR_JSON);
    assert_int_equal(desk->status, 422);
    fixture_refuses(desk, "impossible_combination", "/machine");
    fixture_ask(desk, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL,
                "{'schema': 'x', 'machine': 'other', 'node': {'cores': 1}}", FR_JSON);
    assert_int_equal(desk->status, 422);
    assert_int_equal(fixture_error_count(desk), 2);
    fixture_ask(desk, "POST", "/api/v1/machines/{machine}/calibrations", "other", NULL, "{",
                FR_JSON);
    assert_int_equal(desk->status, 400);
    fixture_get(desk, 404, "/api/v1/machines/{machine}", "other", NULL);
}

#define DESK_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DESK_TEST(machines_are_listed_with_their_newest_calibration),
        DESK_TEST(a_machine_is_described_and_described_anew),
        DESK_TEST(a_machine_with_calibrations_goes_only_with_them),
        DESK_TEST(the_newest_upload_is_the_one_that_predicts),
        DESK_TEST(an_upload_with_faults_is_refused_and_not_stored),
    };

    return cmocka_run_group_tests_name("handlers of machines", tests, NULL, NULL);
}
