/* Predictions, models and fields, through the handlers. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREDICT "/api/v1/predict/{model}"
static const char cannon[] =
    "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4";

/* ---- one prediction ---- */

DESK_TEST(a_prediction_has_every_key_of_the_contract)
{
    static const char *const keys[] = {
        "model",     "machine",  "calibration", "parameters",
        "time_s",    "flops",    "gflops",      "percent_of_peak",
        "processes", "nodes",    "breakdown",   "memory_bytes_per_process",
        "interval",  "engine",   "warnings",    "communication_bytes_per_process",
        "bound_s",   "bound_by",
    };

    fixture_get(fixture, 200, PREDICT, "matmul", cannon);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        fixture_at(fixture, keys[i]);
    assert_close(fixture_number(fixture, "/time_s"), 72, 1e-15);
    assert_string_equal(fixture_string(fixture, "/model"), "matmul");
    assert_string_equal(fixture_string(fixture, "/machine"), "round");
    assert_int_equal(strlen(fixture_string(fixture, "/calibration")), 16);
    assert_true(json_is_null(fixture_at(fixture, "/interval")));
    assert_null(json_object_get(fixture->json, "what_if"));
    assert_null(json_object_get(fixture->json, "baseline"));
    assert_true(strlen(fixture->reply.etag) > 0);
}

/* The parameters in an answer can be sent again as a request. */
DESK_TEST(the_answers_parameters_make_the_same_answer)
{
    const char *key;
    json_t *parameters, *value;
    char query[500] = "machine=round";
    double time_s;

    fixture_get(fixture, 200, PREDICT, "cholesky",
                "machine=round&contention_model=paper&variant=25d_ovlp&n=100&cores=64&threads=2"
                "&replication=2&blocks_per_process=3");
    time_s = fixture_number(fixture, "/time_s");
    parameters = json_incref(fixture_at(fixture, "/parameters"));
    json_object_foreach(parameters, key, value)
    {
        char *text = json_is_string(value) ? strdup(json_string_value(value))
                                           : json_dumps(value, JSON_ENCODE_ANY);

        snprintf(query + strlen(query), sizeof query - strlen(query), "&%s=%s", key, text);
        free(text);
    }
    json_decref(parameters);
    fixture_get(fixture, 200, PREDICT, "cholesky", query);
    assert_true(fixture_number(fixture, "/time_s") == time_s);
}

DESK_TEST(the_breakdown_is_sorted_and_adds_up)
{
    const char *before = "";
    double sum = 0;
    json_t *phase;
    size_t index;

    fixture_get(fixture, 200, PREDICT, "cholesky",
                "machine=full&variant=2d_ovlp&n=8000&processes=64&threads=2&blocks_per_process=4");
    json_array_foreach(fixture_at(fixture, "/breakdown"), index, phase)
    {
        const char *name = json_string_value(json_object_get(phase, "phase"));

        assert_true(strcmp(before, name) < 0);
        before = name;
        sum += json_number_value(json_object_get(phase, "time_s")) -
               json_number_value(json_object_get(phase, "hidden_s"));
    }
    assert_close(sum, fixture_number(fixture, "/time_s"), 1e-12);
}

DESK_TEST(warnings_say_what_was_extrapolated_and_how_far)
{
    json_t *warning;
    size_t index, seen = 0;

    fixture_get(fixture, 200, PREDICT, "matmul",
                "machine=full&algorithm=cannon&variant=2d&n=64000&processes=256");
    json_array_foreach(fixture_at(fixture, "/warnings"), index, warning)
    {
        const char *what = json_string_value(json_object_get(warning, "what"));
        const char *message = json_string_value(json_object_get(warning, "message"));

        assert_non_null(message);
        if (what && strcmp(what, "kernels.dgemm.n") == 0) {
            assert_non_null(strstr(message, "4000"));        /* blocks of 4000 */
            assert_non_null(strstr(message, "up to 400, ")); /* measured */
            assert_non_null(strstr(message, "10 times that"));
            seen++;
        }
    }
    assert_int_equal(seen, 1);
}

