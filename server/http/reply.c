/* From a handler's reply to the answer: ETag, 304, gzip, headers. */
#include "server/http/call.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_BYTES = 16 };

void fr_reply_init(struct fr_reply *reply)
{
    fr_writer_init(&reply->body);
    fr_writer_init(&reply->link);
    reply->lines_bytes = 0;
    reply->shared = NULL;
    reply->content_type = reply->cache_control = reply->policy = NULL;
    reply->etag[0] = reply->location[0] = '\0';
    reply->retry_after_s = reply->allow = 0;
}

void fr_reply_free(struct fr_reply *reply)
{
    fr_writer_free(&reply->body);
    fr_writer_free(&reply->link);
    fr_cached_drop(reply->shared);
    reply->shared = NULL;
}

const char *fr_query_get(const struct fr_request *rq, const char *name)
{
    for (size_t i = 0; i < rq->query_count; i++)
        if (strcmp(rq->query[i].name, name) == 0)
            return rq->query[i].value;
    return NULL;
}

/* The same key in another format is another representation. */
void fr_tag_make(unsigned format, const void *key, size_t length, char *etag, size_t size)
{
    unsigned char hash[TAG_BYTES];
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)&format, sizeof format);
    crypto_generichash_update(&state, key, length);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(etag, size, hash, sizeof hash);
}

static void make_tag(const struct fr_request *rq, const void *key, size_t length, char *etag,
                     size_t size)
{
    fr_tag_make(rq->in_lines ? FR_NDJSON : rq->format, key, length, etag, size);
}

bool fr_etag_is_listed(const char *if_none_match, const char *etag)
{
    const size_t length = strlen(etag);

    if (!if_none_match || !length)
        return false;
    for (const char *p = if_none_match; *(p += strspn(p, " \t,"));) {
        if (*p == '*')
            return true;
        if (strncmp(p, "W/", 2) == 0)
            p += 2;
        if (*p != '"')
            return false;
        p++;
        if (strncmp(p, etag, length) == 0 && p[length] == '"')
            return true;
        p = strchr(p, '"');
        if (!p)
            return false;
        p++;
    }
    return false;
}

bool fr_reply_is_known(const struct fr_request *rq, struct fr_reply *reply, const void *key,
                       size_t length)
{
    make_tag(rq, key, length, reply->etag, sizeof reply->etag);
    /* `*` matches any answer; whether there is one is known only after the handler. */
    return !(rq->if_none_match && strchr(rq->if_none_match, '*')) &&
           fr_etag_is_listed(rq->if_none_match, reply->etag);
}

void fr_reply_end_line(struct fr_reply *reply)
{
    fr_writer_append(&reply->body, "\n", 1);
    reply->lines_bytes = reply->body.length;
}

void fr_reply_send_lines(struct fr_request *rq, struct fr_reply *reply)
{
    if (!reply->lines_bytes || reply->body.failed ||
        !fr_client_send(rq->client, reply->body.text, reply->lines_bytes, rq->server->pool))
        return;
    reply->body.length = reply->lines_bytes = 0;
}

void fr_reply_complete_lines(struct fr_reply *reply, int status, bool is_begun)
{
    const char *member = status == 200 ? "{\"answer\":" : "{\"problem\":";

    if (reply->body.failed)
        fr_reply_problem(reply, 503, "The answer does not fit into memory.");
    else if (status != 200 && !is_begun)
        return;
    fr_writer_insert(&reply->body, reply->lines_bytes, member, strlen(member));
    fr_writer_append(&reply->body, "}\n", 2);
}

static void add(struct fr_answer *answer, const char *name, const char *value)
{
    if (answer->header_count < FR_MAX_HEADERS)
        answer->header[answer->header_count++] = (struct fr_header){ name, value };
}

static const char *body_bytes(const struct fr_answer *answer)
{
    return answer->shared ? answer->shared->bytes : answer->bytes;
}

static void drop_body(struct fr_answer *answer)
{
    free(answer->bytes);
    fr_cached_drop(answer->shared);
    answer->bytes = NULL;
    answer->shared = NULL;
    answer->length = 0;
}

static bool is_under_api(const struct fr_request *rq)
{
    return rq->route && strncmp(rq->route->path, "/api", 4) == 0;
}

/* Bitmap formats are compressed already. */
static bool is_packable(const char *type)
{
    return strncmp(type, "text/", 5) == 0 || strncmp(type, "application/json", 16) == 0 ||
           strstr(type, "+json") || strstr(type, "+xml") || strstr(type, "javascript") ||
           strstr(type, "yaml") || strstr(type, "ndjson");
}

static void pack(const struct fr_request *rq, const char *type, struct fr_answer *answer)
{
    size_t length;
    char *packed;

    if (!rq->wants_gzip || answer->length <= FR_GZIP_LEAST_BYTES || !is_packable(type))
        return;
    packed = fr_gzip(body_bytes(answer), answer->length, &length);
    if (!packed)
        return;
    drop_body(answer);
    answer->bytes = packed;
    answer->length = length;
    add(answer, "Content-Encoding", "gzip");
}

