/* From the request line to the route: decoding, matching, negotiation. */
#include "server/http/call.h"
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>

/* A table of the shapes that the product's has. */
/* clang-format off */
static const struct fr_route table[] = {
    { .method = FR_GET, .path = "/api/v1", .formats = FR_JSON },
    { .method = FR_GET, .path = "/api/v1/openapi.json" },
    { .method = FR_GET, .path = "/api/v1/predict/{model}", .formats = FR_ROWS },
    { .method = FR_POST, .path = "/api/v1/predict", .formats = FR_JSON },
    { .method = FR_GET, .path = "/api/v1/machines/{machine}", .formats = FR_JSON },
    { .method = FR_PUT, .path = "/api/v1/machines/{machine}", .formats = FR_JSON },
    { .method = FR_DELETE, .path = "/api/v1/machines/{machine}", .formats = FR_JSON },
    { .method = FR_GET, .path = "/api/v1/calibrations/{id}/chart/{what}", .formats = FR_CHARTS },
    { .method = FR_GET, .path = "/*" },
    { .path = NULL },
};
/* clang-format on */

struct fixture {
    struct fr_request rq;
    struct fr_request_target target;
    struct fr_faults faults;
    unsigned suffix, allow;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->rq.arena = fr_arena_new(0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    fr_arena_free(f->rq.arena);
    free(f);
    return 0;
}

static int parse(struct fixture *f, const char *raw)
{
    f->faults.count = 0;
    return fr_request_target_parse(raw, &f->rq, &f->target, &f->faults);
}

static const struct fr_route *find(struct fixture *f, const char *method, const char *raw)
{
    assert_int_equal(parse(f, raw), FR_OK);
    return fr_route_find(table, &f->target, fr_method_of(method), &f->rq, &f->suffix, &f->allow);
}

#define CASE(name) TEST_OF(name, struct fixture *f, set_up, tear_down)

CASE(a_query_is_decoded_pair_by_pair)
{
    assert_int_equal(parse(f, "/p?n=1e3&title=a+b%2Bc%26d&flag&empty=&&n=2&u=%C3%A9"), FR_OK);
    assert_int_equal(f->rq.query_count, 6);
    assert_string_equal(fr_query_get(&f->rq, "n"), "1e3");
    assert_string_equal(fr_query_get(&f->rq, "title"), "a b+c&d");
    assert_string_equal(fr_query_get(&f->rq, "flag"), "");
    assert_string_equal(fr_query_get(&f->rq, "empty"), "");
    assert_string_equal(f->rq.query[4].value, "2");
    assert_string_equal(fr_query_get(&f->rq, "u"), "\xc3\xa9");
    assert_null(fr_query_get(&f->rq, "absent"));
}

CASE(every_fault_of_a_target_is_reported)
{
    assert_int_equal(parse(f, "/p%zz?a=%0&b=%00&c=%ff&%41=ok&=x&%c0%af=1"), FR_SYNTAX);
    assert_int_equal(f->faults.count, 6);
    assert_string_equal(f->faults.fault[0].where, "path");
    assert_string_equal(f->faults.fault[1].where, "a");
    assert_string_equal(f->faults.fault[2].where, "b");
    assert_string_equal(f->faults.fault[2].message, "contains %00, the NUL character");
    assert_string_equal(f->faults.fault[3].message, "is not UTF-8");
    assert_string_equal(f->faults.fault[4].message, "a parameter has no name");
    assert_string_equal(fr_query_get(&f->rq, "A"), "ok");
}

CASE(texts_that_are_not_utf8_are_refused)
{
    /* Overlong, surrogate, beyond U+10FFFF, cut off, a stray continuation. */
    const char *const bad[] = { "%e0%80%af", "%ed%a0%80", "%f4%90%80%80", "%e2%82", "%80", "%f8" };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char raw[64];

        snprintf(raw, sizeof raw, "/?a=%s", bad[i]);
        assert_int_equal(parse(*state, raw), FR_SYNTAX);
    }
}

