/* GET /metrics: the Prometheus text format. */
#include "server/http/call.h"
#include "server/http/handlers.h"

int fr_get_metrics(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_pool_state state = fr_pool_state(rq->server->pool);
    struct fr_metrics *metrics = &rq->server->metrics;

    fr_metrics_set(metrics, FR_METRIC_LOG_LINES_LOST, fr_log_lost(&rq->server->log));
    fr_metrics_set(metrics, FR_METRIC_WORKERS, state.workers);
    fr_metrics_set(metrics, FR_METRIC_BUSY, state.busy);
    fr_metrics_set(metrics, FR_METRIC_QUEUED, state.queued);
    fr_metrics_set(metrics, FR_METRIC_QUEUED_LONG, state.queued_long);
    fr_metrics_write(metrics, &reply->body);
    reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
    reply->cache_control = "no-store";
    return 200;
}
