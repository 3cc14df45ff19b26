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

DESK_TEST(the_answer_repeats_all_parameters_resolved)
{
    json_t *parameters;

    fixture_get(fixture, 200, PREDICT, "trsm",
                "machine=round&contention_model=paper&variant=2d_ovlp&n=1e1&nodes=2&threads=2");
    parameters = fixture_at(fixture, "/parameters");
    assert_close(fixture_number(fixture, "/parameters/n"), 10, 0);
    assert_close(fixture_number(fixture, "/parameters/processes"), 4, 0);
    assert_close(fixture_number(fixture, "/parameters/communication_threads"), 1, 0);
    assert_close(fixture_number(fixture, "/parameters/replication"), 1, 0);
    assert_close(fixture_number(fixture, "/parameters/word_bytes"), 8, 0);
    assert_string_equal(fixture_string(fixture, "/parameters/variant"), "2d_ovlp");
    assert_true(json_is_true(fixture_at(fixture, "/parameters/contention")));
    assert_null(json_object_get(parameters, "nodes"));
    assert_null(json_object_get(parameters, "cores"));
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

DESK_TEST(a_what_if_is_repeated_beside_the_unchanged_prediction)
{
    char query[200];

    snprintf(query, sizeof query, "%s&what_if.kernels.dgemm.rate=*4&what_if.network.latency=*3",
             cannon);
    fixture_get(fixture, 200, PREDICT, "matmul", query);
    /* Four shifts of 2 (3 + 4) s, two products of 4 s. */
    assert_close(fixture_number(fixture, "/time_s"), 56 + 8, 1e-15);
    assert_close(fixture_number(fixture, "/baseline/time_s"), 72, 1e-15);
    assert_string_equal(fixture_string(fixture, "/what_if/kernels.dgemm.rate"), "*4");
    assert_string_equal(fixture_string(fixture, "/what_if/network.latency"), "*3");
    assert_null(json_object_get(fixture_at(fixture, "/baseline"), "what_if"));
    fixture_get(fixture, 200, PREDICT, "matmul", cannon);
    assert_close(fixture_number(fixture, "/time_s"), 72, 1e-15);
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

DESK_TEST(an_unknown_model_in_the_path_is_not_found)
{
    fixture_get(fixture, 404, PREDICT, "matmull", "machine=round&n=4");
    fixture_get(fixture, 404, "/api/v1/models/{model}", "matmull", NULL);
    fixture_get(fixture, 404, "/api/v1/sweep/{model}", "matmull", "machine=round&n=4");
}

DESK_TEST(every_fault_of_a_question_is_told_at_once)
{
    fixture_get(
        fixture, 422, PREDICT, "matmul",
        "n=0&variant=3d&processes=4&nodes=1&proceses=5&what_if.node.bogus=1&word_bytes=1.5");
    fixture_refuses(fixture, "required", "machine");
    fixture_refuses(fixture, "out_of_range", "n");
    fixture_refuses(fixture, "unknown_choice", "variant");
    fixture_refuses(fixture, "unknown_parameter", "proceses");
    fixture_refuses(fixture, "wrong_type", "word_bytes");
    fixture_refuses(fixture, "required", "algorithm");
    fixture_refuses(fixture, "impossible_combination", "nodes");
    fixture_get(fixture, 422, PREDICT, "matmul",
                "machine=round&n=0&variant=3d&what_if.node.bogus=1&what_if.node.clock_hz=-1");
    fixture_refuses(fixture, "out_of_range", "n");
    fixture_refuses(fixture, "unknown_choice", "variant");
    fixture_refuses(fixture, "required", "algorithm");
    fixture_refuses(fixture, "required", "processes");
    fixture_refuses(fixture, "unknown_parameter", "what_if.node.bogus");
    fixture_refuses(fixture, "out_of_range", "what_if.node.clock_hz");
    assert_int_equal(fixture_error_count(fixture), 6);
}

DESK_TEST(what_does_not_parse_is_a_400)
{
    fixture_get(fixture, 400, PREDICT, "matmul", "machine=round&n=four&variant=2d&processes=4");
    fixture_refuses(fixture, "syntax", "n");
    fixture_refuses(fixture, "required", "algorithm");
    assert_string_equal(fixture_string(fixture, "/type"), "urn:forerun:problem:syntax");
    assert_close(fixture_number(fixture, "/status"), 400, 0);
}

DESK_TEST(a_name_given_twice_is_refused)
{
    char query[200];

    snprintf(query, sizeof query, "%s&n=5&machine=full", cannon);
    fixture_get(fixture, 422, PREDICT, "matmul", query);
    fixture_refuses(fixture, "given_twice", "n");
    fixture_refuses(fixture, "given_twice", "machine");
    assert_int_equal(fixture_error_count(fixture), 2);
}

DESK_TEST(a_list_belongs_into_a_sweep)
{
    fixture_get(
        fixture, 400, PREDICT, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d&n=4,8&processes=4");
    fixture_refuses(fixture, "syntax", "n");
}

DESK_TEST(a_calibration_may_be_named_instead_of_a_machine)
{
    char query[200], id[17];

    fixture_get(fixture, 200, PREDICT, "matmul", cannon);
    snprintf(id, sizeof id, "%s", fixture_string(fixture, "/calibration"));
    snprintf(query, sizeof query, "calibration=%s%s", id, strchr(cannon, '&'));
    fixture_get(fixture, 200, PREDICT, "matmul", query);
    assert_close(fixture_number(fixture, "/time_s"), 72, 1e-15);
    snprintf(query, sizeof query, "calibration=%s&machine=full%s", id, strchr(cannon, '&'));
    fixture_get(fixture, 422, PREDICT, "matmul", query);
    fixture_refuses(fixture, "impossible_combination", "machine");
    snprintf(query, sizeof query, "calibration=0123456789abcdef%s", strchr(cannon, '&'));
    fixture_get(fixture, 422, PREDICT, "matmul", query);
    fixture_refuses(fixture, "not_found", "calibration");
    snprintf(query, sizeof query, "machine=nowhere%s", strchr(cannon, '&'));
    fixture_get(fixture, 422, PREDICT, "matmul", query);
    fixture_refuses(fixture, "not_found", "machine");
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

DESK_TEST(a_row_of_csv_and_lines_of_text_say_the_same)
{
    fixture_ask(fixture, "GET", PREDICT, "matmul", cannon, NULL, FR_CSV);
    assert_int_equal(fixture->status, 200);
    assert_non_null(
        strstr(fixture->text, "model,machine,calibration,algorithm,variant,n,processes"));
    assert_non_null(strstr(fixture->text, "\r\nmatmul,round,"));
    assert_non_null(strstr(fixture->text, "breakdown_dgemm_time_s"));
    fixture_ask(fixture, "GET", PREDICT, "matmul", cannon, NULL, FR_TXT);
    assert_non_null(strstr(fixture->text, "\ntime_s=72\n"));
    assert_non_null(strstr(fixture->text, "\nbreakdown_dgemm_time_s=32\n"));
    assert_non_null(strstr(fixture->text, "\ninterval_low_s=null\n"));
    assert_non_null(strstr(fixture->text, "model=matmul\n"));
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