CASE(more_parameters_than_the_limit_are_refused)
{
    char raw[8 * FR_MAX_QUERY] = "/?";

    for (int i = 0; i <= FR_MAX_QUERY; i++)
        snprintf(raw + strlen(raw), 8, "a%d=&", i);
    assert_int_equal(parse(f, raw), FR_RANGE);
    assert_int_equal(f->rq.query_count, FR_MAX_QUERY);
    assert_non_null(strstr(f->faults.fault[0].message, "65 parameters"));
}

CASE(the_path_is_kept_decoded_and_the_authority_of_a_proxy_dropped)
{
    assert_int_equal(parse(f, "http://host:80/a%20b.csv?x=1"), FR_OK);
    assert_string_equal(f->rq.path, "/a b.csv");
    assert_string_equal(f->target.part[0], "a b.csv");
    assert_int_equal(parse(f, "http://host"), FR_OK);
    assert_string_equal(f->rq.path, "/");
    assert_int_equal(parse(f, "*"), FR_SYNTAX);
    assert_int_equal(parse(f, ""), FR_SYNTAX);
}

CASE(placeholders_are_caught_without_the_suffix)
{
    assert_ptr_equal(find(f, "GET", "/api/v1/predict/matmul.csv"), &table[2]);
    assert_string_equal(f->rq.segment[0], "matmul");
    assert_string_equal(f->rq.segment[1], "");
    assert_int_equal(f->suffix, FR_CSV);
    assert_ptr_equal(find(f, "HEAD", "/api/v1/calibrations/0af/chart/kernels.svg"), &table[7]);
    assert_string_equal(f->rq.segment[0], "0af");
    assert_string_equal(f->rq.segment[1], "kernels");
    assert_int_equal(f->suffix, FR_SVG);
}

CASE(a_dot_that_begins_no_format_belongs_to_the_name)
{
    assert_ptr_equal(find(f, "GET", "/api/v1/machines/hopper.v2"), &table[4]);
    assert_string_equal(f->rq.segment[0], "hopper.v2");
    assert_int_equal(f->suffix, 0);
    assert_ptr_equal(find(f, "GET", "/api/v1/openapi.json"), &table[1]);
    assert_ptr_equal(find(f, "GET", "/api/v1/machines/.json"), &table[4]);
    assert_string_equal(f->rq.segment[0], ".json");
}

CASE(an_escaped_slash_stays_inside_its_segment)
{
    assert_ptr_equal(find(f, "GET", "/api/v1/machines/a%2Fb"), &table[4]);
    assert_string_equal(f->rq.segment[0], "a/b");
    assert_null(find(f, "GET", "/api%2Fv1"));
}

CASE(unknown_paths_have_no_methods)
{
    const char *const unknown[] = { "/api/v1/nope",
                                    "/api/v1/",
                                    "/api//v1",
                                    "/api/v1/machines/",
                                    "/api/v1/machines/a/b",
                                    "/api",
                                    "/api/1/2/3/4/5/6/7/8/9/10/11/12/13" };

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_null(find(f, "GET", unknown[i]));
        assert_int_equal(f->allow, 0);
    }
}

CASE(a_known_path_tells_its_methods)
{
    char text[40];

    assert_null(find(f, "POST", "/api/v1/machines/a"));
    fr_methods_list(f->allow, text, sizeof text);
    assert_string_equal(text, "GET, HEAD, PUT, DELETE");
    assert_null(find(f, "PATCH", "/api/v1/predict"));
    fr_methods_list(f->allow, text, sizeof text);
    assert_string_equal(text, "POST");
    assert_null(find(f, "POST", "/index.html"));
    fr_methods_list(f->allow, text, sizeof text);
    assert_string_equal(text, "GET, HEAD");
}

