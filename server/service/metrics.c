/* GET /metrics: the Prometheus text format. */
#include "server/http/handlers.h"
#include "server/http/work.h"

#include "server/http/server.h"

int fr_get_metrics(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_pool_state state = fr_pool_state(rq->server->pool);

    fr_metrics_log(&rq->server->metrics, fr_log_lost(&rq->server->log));
    fr_metrics_write(&rq->server->metrics, &state, &reply->body);
    reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
    reply->cache_control = "no-store";
    return 200;
}
