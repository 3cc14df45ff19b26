/* Admission: 404, 405, 401, 406, 415, 413, and targets that do not parse. */
#include "server/http/call.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *header(const struct fr_call *call, const char *name)
{
    return MHD_lookup_connection_value(call->connection, MHD_HEADER_KIND, name);
}

struct fr_upload fr_upload_of(const struct fr_call *call)
{
    const char *length = header(call, "Content-Length");
    const bool is_chunked = header(call, "Transfer-Encoding") != NULL;
    struct fr_upload upload = { .is_there = is_chunked };

    if (length && !is_chunked) {
        upload.declared = strtoull(length, NULL, 10);
        upload.is_there = upload.declared > 0;
    }
    if (upload.is_there)
        upload.expects_continue = header(call, "Expect") != NULL;
    return upload;
}

struct framing {
    int lengths, encodings;
    bool is_chunked, has_blank; /* in the name of a header */
};

static enum MHD_Result see_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct framing *framing = cls;

    (void)kind;
    framing->has_blank |= strpbrk(name, " \t") != NULL;
    framing->lengths += strcasecmp(name, "Content-Length") == 0;
    if (strcasecmp(name, "Transfer-Encoding") == 0) {
        framing->encodings++;
        framing->is_chunked = value && strcasecmp(value, "chunked") == 0;
    }
    return MHD_YES;
}

int fr_admit_framing(struct fr_call *call)
{
    struct framing framing = { 0 };

    MHD_get_connection_values(call->connection, MHD_HEADER_KIND, see_header, &framing);
    /* RFC 9112, 5.1: a proxy may take it for the name without the blank. */
    if (framing.has_blank)
        return fr_reply_problem(&call->reply, 400, "The name of a header has a blank in it.");
    if (framing.lengths > 1 || (framing.lengths && framing.encodings))
        return fr_reply_problem(&call->reply, 400,
                                "Send one Content-Length, or Transfer-Encoding, not both: they say "
                                "differently where the body ends.");
    if (framing.encodings > 1 || (framing.encodings && !framing.is_chunked))
        return fr_reply_problem(&call->reply, 501,
                                "The only Transfer-Encoding taken is chunked; compress with "
                                "Content-Encoding: gzip.");
    return 0;
}

static int refuse_method(struct fr_call *call, unsigned allow)
{
    char detail[160], methods[40];

    if (!allow) {
        snprintf(detail, sizeof detail, "There is nothing at `%.100s`.", call->rq.path);
        return fr_reply_problem(&call->reply, 404, detail);
    }
    fr_methods_list(allow, methods, sizeof methods);
    snprintf(detail, sizeof detail, "%.20s is not allowed here; %s is.", call->method, methods);
    call->reply.allow = allow;
    return fr_reply_problem(&call->reply, 405, detail);
}

/* Answers OPTIONS: the methods of the path, and the origins that may use them (CORS). */
static int answer_options(struct fr_call *call, unsigned allow)
{
    if (!allow)
        return refuse_method(call, allow);
    call->is_preflight = true;
    call->reply.allow = allow;
    return 204;
}

static int refuse_format(struct fr_call *call)
{
    char detail[160], formats[64];

    fr_media_list(call->rq.route->formats, formats, sizeof formats);
    snprintf(detail, sizeof detail,
             "This is available as %s; choose by a suffix of the path or by Accept.", formats);
    return fr_reply_problem(&call->reply, 406, detail);
}

static int choose_format(struct fr_call *call, unsigned suffix)
{
    const unsigned offered = call->rq.route->formats;
    unsigned format;

    if (!offered)
        return 0;
    format = suffix ? suffix & offered : fr_media_choose(offered, header(call, "Accept"));
    if (!format)
        return refuse_format(call);
    call->rq.in_lines = format == FR_NDJSON;
    call->rq.format = format == FR_NDJSON ? FR_JSON : (enum fr_format)format;
    return 0;
}

/* Refuses parameters of a route that has none: they are mistakes. */
static int refuse_query(struct fr_call *call)
{
    const struct fr_request *rq = &call->rq;
    struct fr_faults faults;

    if (rq->route->options || rq->route->asking || strncmp(rq->route->path, "/api", 4) != 0)
        return 0;
    faults.count = 0;
    for (size_t i = 0; i < rq->query_count; i++)
        fr_fault(&faults, FR_UNKNOWN_PARAMETER, rq->query[i].name, "there are no parameters here");
    return faults.count ? fr_reply_faults(&call->reply, &faults) : 0;
}

static int find_route(struct fr_call *call)
{
    struct fr_request_target target;
    struct fr_faults faults;
    unsigned suffix, allow;
    int status;

    faults.count = 0;
    if (fr_request_target_parse(call->raw_target, &call->rq, &target, &faults) != FR_OK)
        return fr_reply_faults(&call->reply, &faults);
    call->rq.route =
        fr_route_find(fr_routes, &target, fr_method_of(call->method), &call->rq, &suffix, &allow);
    if (call->rq.route) {
        status = choose_format(call, suffix);
        return status ? status : refuse_query(call);
    }
    return strcmp(call->method, "OPTIONS") == 0 ? answer_options(call, allow)
                                                : refuse_method(call, allow);
}

