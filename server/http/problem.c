/* problem+json (RFC 9457): the one place where codes of faults become titles and statuses. */
#include "server/http/http.h"

#include "server/core/utf8.h"

#include <stdio.h>

/* The types are names, not pages. */
#define TYPE_BASE "urn:forerun:problem:"

struct kind {
    int status;
    const char *suffix, *title;
};

static const struct kind kinds[] = {
    [FR_OK] = { 500, "internal", "Internal error" },
    [FR_SYNTAX] = { 400, "syntax", "The request does not parse" },
    [FR_TYPE] = { 422, "wrong-type", "A value has the wrong type" },
    [FR_RANGE] = { 422, "out-of-range", "A value is out of range" },
    [FR_CHOICE] = { 422, "unknown-choice", "A value is none of the choices" },
    [FR_MISSING] = { 422, "required", "Something required is missing" },
    [FR_REPEATED] = { 422, "given-twice", "Something is given twice" },
    [FR_RELATION] = { 422, "impossible-combination", "The values do not go together" },
    [FR_MISMATCH] = { 409, "machine-mismatch", "The document cannot be of this machine" },
    [FR_UNKNOWN_PARAMETER] = { 422, "unknown-parameter", "A parameter is unknown" },
    [FR_UNKNOWN_KEY] = { 422, "unknown-key", "A key is unknown" },
    [FR_GROUP_MISSING] = { 422, "calibration-group-missing",
                           "The calibration lacks a group that the model needs" },
    [FR_NOT_FOUND] = { 422, "not-found", "Something named does not exist" },
    [FR_STRUCTURE_MISSING] = { 422, "structure-missing",
                               "A matrix has not been analyzed as the question needs it" },
    [FR_TOO_MANY_POINTS] = { 422, "too-many-points", "The request asks for too many points" },
    [FR_NOMEM] = { 413, "too-large", "The request is too large" },
    [FR_TOO_LONG] = { 413, "too-long", "The computation would take too long" },
    [FR_LIMITED] = { 429, "too-many-requests", "Too many requests" },
    [FR_INFEASIBLE] = { 422, "infeasible", "Nothing keeps to the constraints" },
};
#define X(code, name) _Static_assert(code < sizeof kinds / sizeof kinds[0], name);
FR_CODES(X)
#undef X

/* Problems identified by their status alone; the last is for every other status. */
static const struct kind statuses[] = {
    { 400, "syntax", "The request does not parse" },
    { 401, "unauthorized", "A valid token is needed" },
    { 403, "forbidden", "The token does not permit this" },
    { 404, "not-found", "Not found" },
    { 405, "method-not-allowed", "The method is not allowed here" },
    { 406, "not-acceptable", "No acceptable representation" },
    { 409, "conflict", "In conflict with what exists" },
    { 413, "too-large", "The request is too large" },
    { 414, "uri-too-long", "The URL is too long" },
    { 415, "unsupported-media-type", "The body's media type is not taken here" },
    { 422, "invalid", "The request is not valid" },
    { 429, "too-many-requests", "Too many requests" },
    { 501, "not-implemented", "Not implemented" },
    { 503, "unavailable", "Unavailable for the moment" },
    { 504, "timeout", "It took too long" },
    { 500, "internal", "Internal error" },
};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

static const struct kind *kind_of_status(int status)
{
    size_t i = 0;

    while (i < STATUSES - 1 && statuses[i].status != status)
        i++;
    return &statuses[i];
}

/* Syntax, then size, then the rest: if a text does not parse, its other faults are uncertain. */
static const struct kind *gravest(const struct fr_faults *faults)
{
    const struct kind *worst = NULL;

    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        const struct kind *kind = &kinds[faults->fault[i].code];

        if (!worst || kind->status < worst->status)
            worst = kind;
    }
    return worst ? worst : kind_of_status(422);
}

int fr_faults_status(const struct fr_faults *faults)
{
    return gravest(faults)->status;
}

static void summarise(const struct fr_faults *faults, char *out, size_t size)
{
    const struct fr_fault *first = &faults->fault[0];
    const char *colon = *first->where ? ": " : "";
    char count[96] = "one fault:";

    if (faults->count == 0) {
        snprintf(out, size, "The request is not valid.");
        return;
    }
    if (faults->count > FR_MAX_FAULTS)
        snprintf(count, sizeof count, "%zu faults (%d are listed); the first:", faults->count,
                 FR_MAX_FAULTS);
    else if (faults->count > 1)
        snprintf(count, sizeof count, "%zu faults; the first:", faults->count);
    snprintf(out, size, "The request has %s %s%s%s.", count, first->where, colon, first->message);
}

/* A fixed-size text may have been cut inside a character. */
static void write_pair(struct fr_writer *w, const char *key, const char *text)
{
    char sanitized[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 128];

    snprintf(sanitized, sizeof sanitized, "%s", text);
    fr_utf8_sanitize(sanitized);
    fr_json_pair(w, key, sanitized);
}

void fr_problem_errors(struct fr_writer *w, const struct fr_faults *faults)
{
    fr_json_pair_array(w, "errors");
    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        const struct fr_fault *fault = &faults->fault[i];
        const bool is_pointer = !*fault->where || *fault->where == '/';

        fr_json_object(w);
        write_pair(w, is_pointer ? "pointer" : "parameter", fault->where);
        fr_json_pair(w, "code", fr_code_name(fault->code));
        write_pair(w, "message", fault->message);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

int fr_problem_write(struct fr_writer *w, int status, const char *detail,
                     const struct fr_faults *faults)
{
    const struct kind *kind = kind_of_status(status);
    char text[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 128];

    if (faults && faults->count && gravest(faults)->status == status)
        kind = gravest(faults);
    snprintf(text, sizeof text, TYPE_BASE "%s", kind->suffix);
    fr_json_object(w);
    fr_json_pair(w, "type", text);
    fr_json_pair(w, "title", kind->title);
    fr_json_pair_integer(w, "status", status);
    if (!detail && faults)
        summarise(faults, text, sizeof text);
    write_pair(w, "detail", detail ? detail : faults ? text : kind->title);
    if (faults && faults->count)
        fr_problem_errors(w, faults);
    fr_json_object_end(w);
    return status;
}

/* Drops the output that the handler wrote before it found the fault. */
static void begin_problem(struct fr_reply *reply)
{
    fr_writer_free(&reply->body);
    reply->lines_bytes = 0;
    fr_cached_drop(reply->shared);
    reply->shared = NULL;
    reply->content_type = "application/problem+json";
    reply->cache_control = "no-store";
    reply->etag[0] = '\0';
    reply->location[0] = '\0';
    fr_writer_free(&reply->link);
}

int fr_reply_problem(struct fr_reply *reply, int status, const char *detail)
{
    begin_problem(reply);
    return fr_problem_write(&reply->body, status, detail, NULL);
}

int fr_reply_not_found(struct fr_reply *reply, const char *what, const char *name)
{
    char detail[FR_MESSAGE_BYTES];

    snprintf(detail, sizeof detail, "There is no %s `%s`.", what, name);
    return fr_reply_problem(reply, 404, detail);
}

int fr_reply_refusal(struct fr_reply *reply, int status, const struct fr_faults *faults)
{
    begin_problem(reply);
    return fr_problem_write(&reply->body, status, NULL, faults);
}

int fr_reply_faults(struct fr_reply *reply, const struct fr_faults *faults)
{
    return fr_reply_refusal(reply, fr_faults_status(faults), faults);
}
