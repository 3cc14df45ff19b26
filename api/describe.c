/* Prints what the routes and the descriptors of their options say, as JSON, for openapi.py. */
#include "server/questions/ask.h"
#include "server/questions/schema.h"

#include <stdio.h>

/* The documents are made of this program's output. */
const char openapi_yaml[1], openapi_yaml_end[1], openapi_json[1], openapi_json_end[1];

static void write_options(struct fr_writer *w, const struct fr_param *options)
{
    for (; options && options->name; options++)
        fr_schema_write_param(w, options);
}

static void write_required(struct fr_writer *w, const struct fr_param *options)
{
    fr_json_key(w, "required");
    fr_json_array(w);
    for (; options && options->name; options++)
        if (options->flags & FR_REQUIRED)
            fr_json_text(w, options->name);
    fr_json_array_end(w);
}

static void write_route(struct fr_writer *w, const struct fr_route *route)
{
    static const struct fr_asking none = { .options = NULL };
    const struct fr_asking *asking = route->asking ? route->asking : &none;

    fr_json_object(w);
    fr_json_pair(w, "method", fr_method_names[route->method]);
    fr_json_pair(w, "path", route->path);
    fr_json_pair(w, "summary", route->summary);
    fr_json_key(w, "types");
    fr_json_array(w);
    for (unsigned format = FR_JSON; format <= FR_REFRAME; format *= 2)
        if (route->formats & format)
            fr_json_text(w, fr_format_type((enum fr_format)format));
    fr_json_array_end(w);
    fr_json_pair_bool(w, "needs_token", route->scope >= FR_RUNS);
    fr_json_pair_bool(w, "takes_body", route->body);
    fr_json_pair_bool(w, "may_wait", !route->is_inline || route->is_long_for);
    fr_json_pair_bool(w, "is_question", route->asking);
    fr_json_pair_bool(w, "takes_lists", asking->takes_lists);
    fr_json_pair_bool(w, "takes_analyze", asking->takes_analyze);
    fr_json_key(w, "options");
    fr_json_object(w);
    write_options(w, route->asking ? asking->options : route->options);
    write_options(w, asking->takes_quantile ? fr_outlook_params : NULL);
    write_options(w, asking->takes_analyze ? fr_analyze_params : NULL);
    fr_json_object_end(w);
    write_required(w, route->options);
    fr_json_object_end(w);
}

int main(void)
{
    struct fr_writer w;
    bool is_written;

    fr_writer_init(&w);
    fr_json_array(&w);
    for (const struct fr_route *route = fr_routes; route->path; route++)
        write_route(&w, route);
    fr_json_array_end(&w);
    is_written = !w.failed && fwrite(w.text, 1, w.length, stdout) == w.length;
    fr_writer_free(&w);
    return is_written ? 0 : 1;
}
