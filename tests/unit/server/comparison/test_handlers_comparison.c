/* GET …/calibrations/compare, asked of the handler directly. */
#include "tests/unit/support/handler_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE "/api/v1/machines/{machine}/calibrations/compare"

/* The full document under this name, with this memory latency and bandwidth of messages. */
static void upload(struct handler_fixture *fixture, const char *machine, const char *latency_s,
                   const char *inverse_bandwidth, char id[17])
{
    json_t *document = full_json();
    char *text;

    json_object_set_new(document, "machine", json_string(machine));
    put(document, "/memory/memory_latency_s", latency_s);
    put(document, "/network/protocols/2/off_node/inverse_bandwidth_s_per_byte", inverse_bandwidth);
    text = json_dumps(document, JSON_COMPACT);
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/calibrations", machine, NULL, text,
                FR_JSON);
    assert_int_equal(fixture->status, 201);
    snprintf(id, 17, "%s", fixture_string(fixture, "/id"));
    free(text);
    json_decref(document);
}

static void upload_three(struct handler_fixture *fixture, char id[3][17])
{
    upload(fixture, "pair", "8e-8", "1e-10", id[0]);
    upload(fixture, "pair", "9e-8", "1e-10", id[1]);
    upload(fixture, "pair", "9e-8", "2e-10", id[2]);
}

static const char *message(struct handler_fixture *fixture)
{
    return fixture_string(fixture, "/errors/0/message");
}

DESK_TEST(the_newest_is_compared_with_the_one_before_it)
{
    char id[3][17], query[80];

    upload_three(fixture, id);
    fixture_get(fixture, 200, COMPARE, "pair", NULL);
    assert_string_equal(fixture_string(fixture, "/from/id"), id[1]);
    assert_string_equal(fixture_string(fixture, "/to/id"), id[2]);
    assert_string_equal(fixture_string(fixture, "/changes/0/path"),
                        "network.protocols.rendezvous.off_node.inverse_bandwidth_s_per_byte");
    assert_close(fixture_number(fixture, "/changes/0/relative_change"), 1, 1e-12);
    assert_string_equal(fixture_string(fixture, "/changes/0/from_source"),
                        "published: a title, table 1");
    assert_true(json_is_null(fixture_at(fixture, "/changes/0/is_within_spread")));
    assert_int_equal(json_array_size(fixture_at(fixture, "/changes")), 1);
    assert_close(fixture_number(fixture, "/values/changed"), 1, 0);
    assert_close(fixture_number(fixture, "/left_out"), 0, 0);
    snprintf(query, sizeof query, "to=%s", id[1]);
    fixture_get(fixture, 200, COMPARE, "pair", query);
    assert_string_equal(fixture_string(fixture, "/from/id"), id[0]);
    snprintf(query, sizeof query, "from=%s&to=%s&limit=1", id[2], id[0]);
    fixture_get(fixture, 200, COMPARE, "pair", query);
    assert_close(fixture_number(fixture, "/changes/0/relative_change"), -0.5, 1e-12);
    assert_close(fixture_number(fixture, "/left_out"), 1, 0);
}

/* The row of the predictions that this model has first. */
static json_t *prediction(struct handler_fixture *fixture, const char *model)
{
    json_t *rows = fixture_at(fixture, "/predictions");

    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);

        if (strcmp(json_string_value(json_object_get(row, "model")), model) == 0)
            return row;
    }
    fail_msg("nothing of %s", model);
    return NULL;
}

DESK_TEST(every_model_is_asked_something_or_says_why_not)
{
    char id[3][17];

    upload_three(fixture, id);
    fixture_get(fixture, 200, COMPARE, "pair", NULL);
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        json_t *row = prediction(fixture, (*model)->name);
        const double ratio = json_number_value(json_object_get(row, "ratio"));

        if (json_is_null(json_object_get(row, "reason")))
            assert_true(ratio >= 1); /* slower messages make nothing faster */
        else
            assert_true(json_is_null(json_object_get(row, "ratio")));
    }
    assert_close(json_number_value(json_object_get(prediction(fixture, "matmul"), "ratio")), 1, 0);
    assert_string_equal(fixture_string(fixture, "/predictions/1/name"), "Cannon on 16 processes");
    assert_true(fixture_number(fixture, "/predictions/1/ratio") > 1);
    assert_true(json_is_null(json_object_get(prediction(fixture, "cholesky"), "reason")));
    assert_true(json_is_null(json_object_get(prediction(fixture, "cg"), "reason")));
    assert_true(json_is_null(json_object_get(prediction(fixture, "cnc_matmul"), "reason")));
    assert_non_null(strstr(
        json_string_value(json_object_get(prediction(fixture, "sparse_lu"), "reason")), "matrix"));
}