static void take_body(struct fr_reply *reply, struct fr_answer *answer)
{
    answer->shared = reply->shared;
    answer->bytes = NULL;
    answer->length = answer->shared ? answer->shared->length : reply->body.length;
    reply->shared = NULL;
    if (answer->shared || !answer->length) {
        fr_writer_free(&reply->body);
    } else {
        answer->bytes = reply->body.text;
        fr_writer_init(&reply->body);
    }
}

/* Sets the tag and turns an answer that the client has into 304. */
static void make_conditional(const struct fr_request *rq, struct fr_reply *reply,
                             struct fr_answer *answer)
{
    if (!reply->etag[0] && is_under_api(rq) && answer->status == 200)
        make_tag(rq, body_bytes(answer), answer->length, reply->etag, sizeof reply->etag);
    if (!reply->etag[0])
        return;
    if (answer->status == 200 && fr_etag_is_listed(rq->if_none_match, reply->etag))
        answer->status = 304;
    /* Weak: the gzipped body has the same tag as the plain one. */
    snprintf(answer->etag, sizeof answer->etag, "W/\"%s\"", reply->etag);
    add(answer, "ETag", answer->etag);
}

/* RFC 9111: shared caches must not store answers that need a token. */
static const char *cache_control(const struct fr_request *rq, const struct fr_reply *reply,
                                 bool is_conditional)
{
    if (!is_conditional)
        return "no-store";
    if (rq->token_name[0])
        return "private, no-cache";
    return reply->cache_control ? reply->cache_control : "no-cache";
}

static void add_rare(struct fr_reply *reply, const struct fr_answer_options *options,
                     struct fr_answer *answer)
{
    if (reply->location[0]) {
        memcpy(answer->location, reply->location, sizeof answer->location);
        add(answer, "Location", answer->location);
    }
    if (reply->link.length) {
        answer->link = reply->link.text;
        fr_writer_init(&reply->link);
        add(answer, "Link", answer->link);
    }
    if (reply->allow) {
        fr_methods_list(reply->allow, answer->allow, sizeof answer->allow);
        add(answer, "Allow", answer->allow);
    }
    if (reply->retry_after_s) {
        snprintf(answer->retry_after, sizeof answer->retry_after, "%u", reply->retry_after_s);
        add(answer, "Retry-After", answer->retry_after);
    }
    if (reply->policy)
        add(answer, "Content-Security-Policy", reply->policy);
    /* nginx would keep the lines until it has some kilobytes of them, or all. */
    if (options->is_stream)
        add(answer, "X-Accel-Buffering", "no");
    if (answer->status == 401)
        add(answer, "WWW-Authenticate", "Bearer");
    if (options->is_closing)
        add(answer, "Connection", "close");
}

/* Every origin may read, and caches may give each what another one got; the configured one may
 * write. */
static void add_cors(const struct fr_answer_options *options, struct fr_answer *answer)
{
    const bool may_write = options->cors_origin && !options->is_get;

    if (may_write)
        add(answer, "Access-Control-Allow-Origin", options->cors_origin);
    else if (options->is_get || options->is_preflight)
        add(answer, "Access-Control-Allow-Origin", "*");
    else
        return;
    if (!options->is_preflight) {
        add(answer, "Access-Control-Expose-Headers", "Link, ETag, Retry-After");
        return;
    }
    add(answer, "Access-Control-Allow-Methods",
        may_write ? "GET, HEAD, PUT, POST, DELETE" : "GET, HEAD");
    add(answer, "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Content-Encoding, If-None-Match");
    add(answer, "Access-Control-Max-Age", "3600");
}

void fr_answer_make(const struct fr_request *rq, struct fr_reply *reply, int status,
                    const struct fr_answer_options *options, struct fr_answer *answer)
{
    const char *type;
    bool is_conditional;

    if (reply->body.failed)
        status = fr_reply_problem(reply, 503, "The answer does not fit into memory.");
    if (status == 429 && !reply->retry_after_s)
        reply->retry_after_s = rq->limited_s;
    if (rq->in_lines && !options->is_stream)
        fr_reply_complete_lines(reply, status, false);
    /* A worker may still write it for the end of a stream. */
    if (!options->is_stream && rq->is_partial && status == 200) {
        reply->etag[0] = '\0';
        reply->cache_control = NULL;
    }
    type = reply->content_type             ? reply->content_type
           : rq->in_lines && status == 200 ? fr_format_type(FR_NDJSON)
                                           : fr_format_type(rq->format);
    is_conditional = options->is_get && !options->is_stream && (status == 200 || status == 304);
    answer->header_count = 0;
    answer->link = NULL;
    answer->status = status;
    take_body(reply, answer);
    if (is_conditional) {
        make_conditional(rq, reply, answer);
        add(answer, "Vary", "Accept, Accept-Encoding");
    }
    if (answer->status == 304 || answer->status == 204)
        drop_body(answer);
    if (answer->length || options->is_stream) {
        add(answer, "Content-Type", type);
        pack(rq, type, answer);
    }
    add(answer, "Cache-Control", cache_control(rq, reply, is_conditional));
    add(answer, "X-Content-Type-Options", "nosniff");
    add_cors(options, answer);
    add_rare(reply, options, answer);
}

void fr_answer_free(struct fr_answer *answer)
{
    drop_body(answer);
    free(answer->link);
    answer->link = NULL;
}
