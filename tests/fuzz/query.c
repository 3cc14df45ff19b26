/* Fuzzes the target of a request: decoding, value lists, cursors, binding, what-ifs, and the
 * answers to valid requests. */
#include "tests/fuzz/setting.h"

#include "server/http/call.h"

#include <stdlib.h>
#include <string.h>

/* A larger product would test speed only. */
enum { MOST_POINTS = 50 };

/* Parses every value as a list for every parameter. */
static void read_lists(struct fr_request *rq)
{
    for (size_t i = 0; i < rq->query_count; i++) {
        for (const struct fr_param *param = fr_models[0]->params; param->name; param++) {
            const struct fr_arena_mark mark = fr_arena_mark(rq->arena);
            struct fr_faults faults;
            struct fr_axis axis;

            faults.count = 0;
            if (fr_axis_parse(param, rq->query[i].value, rq->arena, &axis, &faults) == FR_OK &&
                (!axis.count || faults.count))
                abort();
            fr_arena_release(rq->arena, mark);
        }
    }
}

/* Whether the lists of a sweep stay small: no range, few commas. */
static bool is_short(const struct fr_request *rq)
{
    size_t points = 1;

    for (size_t i = 0; i < rq->query_count; i++) {
        size_t values = 1;

        if (strstr(rq->query[i].value, ".."))
            return false;
        for (const char *at = rq->query[i].value; (at = strchr(at, ',')); at++)
            values++;
        points *= values;
        if (points > MOST_POINTS)
            return false;
    }
    return true;
}

/* Endpoints that need neither a program nor a socket. Computations are long where lists are. */
static bool is_answered(const struct fr_request *rq)
{
    const struct fr_route *route = rq->route;
    const bool is_api = strncmp(route->path, "/api/v1", 7) == 0;
    const bool is_chart = route->formats & FR_GP;

    return is_api && route->body == FR_NO_BODY && route->method == FR_GET &&
           (!is_chart || rq->format == FR_GP) && (!route->is_long || is_short(rq));
}

/* A table without rows has no header in csv and txt. */
static void answer(struct fr_request *rq, struct fr_reply *reply)
{
    const int status = rq->route->handle(rq, reply);

    if (status != 200 || !(rq->format & (FR_CSV | FR_TXT)) || reply->body.length)
        fuzz_check(status, reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_request_target target;
    struct fr_faults faults;
    struct fr_request rq;
    struct fr_reply reply;
    unsigned suffix = 0, allow;
    const char *text;

    if (size > FR_TARGET_BYTES)
        return -1;
    fuzz_begin(&rq, &reply);
    faults.count = 0;
    text = fuzz_text(&rq, data, size);
    if (fr_request_target_parse(text, &rq, &target, &faults) == FR_OK) {
        rq.route = fr_route_find(fr_routes, &target, FR_GET, &rq, &suffix, &allow);
        if (suffix)
            rq.format = (enum fr_format)suffix;
        read_lists(&rq);
        if (rq.route && (!suffix || suffix & rq.route->formats) && is_answered(&rq))
            answer(&rq, &reply);
    }
    fuzz_end(&rq, &reply);
    return 0;
}
