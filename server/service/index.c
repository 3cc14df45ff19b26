/* GET /api/v1 and the OpenAPI documents. */
#include "server/http/handlers.h"

extern const char openapi_yaml[], openapi_yaml_end[], openapi_json[], openapi_json_end[];

static const struct {
    const char *name, *url;
} links[] = {
    { "models", "/api/v1/models" },
    { "machines", "/api/v1/machines" },
    { "matrices", "/api/v1/matrices" },
    { "fields", "/api/v1/fields" },
    { "predict", "/api/v1/predict/{model}" },
    { "sweep", "/api/v1/sweep/{model}" },
    { "chart", "/api/v1/chart/{model}.svg" },
    { "rank", "/api/v1/rank/{model}" },
    { "forecast", "/api/v1/forecast/{model}" },
    { "recommend", "/api/v1/recommend/{model}" },
    { "openapi", "/api/v1/openapi.json" },
    { "dashboard", "/" },
};

int fr_get_index(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_writer *w = &reply->body;

    (void)rq;
    fr_json_object(w);
    fr_json_pair(w, "name", "forerun");
    fr_json_pair(w, "version", FR_VERSION);
    fr_json_pair_object(w, "links");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        fr_json_pair(w, links[i].name, links[i].url);
    fr_json_object_end(w);
    fr_json_object_end(w);
    return 200;
}

int fr_get_openapi_yaml(struct fr_request *rq, struct fr_reply *reply)
{
    (void)rq;
    reply->content_type = "application/yaml";
    fr_writer_append(&reply->body, openapi_yaml, (size_t)(openapi_yaml_end - openapi_yaml));
    return 200;
}

int fr_get_openapi_json(struct fr_request *rq, struct fr_reply *reply)
{
    (void)rq;
    reply->content_type = "application/json";
    fr_writer_append(&reply->body, openapi_json, (size_t)(openapi_json_end - openapi_json));
    return 200;
}