CASE(names_beyond_the_limit_match_nothing)
{
    char raw[64 + FR_SEGMENT_BYTES] = "/api/v1/machines/";

    memset(raw + strlen(raw), 'a', FR_SEGMENT_BYTES - 1);
    assert_non_null(find(f, "GET", raw));
    assert_int_equal(strlen(f->rq.segment[0]), FR_SEGMENT_BYTES - 1);
    raw[strlen(raw)] = 'a';
    assert_null(find(f, "GET", raw));
}

CASE(the_wildcard_takes_the_rest_of_the_path)
{
    assert_ptr_equal(find(f, "GET", "/"), &table[8]);
    assert_string_equal(f->rq.segment[0], "");
    assert_ptr_equal(find(f, "GET", "/lib/chart.js"), &table[8]);
    assert_string_equal(f->rq.segment[0], "lib/chart.js");
    assert_null(find(f, "GET", "/lib%2Fchart.js"));
}

TEST(accept_chooses_by_quality_then_by_order)
{
    assert_int_equal(fr_media_choose(FR_ROWS, NULL), FR_JSON);
    assert_int_equal(fr_media_choose(FR_ROWS, "*/*"), FR_JSON);
    assert_int_equal(fr_media_choose(FR_CHARTS, "text/html, */*;q=0.8"), FR_SVG);
    assert_int_equal(fr_media_choose(FR_ROWS, "text/csv"), FR_CSV);
    assert_int_equal(fr_media_choose(FR_ROWS, "TEXT/CSV;q=0.5, application/json;q=0.4"), FR_CSV);
    assert_int_equal(fr_media_choose(FR_ROWS, "text/*;q=0.9, application/json;q=0.95"), FR_JSON);
    assert_int_equal(fr_media_choose(FR_ROWS, "text/*, text/csv;q=0"), FR_TXT);
    assert_int_equal(fr_media_choose(FR_ROWS, "application/json;q=0, */*;q=0.1"), FR_CSV);
    assert_int_equal(fr_media_choose(FR_CHARTS, "image/png"), FR_PNG);
    assert_int_equal(fr_media_choose(FR_ROWS, "image/png"), 0);
    assert_int_equal(fr_media_choose(FR_ROWS, "nonsense"), 0);
}

TEST(gzip_is_used_only_where_it_is_taken)
{
    assert_true(fr_media_takes_gzip("deflate, gzip;q=0.5"));
    assert_true(fr_media_takes_gzip("*"));
    assert_false(fr_media_takes_gzip("gzip;q=0, *"));
    assert_false(fr_media_takes_gzip("gzip;q=0.00"));
    assert_false(fr_media_takes_gzip("identity"));
    assert_false(fr_media_takes_gzip(NULL));
}

TEST(bodies_have_the_media_types_of_their_route)
{
    enum fr_body sent;

    assert_true(fr_media_fits_body(FR_BODY_JSON, "application/json; charset=utf-8", &sent));
    assert_true(fr_media_fits_body(FR_BODY_TEXT, NULL, &sent));
    assert_int_equal(sent, FR_BODY_JSON);
    assert_false(fr_media_fits_body(FR_BODY_JSON, "application/x-ndjson", &sent));
    assert_false(fr_media_fits_body(FR_BODY_JSON, "text/plain", &sent));
    assert_true(fr_media_fits_body(FR_BODY_JSON_LINES, "application/x-ndjson", &sent));
    assert_int_equal(sent, FR_BODY_JSON_LINES);
    assert_false(fr_media_fits_body(FR_BODY_JSON_LINES, "text/csv", &sent));
    assert_true(fr_media_fits_body(FR_BODY_TEXT, "Text/Plain; charset=us-ascii", &sent));
    assert_int_equal(sent, FR_BODY_TEXT);
    assert_true(fr_media_fits_body(FR_BODY_TEXT, "application/jsonl", &sent));
    assert_int_equal(sent, FR_BODY_JSON_LINES);
    assert_false(fr_media_fits_body(FR_BODY_TEXT, "image/png", &sent));
}