DESK_TEST(a_list_belongs_into_a_sweep)
{
    fixture_get(
        fixture, 400, PREDICT, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4,8&processes=4");
    fixture_refuses(fixture, "syntax", "n");
}

DESK_TEST(the_same_question_is_not_answered_twice)
{
    char tag[60];

    fixture_get(fixture, 200, PREDICT, "matmul", cannon);
    snprintf(tag, sizeof tag, "W/\"%s\"", fixture->reply.etag);
    fixture->rq.if_none_match = tag;
    fixture_ask(fixture, "GET", PREDICT, "matmul", cannon, NULL, FR_JSON);
    assert_int_equal(fixture->status, 304);
    fixture_ask(fixture, "GET", PREDICT, "matmul", cannon, NULL, FR_CSV);
    assert_int_equal(fixture->status, 200);
    fixture_ask(fixture, "GET", PREDICT, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=5&processes=4",
                NULL, FR_JSON);
    assert_int_equal(fixture->status, 200);
    fixture->rq.if_none_match = NULL;
}

DESK_TEST(a_missing_group_is_told_with_its_name)
{
    fixture_ask(
        fixture, "POST", "/api/v1/machines/{machine}/calibrations", "bare", NULL,
        "{'schema': 'forerun-calibration-1', 'machine': 'bare', 'node': {'cores_per_node': 4}}",
        FR_JSON);
    assert_int_equal(fixture->status, 201);
    fixture_get(fixture, 422, PREDICT, "matmul",
                "machine=bare&algorithm=cannon&variant=2d&n=4&processes=4");
    fixture_refuses(fixture, "calibration_group_missing", "calibration");
    assert_non_null(strstr(fixture->text, "network, contention, kernels"));
}

/* ---- models, fields ---- */

DESK_TEST(every_model_describes_itself)
{
    size_t models = 0;

    while (fr_models[models])
        models++;
    assert_int_equal(json_array_size(json_object_get(
                         fixture_get(fixture, 200, "/api/v1/models", NULL, NULL), "items")),
                     models);
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        size_t parameters = 0, outputs = 0;

        fixture_get(fixture, 200, "/api/v1/models/{model}", (*model)->name, NULL);
        while ((*model)->params[parameters].name)
            parameters++;
        while ((*model)->outputs[outputs].name)
            outputs++;
        assert_int_equal(json_array_size(fixture_at(fixture, "/parameters")), parameters);
        assert_int_equal(json_array_size(fixture_at(fixture, "/outputs")), outputs);
        assert_int_equal(json_object_size(fixture_at(fixture, "/schema/properties")), parameters);
        assert_true(json_array_size(fixture_at(fixture, "/assumes")) > 0);
        assert_true(json_array_size(fixture_at(fixture, "/blind_spots")) > 0);
        assert_true(json_is_false(fixture_at(fixture, "/schema/additionalProperties")));
    }
}

DESK_TEST(the_field_list_names_paths_that_a_what_if_takes)
{
    json_t *fields, *field;
    size_t index, tried = 0;

    fields = json_incref(fixture_get(fixture, 200, "/api/v1/fields", NULL, NULL));
    assert_true(json_array_size(json_object_get(fields, "aliases")) == 3);
    json_array_foreach(json_object_get(fields, "fields"), index, field)
    {
        const char *path = json_string_value(json_object_get(field, "path"));
        const char *takes = json_string_value(json_object_get(field, "what_if"));
        char query[400], concrete[200];
        size_t used = 0;

        for (const char *at = path; *at && used + 2 < sizeof concrete; at++)
            concrete[used++] = *at == '*' ? '0' : *at;
        concrete[used] = '\0';
        snprintf(query, sizeof query,
                 "machine=full&algorithm=cannon&variant=2d&n=64&processes=4&what_if.%s=*1",
                 concrete);
        fixture_ask(fixture, "GET", PREDICT, "matmul", query, NULL, FR_JSON);
        /* Values missing in the full document cannot be multiplied; all others can. */
        if (takes ? fixture->status != 200 && !strstr(fixture->text, "not_found") &&
                        !strstr(path, "topology")
                  : fixture->status != 422)
            fail_msg("%s takes %s: %s", path, takes ? takes : "nothing", fixture->text);
        tried++;
    }
    assert_true(tried > 100);
    json_decref(fields);
}

/* Such requests must not occupy the last worker. */
DESK_TEST(a_model_that_takes_long_is_predicted_as_a_long_request)
{
    const struct fr_route *route = fr_routes;
    struct fr_request rq = { 0 };

    while (strcmp(route->path, PREDICT) != 0)
        route++;
    assert_false(route->is_long);
    snprintf(rq.segment[0], FR_SEGMENT_BYTES, "sparse_lu");
    assert_true(route->is_long_for(&rq));
    snprintf(rq.segment[0], FR_SEGMENT_BYTES, "matmul");
    assert_false(route->is_long_for(&rq));
    snprintf(rq.segment[0], FR_SEGMENT_BYTES, "nobody");
    assert_false(route->is_long_for(&rq));
}