DESK_TEST(the_caller_names_predictions_of_its_own)
{
    char id[3][17];
    double alone;

    upload_three(fixture, id);
    fixture_get(fixture, 200, "/api/v1/predict/{model}", "matmul",
                "machine=pair&algorithm=cannon&variant=2d&n=4000&processes=64");
    alone = fixture_number(fixture, "/time_s");
    fixture_get(fixture, 200, COMPARE, "pair",
                "model=matmul&algorithm=cannon&variant=2d&n=2000,4000&processes=64");
    assert_string_equal(fixture_string(fixture, "/predictions/0/name"), "asked: n=2000");
    assert_string_equal(fixture_string(fixture, "/predictions/1/name"), "asked: n=4000");
    assert_true(json_is_true(fixture_at(fixture, "/predictions/1/is_asked")));
    assert_true(json_is_false(fixture_at(fixture, "/predictions/2/is_asked")));
    assert_close(fixture_number(fixture, "/predictions/1/parameters/n"), 4000, 0);
    assert_close(fixture_number(fixture, "/predictions/1/to_time_s"), alone, 1e-15);
    assert_true(fixture_number(fixture, "/predictions/1/from_time_s") < alone);
    fixture_get(fixture, 422, COMPARE, "pair",
                "model=matmul&algorithm=cannon&variant=2d&n=1..33&processes=64");
    fixture_refuses(fixture, "too_many_points", "n");
    fixture_get(fixture, 422, COMPARE, "pair",
                "model=matmul&algorithm=cannon&nn=4&processes=64&limit=0");
    fixture_refuses(fixture, "unknown_parameter", "nn");
    fixture_refuses(fixture, "required", "n");
    fixture_refuses(fixture, "required", "variant");
    fixture_refuses(fixture, "out_of_range", "limit");
    fixture_get(fixture, 422, COMPARE, "pair", "model=matmull");
    fixture_refuses(fixture, "unknown_choice", "model");
    fixture_get(fixture, 422, COMPARE, "pair", "n=4&tabel=changes&limit=5&limit=6");
    fixture_refuses(fixture, "unknown_parameter", "n");
    fixture_refuses(fixture, "unknown_parameter", "tabel");
    fixture_refuses(fixture, "given_twice", "limit");
}

DESK_TEST(two_of_one_machine_are_needed)
{
    char id[3][17], other[17], query[120];

    fixture_get(fixture, 404, COMPARE, "nowhere", NULL);
    fixture_get(fixture, 422, COMPARE, "full", NULL);
    fixture_refuses(fixture, "not_found", "from");
    assert_string_equal(message(fixture),
                        "full has only one calibration, and a comparison needs two; "
                        "upload another");
    fixture_ask(fixture, "PUT", "/api/v1/machines/{machine}", "bare", NULL, "{}", FR_JSON);
    fixture_get(fixture, 422, COMPARE, "bare", NULL);
    fixture_refuses(fixture, "not_found", "to");
    assert_int_equal(fixture_error_count(fixture), 1);
    upload_three(fixture, id);
    upload(fixture, "another", "8e-8", "1e-10", other);
    fixture_get(fixture, 422, COMPARE, "pair", "from=0123456789abcdef&to=nothing");
    fixture_refuses(fixture, "not_found", "from");
    fixture_refuses(fixture, "not_found", "to");
    snprintf(query, sizeof query, "from=%s", other);
    fixture_get(fixture, 422, COMPARE, "pair", query);
    fixture_refuses(fixture, "impossible_combination", "from");
    assert_non_null(strstr(message(fixture), "belongs to machine another, not to pair"));
    snprintf(query, sizeof query, "from=%s&to=%s", id[0], id[0]);
    fixture_get(fixture, 422, COMPARE, "pair", query);
    fixture_refuses(fixture, "impossible_combination", "from");
    snprintf(query, sizeof query, "from=%s", id[2]);
    fixture_get(fixture, 422, COMPARE, "pair", query);
    assert_non_null(strstr(message(fixture), "the newest"));
    snprintf(query, sizeof query, "to=%s", id[0]);
    fixture_get(fixture, 422, COMPARE, "pair", query);
    assert_non_null(strstr(message(fixture), "is the oldest calibration of pair"));
}

DESK_TEST(each_table_comes_as_csv_and_as_text)
{
    char id[3][17];

    upload_three(fixture, id);
    fixture_ask(fixture, "GET", COMPARE, "pair", NULL, NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, "path,change,unit,from,to,relative_change,"));
    assert_non_null(strstr(fixture->text, ",changed,s/byte,1e-10,2e-10,1,"));
    fixture_ask(fixture, "GET", COMPARE, "pair", "table=predictions", NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, "algorithm=cannon&variant=2d&n=8192&processes=16"));
    fixture_ask(fixture, "GET", COMPARE, "pair", "table=fields", NULL, FR_TXT);
    assert_non_null(strstr(fixture->text, "changed=1\n"));
    assert_non_null(strstr(fixture->text, "mean_relative_change="));
    fixture_ask(fixture, "GET", COMPARE, "pair", "table=conditions", NULL, FR_CSV);
    assert_int_equal(fixture->status, 200);
    assert_string_equal(fixture->text, "");
}
