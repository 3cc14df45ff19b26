/* What a reply becomes: conditions, compression, headers, problems; and what a body may be. */
#include "server/http/call.h"
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static const struct fr_route api_route = { .method = FR_GET, .path = "/api/v1/models" };
static const struct fr_answer_options get = { .is_get = true };
static const struct fr_answer_options post = { .is_get = false };

static const char *header_of(const struct fr_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->header_count; i++)
        if (strcmp(answer->header[i].name, name) == 0)
            return answer->header[i].value;
    return NULL;
}

static struct fr_request request(void)
{
    return (struct fr_request){ .route = &api_route, .format = FR_JSON };
}

/* Written in place: its headers point into it. */
static void make(struct fr_answer *answer, const struct fr_request *rq, const char *body,
                 int status, const struct fr_answer_options *options)
{
    struct fr_reply reply;

    fr_reply_init(&reply);
    fr_writer_text(&reply.body, body);
    fr_answer_make(rq, &reply, status, options, answer);
    fr_reply_free(&reply);
}

TEST(a_get_is_tagged_and_open_to_every_origin)
{
    const struct fr_request rq = request();
    struct fr_answer answer;

    make(&answer, &rq, "{}", 200, &get);
    assert_int_equal(answer.status, 200);
    assert_non_null(header_of(&answer, "ETag"));
    assert_string_equal(header_of(&answer, "Content-Type"), "application/json");
    assert_string_equal(header_of(&answer, "Cache-Control"), "no-cache");
    assert_string_equal(header_of(&answer, "Vary"), "Accept, Accept-Encoding");
    assert_string_equal(header_of(&answer, "Access-Control-Allow-Origin"), "*");
    assert_string_equal(header_of(&answer, "Access-Control-Expose-Headers"),
                        "Link, ETag, Retry-After");
    assert_string_equal(header_of(&answer, "X-Content-Type-Options"), "nosniff");
    fr_answer_free(&answer);
}

TEST(the_same_body_again_is_304)
{
    struct fr_request rq = request();
    struct fr_answer first, again, other;

    make(&first, &rq, "{\"a\":1}", 200, &get);
    rq.if_none_match = header_of(&first, "ETag");
    make(&again, &rq, "{\"a\":1}", 200, &get);
    assert_int_equal(again.status, 304);
    assert_int_equal(again.length, 0);
    assert_null(header_of(&again, "Content-Type"));
    assert_string_equal(header_of(&again, "ETag"), header_of(&first, "ETag"));
    make(&other, &rq, "{\"a\":2}", 200, &get);
    assert_int_equal(other.status, 200);
    fr_answer_free(&first);
    fr_answer_free(&again);
    fr_answer_free(&other);
}

TEST(tags_are_compared_weakly_in_lists)
{
    assert_true(fr_etag_is_listed("\"abc\"", "abc"));
    assert_true(fr_etag_is_listed("\"x\", W/\"abc\"", "abc"));
    assert_true(fr_etag_is_listed("*", "abc"));
    assert_false(fr_etag_is_listed("\"abcd\"", "abc"));
    assert_false(fr_etag_is_listed("abc", "abc"));
    assert_false(fr_etag_is_listed("\"abc", "abc"));
    assert_false(fr_etag_is_listed("W/", "abc"));
    assert_false(fr_etag_is_listed(NULL, "abc"));
    assert_false(fr_etag_is_listed("\"\"", ""));
}

TEST(a_key_makes_the_tag_before_the_body_exists)
{
    struct fr_request rq = request();
    struct fr_reply reply;
    char quoted[48];

    fr_reply_init(&reply);
    assert_false(fr_reply_is_known(&rq, &reply, "key", 3));
    snprintf(quoted, sizeof quoted, "\"%s\"", reply.etag);
    rq.if_none_match = quoted;
    assert_true(fr_reply_is_known(&rq, &reply, "key", 3));
    rq.format = FR_CSV;
    assert_false(fr_reply_is_known(&rq, &reply, "key", 3));
    fr_reply_free(&reply);
}

