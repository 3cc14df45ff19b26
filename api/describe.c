/* Prints what the routes say of themselves as JSON, for openapi.py. */
#include "server/http/http.h"

#include <stdio.h>

/* The documents are made of this program's output. */
const char openapi_yaml[1], openapi_yaml_end[1], openapi_json[1], openapi_json_end[1];

static void write_route(struct fr_writer *w, const struct fr_route *route)
{
    fr_json_object(w);
    fr_json_pair(w, "method", fr_method_names[route->method]);
    fr_json_pair(w, "path", route->path);
    fr_json_pair(w, "summary", route->summary);
    fr_json_key(w, "types");
    fr_json_array(w);
    for (unsigned format = FR_JSON; format <= FR_NDJSON; format *= 2)
        if (route->formats & format)
            fr_json_text(w, fr_format_type((enum fr_format)format));
    fr_json_array_end(w);
    fr_json_pair_bool(w, "needs_token", route->scope >= FR_WRITE);
    fr_json_pair_bool(w, "takes_query", route->takes_query);
    fr_json_pair_bool(w, "takes_body", route->body);
    fr_json_pair_bool(w, "may_wait", !route->is_inline || route->is_long_for);
    fr_json_object_end(w);
}

int main(void)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_json_array(&w);
    for (const struct fr_route *route = fr_routes; route->path; route++)
        write_route(&w, route);
    fr_json_array_end(&w);
    return w.failed || puts(w.text) < 0;
}