static int ask_for_token(struct fr_call *call)
{
    const struct fr_config *config = &call->rq.server->config;
    const enum fr_scope scope = call->rq.route->scope;

    call->needed = FR_OPEN;
    if (scope == FR_OPEN || (scope == FR_READ && !atomic_load(&config->require_token_for_read)))
        return 0;
    if (!fr_token_read(header(call, "Authorization"), call->token))
        return fr_reply_problem(&call->reply, 401,
                                "Send `Authorization: Bearer TOKEN`; the operator makes tokens "
                                "with `forerund token create`.");
    call->needed = scope;
    return 0;
}

/* What is written into a damaged database may be lost with it. */
static int refuse_damaged(struct fr_call *call)
{
    if (!fr_route_writes(call->rq.route) || !atomic_load(&call->rq.server->is_store_damaged))
        return 0;
    return fr_reply_problem(
        &call->reply, 503,
        "The database is damaged, so that nothing is written; the operator must "
        "stop the daemon and restore a backup.");
}

static int refuse_size(struct fr_call *call)
{
    char detail[120];

    snprintf(detail, sizeof detail, "The body is larger than %zu bytes%s.",
             call->gather.limit_bytes,
             call->rq.route->body == FR_BODY_FILE ? "" : " (decompressed)");
    return fr_reply_problem(&call->reply, 413, detail);
}

static size_t body_limit(const struct fr_call *call)
{
    struct fr_config *config = &call->rq.server->config;
    const struct fr_route *route = call->rq.route;

    if (route->body == FR_BODY_FILE)
        return (size_t)atomic_load(&config->matrix_limit_bytes);
    return route->body_limit ? route->body_limit : (size_t)atomic_load(&config->body_limit_bytes);
}

static int prepare_body(struct fr_call *call)
{
    const struct fr_route *route = call->rq.route;
    const struct fr_upload upload = fr_upload_of(call);
    const char *encoding = header(call, "Content-Encoding");
    const bool is_gzip =
        encoding && (strcasecmp(encoding, "gzip") == 0 || strcasecmp(encoding, "x-gzip") == 0);
    const size_t limit_bytes = body_limit(call);

    if (!fr_media_fits_body(route->body, header(call, "Content-Type"), &call->rq.sent))
        return fr_reply_problem(
            &call->reply, 415,
            route->body == FR_BODY_TEXT ? "Send application/json, application/x-ndjson, or with "
                                          "?format= text/plain or text/csv."
            : route->body == FR_BODY_JSON_LINES ? "Send application/json or application/x-ndjson."
                                                : "Send application/json.");
    if (encoding && !is_gzip && strcasecmp(encoding, "identity") != 0)
        return fr_reply_problem(&call->reply, 415, "The only Content-Encoding taken is gzip.");
    if (upload.declared >
        limit_bytes) { /* the decompressed body may be too large even if this is not */
        call->gather.limit_bytes = limit_bytes;
        return refuse_size(call);
    }
    if (route->body == FR_BODY_FILE)
        fr_gather_begin_file(&call->gather, call->rq.server->config.db, limit_bytes, is_gzip,
                             &call->listener->spools);
    else
        fr_gather_begin(&call->gather, limit_bytes, is_gzip, &call->listener->bodies);
    return 0;
}

static void read_headers(struct fr_call *call)
{
    const char *allowed = call->rq.server->config.cors_write_origin;
    const char *origin = *allowed ? header(call, "Origin") : NULL;

    call->rq.wants_gzip = fr_media_takes_gzip(header(call, "Accept-Encoding"));
    call->rq.if_none_match = call->is_get ? header(call, "If-None-Match") : NULL;
    call->cors_origin = origin && strcmp(origin, allowed) == 0 ? allowed : NULL;
}

int fr_admit(struct fr_call *call)
{
    int status;

    call->is_get = strcmp(call->method, "GET") == 0 || strcmp(call->method, "HEAD") == 0;
    read_headers(call);
    if (!call->raw_target)
        return fr_reply_problem(&call->reply, 414, "A URL may have at most 8192 bytes.");
    status = find_route(call);
    if (!status)
        status = ask_for_token(call);
    if (!status)
        status = refuse_damaged(call);
    if (!status && call->rq.route->body != FR_NO_BODY)
        status = prepare_body(call);
    return status;
}

int fr_admit_body(struct fr_call *call)
{
    switch (call->gather.state) {
    case FR_GATHER_OK:
        if (call->gather.bytes)
            call->rq.body = call->gather.bytes;
        if (call->gather.has_file)
            call->rq.file = call->gather.file;
        call->rq.body_length = call->gather.length;
        return 0;
    case FR_GATHER_TOO_LARGE:
        return refuse_size(call);
    case FR_GATHER_BAD_GZIP:
        return fr_reply_problem(&call->reply, 400, "The body is not a complete gzip stream.");
    case FR_GATHER_NO_DISK:
        call->reply.retry_after_s = 60;
        return fr_reply_problem(&call->reply, 503,
                                "The disk of the database has no space for this body; the operator "
                                "must free some.");
    case FR_GATHER_BUSY:
    case FR_GATHER_NOMEM:
        break;
    }
    call->reply.retry_after_s = 2;
    if (call->rq.route->body == FR_BODY_FILE)
        return fr_reply_problem(&call->reply, 503,
                                "Other uploads take all the room there is; try again.");
    return fr_reply_problem(&call->reply, 503, "There is no memory for this body at the moment.");
}