TEST(only_a_get_that_went_well_may_be_cached)
{
    const struct fr_request rq = request();
    struct fr_answer created, missing;

    make(&created, &rq, "{}", 201, &post);
    make(&missing, &rq, "{}", 404, &get);
    assert_null(header_of(&created, "ETag"));
    assert_null(header_of(&created, "Access-Control-Allow-Origin"));
    assert_null(header_of(&created, "Access-Control-Expose-Headers"));
    assert_string_equal(header_of(&created, "Cache-Control"), "no-store");
    assert_null(header_of(&missing, "ETag"));
    assert_string_equal(header_of(&missing, "Cache-Control"), "no-store");
    fr_answer_free(&created);
    fr_answer_free(&missing);
}

/* What an answer says that caches may keep for a minute. */
static const char *kept(const struct fr_request *rq, int status)
{
    static struct fr_answer answer;
    struct fr_reply reply;

    fr_reply_init(&reply);
    fr_writer_text(&reply.body, "{}");
    fr_reply_is_known(rq, &reply, "key", 3);
    reply.cache_control = FR_CACHED_A_MINUTE;
    fr_answer_make(rq, &reply, status, &get, &answer);
    fr_reply_free(&reply);
    fr_answer_free(&answer);
    return header_of(&answer, "Cache-Control");
}

TEST(a_cache_keeps_only_whole_answers_that_need_no_token)
{
    struct fr_request rq = request();

    assert_string_equal(kept(&rq, 200), "public, max-age=60, immutable");
    assert_string_equal(kept(&rq, 304), "public, max-age=60, immutable");
    assert_string_equal(kept(&rq, 422), "no-store");
    rq.is_partial = true;
    assert_string_equal(kept(&rq, 200), "no-cache");
    rq.is_partial = false;
    snprintf(rq.token_name, sizeof rq.token_name, "ann");
    assert_string_equal(kept(&rq, 200), "private, no-cache");
}

/* Its tag would be that of the whole answer. */
TEST(what_is_left_out_is_not_known_by_the_key)
{
    struct fr_request rq = request();
    struct fr_answer part, whole;
    struct fr_reply reply;

    for (int i = 0; i < 2; i++) {
        rq.is_partial = i == 0;
        fr_reply_init(&reply);
        fr_writer_text(&reply.body, i ? "{}" : "{\"error\":1}");
        fr_reply_is_known(&rq, &reply, "key", 3);
        fr_answer_make(&rq, &reply, 200, &get, i ? &whole : &part);
        fr_reply_free(&reply);
    }
    assert_string_not_equal(header_of(&part, "ETag"), header_of(&whole, "ETag"));
    fr_answer_free(&part);
    fr_answer_free(&whole);
}

TEST(the_origin_of_a_reader_does_not_matter)
{
    struct fr_answer_options options = get;
    const struct fr_request rq = request();
    struct fr_answer answer;

    options.cors_origin = "https://a.example"; /* which may write, and got it from a cache */
    make(&answer, &rq, "{}", 200, &options);
    assert_string_equal(header_of(&answer, "Access-Control-Allow-Origin"), "*");
    fr_answer_free(&answer);
}

TEST(what_a_token_opened_is_private)
{
    struct fr_request rq = request();
    struct fr_answer answer;

    snprintf(rq.token_name, sizeof rq.token_name, "ann");
    make(&answer, &rq, "{}", 200, &get);
    assert_string_equal(header_of(&answer, "Cache-Control"), "private, no-cache");
    fr_answer_free(&answer);
}

TEST(long_bodies_are_compressed_for_those_who_take_it)
{
    struct fr_request rq = request();
    char body[4096], plain[8192];
    z_stream z = { 0 };
    struct fr_answer answer;

    memset(body, ' ', sizeof body - 1);
    body[sizeof body - 1] = '\0';
    make(&answer, &rq, body, 200, &get);
    assert_null(header_of(&answer, "Content-Encoding"));
    fr_answer_free(&answer);

    rq.wants_gzip = true;
    make(&answer, &rq, body, 200, &get);
    assert_string_equal(header_of(&answer, "Content-Encoding"), "gzip");
    assert_true(answer.length < 200);
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_in = (Bytef *)answer.bytes;
    z.avail_in = (uInt)answer.length;
    z.next_out = (Bytef *)plain;
    z.avail_out = sizeof plain;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, sizeof body - 1);
    inflateEnd(&z);
    fr_answer_free(&answer);

    make(&answer, &rq, "{}", 200, &get);
    assert_null(header_of(&answer, "Content-Encoding"));
    fr_answer_free(&answer);
}

