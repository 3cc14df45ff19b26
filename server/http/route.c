/* Matching paths against templates, segment by segment. */
#include "server/http/call.h"

#include <stdio.h>
#include <string.h>

const char *const fr_method_names[FR_METHODS] = {
    [FR_GET] = "GET", [FR_PUT] = "PUT", [FR_POST] = "POST", [FR_DELETE] = "DELETE"
};

int fr_method_of(const char *name)
{
    for (int i = 0; i < FR_METHODS; i++)
        if (strcmp(name, fr_method_names[i]) == 0)
            return i;
    return strcmp(name, "HEAD") == 0 ? FR_GET : -1;
}

void fr_methods_list(unsigned allow, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < FR_METHODS && used < size; i++)
        if (allow & 1u << i)
            used += (size_t)snprintf(out + used, size - used, "%s%s%s", used ? ", " : "",
                                     fr_method_names[i], i == FR_GET ? ", HEAD" : "");
}

/* The segments that match placeholders: pointers until the whole path has matched. */
struct caught {
    const char *text[FR_MAX_SEGMENTS];
    size_t length[FR_MAX_SEGMENTS];
    size_t count;
};

/* The suffix of a last segment: its format, and the length before the dot. */
struct suffix {
    unsigned format;
    size_t stem;
};

static struct suffix suffix_of(const char *part)
{
    const char *dot = strrchr(part, '.');
    const unsigned format = dot && dot > part ? fr_media_of_suffix(dot + 1) : 0;

    return (struct suffix){ format, format ? (size_t)(dot - part) : strlen(part) };
}

static bool match_part(const char *template, size_t length, const char *part, size_t part_length,
                       struct caught *caught)
{
    if (*template != '{')
        return length == part_length && memcmp(template, part, length) == 0;
    if (!part_length || part_length >= FR_SEGMENT_BYTES || caught->count == FR_MAX_SEGMENTS)
        return false;
    caught->text[caught->count] = part;
    caught->length[caught->count++] = part_length;
    return true;
}

/* Whether the last segment matches, with or without its suffix; sets *suffix. */
static bool match_last(const struct fr_route *route, const char *template, const char *part,
                       struct caught *caught, unsigned *suffix)
{
    const size_t length = strlen(template);
    const struct suffix ending = route->formats ? suffix_of(part) : (struct suffix){ 0 };

    *suffix = ending.format;
    if (ending.format && match_part(template, length, part, ending.stem, caught))
        return true;
    *suffix = 0;
    return match_part(template, length, part, strlen(part), caught);
}

static bool match(const struct fr_route *route, const struct fr_request_target *target,
                  struct caught *caught, unsigned *suffix)
{
    const char *template = route->path + 1;
    size_t i = 0;

    caught->count = 0;
    for (const char *end; (end = strchr(template, '/')); template = end + 1, i++)
        if (i + 1 >= target->count || !match_part(template, (size_t)(end - template),
                                                  target->part[i], strlen(target->part[i]), caught))
            return false;
    return i + 1 == target->count && match_last(route, template, target->part[i], caught, suffix);
}

static void keep_segments(const struct caught *caught, struct fr_request *rq)
{
    for (size_t i = 0; i < FR_MAX_SEGMENTS; i++) {
        const size_t length = i < caught->count ? caught->length[i] : 0;

        if (length)
            memcpy(rq->segment[i], caught->text[i], length);
        rq->segment[i][length] = '\0';
    }
}

static bool is_wildcard(const struct fr_route *route)
{
    const size_t length = strlen(route->path);

    return length && route->path[length - 1] == '*';
}

/* Joins the segments after the template's last slash; false if they are too long or one of them
 * contains a slash. */
static bool catch_rest(const struct fr_route *route, const struct fr_request_target *target,
                       struct fr_request *rq)
{
    struct caught none = { .count = 0 };
    size_t skip = 0, used = 0;
    const char *template = route->path + 1;

    for (const char *end; (end = strchr(template, '/')); template = end + 1, skip++)
        if (skip + 1 >= target->count || strlen(target->part[skip]) != (size_t)(end - template) ||
            memcmp(template, target->part[skip], (size_t)(end - template)) != 0)
            return false;
    keep_segments(&none, rq);
    for (size_t i = skip; i < target->count; i++) {
        const size_t length = strlen(target->part[i]);

        if (strchr(target->part[i], '/') || used + length + 2 > FR_SEGMENT_BYTES)
            return false;
        if (i > skip)
            rq->segment[0][used++] = '/';
        memcpy(rq->segment[0] + used, target->part[i], length + 1);
        used += length;
    }
    return true;
}

static const struct fr_route *find_wildcard(const struct fr_route *routes,
                                            const struct fr_request_target *target, int method,
                                            struct fr_request *rq, unsigned *allow)
{
    if (strcmp(target->part[0], "api") == 0)
        return NULL;
    for (const struct fr_route *route = routes; route->path; route++)
        if (is_wildcard(route) && catch_rest(route, target, rq)) {
            if ((int)route->method == method)
                return route;
            *allow |= 1u << route->method;
        }
    return NULL;
}

const struct fr_route *fr_route_find(const struct fr_route *routes,
                                     const struct fr_request_target *target, int method,
                                     struct fr_request *rq, unsigned *suffix, unsigned *allow)
{
    struct caught caught;

    *allow = *suffix = 0;
    if (target->is_too_deep || !target->count)
        return NULL;
    for (const struct fr_route *route = routes; route->path; route++)
        if (match(route, target, &caught, suffix) && !is_wildcard(route)) {
            if ((int)route->method == method) {
                keep_segments(&caught, rq);
                return route;
            }
            *allow |= 1u << route->method;
        }
    *suffix = 0;
    return *allow ? NULL : find_wildcard(routes, target, method, rq, allow);
}
