/* The target of a request.  The path is split at its slashes before it is decoded, so that %2F
 * stays inside a segment.  Names and values of the query are split before they are decoded, too.
 */
#include "server/http/call.h"

#include "server/core/utf8.h"

#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if (*text == '%' || *text == '+' || (unsigned char)*text >= 0x80)
            return false;
    return true;
}

/* Decodes in place.  Returns NULL, or the reason why the text is invalid. */
static const char *decode(char *text, bool plus_is_blank)
{
    const char *from = text;
    char *to = text;

    if (is_plain(text))
        return NULL;
    for (; *from; from++) {
        if (*from == '%') {
            const int high = hex_digit(from[1]);
            const int low = high < 0 ? -1 : hex_digit(from[2]);

            if (low < 0)
                return "a % is not followed by two hexadecimal digits; write %25 for the sign "
                       "itself";
            if (high + low == 0)
                return "contains %00, the NUL character";
            *to++ = (char)(high << 4 | low);
            from += 2;
        } else {
            *to++ = plus_is_blank && *from == '+' ? ' ' : *from;
        }
    }
    *to = '\0';
    return fr_is_utf8(text, (size_t)(to - text)) ? NULL : "is not UTF-8";
}

/* Cuts at the next separator; returns the text after it, or NULL at the end. */
static char *cut(char *text, char separator)
{
    char *end = strchr(text, separator);

    if (end)
        *end++ = '\0';
    return end;
}

/* A proxy may send `http://host/path`: only the path counts. */
static const char *without_authority(const char *raw)
{
    const char *host = strncmp(raw, "http://", 7) == 0    ? raw + 7
                       : strncmp(raw, "https://", 8) == 0 ? raw + 8
                                                          : NULL;

    if (!host)
        return raw;
    raw = host + strcspn(host, "/?");
    return *raw == '/' ? raw : "/";
}

static void read_path(char *path, struct fr_request_target *target, struct fr_faults *faults)
{
    target->count = 0;
    target->is_too_deep = false;
    for (char *part = path + 1, *next; part; part = next) {
        const char *why;

        next = cut(part, '/');
        why = decode(part, false);
        if (why) {
            fr_fault(faults, FR_SYNTAX, "path", "%s", why);
            return;
        }
        if (target->count == FR_MAX_PARTS) {
            target->is_too_deep = true;
            return;
        }
        target->part[target->count++] = part;
    }
}

static void read_pair(char *name, struct fr_request *rq, struct fr_faults *faults)
{
    char *value = cut(name, '=');
    const char *why = decode(name, true);

    if (why || !*name) {
        fr_fault(faults, FR_SYNTAX, "query", "%s%s", why ? "a parameter's name " : "",
                 why ? why : "a parameter has no name");
        return;
    }
    why = value ? decode(value, true) : NULL;
    if (why) {
        fr_fault(faults, FR_SYNTAX, name, "%s", why);
        return;
    }
    if (rq->query_count < FR_MAX_QUERY)
        rq->query[rq->query_count] = (struct fr_pair){ name, value ? value : "" };
    rq->query_count++;
}

static void read_query(char *query, struct fr_request *rq, struct fr_faults *faults)
{
    for (char *pair = query, *next; pair; pair = next) {
        next = cut(pair, '&');
        if (*pair)
            read_pair(pair, rq, faults);
    }
    if (rq->query_count > FR_MAX_QUERY) {
        fr_fault(faults, FR_RANGE, "query", "%zu parameters; at most %d are taken", rq->query_count,
                 FR_MAX_QUERY);
        rq->query_count = FR_MAX_QUERY;
    }
}

int fr_request_target_parse(const char *raw, struct fr_request *rq,
                            struct fr_request_target *target, struct fr_faults *faults)
{
    const size_t before = faults->count;
    char *path, *query, *whole;

    raw = without_authority(raw);
    path = fr_arena_text(rq->arena, raw, strlen(raw));
    whole = fr_arena_text(rq->arena, raw, strcspn(raw, "?"));
    target->count = rq->query_count = 0;
    rq->path = "";
    if (!path || !whole)
        return fr_fault(faults, FR_NOMEM, "path", "does not fit the memory of a request");
    if (*path != '/')
        return fr_fault(faults, FR_SYNTAX, "path", "does not begin with /");
    query = cut(path, '?');
    read_path(path, target, faults);
    /* For links and logs; undecodable ones were refused just now. */
    if (decode(whole, false) == NULL)
        rq->path = whole;
    if (query)
        read_query(query, rq, faults);
    return faults->count > before ? (int)faults->fault[0].code : FR_OK;
}