TEST(a_shared_blob_outlives_the_answer)
{
    const struct fr_request rq = request();
    struct fr_shared_bytes *shared = fr_shared_bytes_new("tag", "<svg/>", 6);
    struct fr_reply reply;
    struct fr_answer answer;

    fr_reply_init(&reply);
    reply.shared = fr_cached_share(shared);
    fr_answer_make(&rq, &reply, 200, &get, &answer);
    assert_int_equal(answer.length, 6);
    fr_answer_free(&answer);
    fr_reply_free(&reply);
    assert_memory_equal(shared->bytes, "<svg/>", 6);
    fr_cached_drop(shared);
}

TEST(refusals_carry_the_headers_they_need)
{
    const struct fr_answer_options preflight = { .is_preflight = true,
                                                 .cors_origin = "https://a.example" };
    const struct fr_request rq = request();
    struct fr_reply reply;
    struct fr_answer answer;

    fr_reply_init(&reply);
    reply.allow = 1u << FR_GET | 1u << FR_DELETE;
    reply.retry_after_s = 7;
    fr_answer_make(&rq, &reply, 401, &preflight, &answer);
    assert_string_equal(header_of(&answer, "Allow"), "GET, HEAD, DELETE");
    assert_string_equal(header_of(&answer, "Retry-After"), "7");
    assert_string_equal(header_of(&answer, "WWW-Authenticate"), "Bearer");
    assert_string_equal(header_of(&answer, "Access-Control-Allow-Origin"), "https://a.example");
    fr_answer_free(&answer);
    fr_reply_free(&reply);
}

static char *problem(const struct fr_faults *faults, int *status)
{
    struct fr_reply reply;
    char *text;

    fr_reply_init(&reply);
    fr_writer_text(&reply.body, "{\"half\":");
    *status = fr_reply_faults(&reply, faults);
    text = strndup(reply.body.text, reply.body.length);
    assert_string_equal(reply.content_type, "application/problem+json");
    fr_reply_free(&reply);
    return text;
}

TEST(a_problem_lists_every_fault_by_parameter_or_pointer)
{
    struct fr_faults faults = { 0 };
    char *text;
    int status;

    fr_fault(&faults, FR_RANGE, "n", "0 is below 1");
    fr_fault(&faults, FR_TYPE, "/nodes/0", "is not a number");
    fr_fault(&faults, FR_MISSING, "", "is empty");
    text = problem(&faults, &status);
    assert_int_equal(status, 422);
    assert_string_equal(
        text, "{\"type\":\"urn:forerun:problem:out-of-range\","
              "\"title\":\"A value is out of range\",\"status\":422,"
              "\"detail\":\"The request has 3 faults; the first: n: 0 is below 1.\",\"errors\":["
              "{\"parameter\":\"n\",\"code\":\"out_of_range\",\"message\":\"0 is below 1\"},"
              "{\"pointer\":\"/nodes/0\",\"code\":\"wrong_type\",\"message\":\"is not a number\"},"
              "{\"pointer\":\"\",\"code\":\"required\",\"message\":\"is empty\"}]}");
    free(text);
}

TEST(the_gravest_code_gives_the_status)
{
    struct fr_faults faults = { 0 };

    fr_fault(&faults, FR_RANGE, "n", "x");
    assert_int_equal(fr_faults_status(&faults), 422);
    fr_fault(&faults, FR_NOMEM, "n", "x");
    assert_int_equal(fr_faults_status(&faults), 413);
    fr_fault(&faults, FR_SYNTAX, "n", "x");
    assert_int_equal(fr_faults_status(&faults), 400);
}

TEST(more_faults_than_are_kept_are_counted)
{
    struct fr_faults faults = { 0 };
    char *text;
    int status;

    for (int i = 0; i < 40; i++)
        fr_fault(&faults, FR_UNKNOWN_KEY, "/a", "unknown");
    text = problem(&faults, &status);
    assert_non_null(strstr(text, "The request has 40 faults (32 are listed); the first:"));
    free(text);
}

TEST(a_text_cut_inside_a_character_is_sanitized)
{
    struct fr_faults faults = { 0 };
    char *text;
    int status;

    fr_fault(&faults, FR_RANGE, "n", "cut \xc3");
    text = problem(&faults, &status);
    assert_non_null(strstr(text, "cut ?"));
    free(text);
}

static struct fr_gather gathered(struct fr_body_budget *budget, const char *bytes, size_t length,
                                 size_t limit, bool is_gzip)
{
    struct fr_gather gather;

    fr_gather_begin(&gather, limit, is_gzip, budget);
    for (size_t i = 0; i < length; i += 7)
        fr_gather_take(&gather, bytes + i, length - i < 7 ? length - i : 7);
    fr_gather_end(&gather);
    return gather;
}

TEST(a_body_may_have_exactly_the_limit)
{
    struct fr_body_budget budget = { .limit_bytes = 1 << 20 };
    struct fr_gather gather = gathered(&budget, "0123456789", 10, 10, false);

    assert_int_equal(gather.state, FR_GATHER_OK);
    assert_string_equal(gather.bytes, "0123456789");
    fr_gather_free(&gather);
    gather = gathered(&budget, "0123456789", 10, 9, false);
    assert_int_equal(gather.state, FR_GATHER_TOO_LARGE);
    fr_gather_free(&gather);
    assert_int_equal(budget.held_bytes, 0);
}

TEST(the_limit_counts_decompressed_bytes)
{
    struct fr_body_budget budget = { .limit_bytes = 1 << 22 };
    const size_t bomb_bytes = 1 << 20;
    char *zeros = calloc(1, bomb_bytes), *packed;
    struct fr_gather gather;
    size_t length;

    packed = fr_gzip(zeros, bomb_bytes, &length);
    assert_non_null(packed);
    gather = gathered(&budget, packed, length, bomb_bytes, true);
    assert_int_equal(gather.state, FR_GATHER_OK);
    assert_int_equal(gather.length, bomb_bytes);
    fr_gather_free(&gather);
    gather = gathered(&budget, packed, length, bomb_bytes - 1, true);
    assert_int_equal(gather.state, FR_GATHER_TOO_LARGE);
    fr_gather_free(&gather);
    gather = gathered(&budget, packed, length - 1, bomb_bytes, true);
    assert_int_equal(gather.state, FR_GATHER_BAD_GZIP);
    fr_gather_free(&gather);
    gather = gathered(&budget, "not gzip at all", 15, bomb_bytes, true);
    assert_int_equal(gather.state, FR_GATHER_BAD_GZIP);
    fr_gather_free(&gather);
    assert_int_equal(budget.held_bytes, 0);
    free(packed);
    free(zeros);
}

TEST(gzip_members_may_be_strung_together)
{
    struct fr_body_budget budget = { .limit_bytes = 1 << 20 };
    char text[64], twice[256];
    struct fr_gather gather;
    size_t length;
    char *packed;

    memset(text, 'a', sizeof text);
    packed = fr_gzip(text, sizeof text, &length);
    memcpy(twice, packed, length);
    memcpy(twice + length, packed, length);
    gather = gathered(&budget, twice, 2 * length, 1000, true);
    assert_int_equal(gather.state, FR_GATHER_OK);
    assert_int_equal(gather.length, 2 * sizeof text);
    fr_gather_free(&gather);
    free(packed);
}

TEST(bodies_in_flight_share_a_budget)
{
    struct fr_body_budget budget = { .limit_bytes = 6000 };
    struct fr_gather first = gathered(&budget, "a", 1, 5000, false);
    struct fr_gather second = gathered(&budget, "b", 1, 5000, false);

    assert_int_equal(first.state, FR_GATHER_OK);
    assert_int_equal(second.state, FR_GATHER_BUSY);
    fr_gather_free(&second);
    fr_gather_free(&first);
    assert_int_equal(budget.held_bytes, 0);
}
