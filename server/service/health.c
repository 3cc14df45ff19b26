/* GET /healthz: the process is alive.  GET /readyz: it can answer, including from the store. */
#include "server/http/handlers.h"

#include "server/store/store.h"

static int write_status(struct fr_reply *reply, const char *status)
{
    fr_json_object(&reply->body);
    fr_json_pair(&reply->body, "status", status);
    fr_json_object_end(&reply->body);
    reply->cache_control = "no-store";
    return 200;
}

int fr_get_health(struct fr_request *rq, struct fr_reply *reply)
{
    (void)rq;
    return write_status(reply, "ok");
}

int fr_get_ready(struct fr_request *rq, struct fr_reply *reply)
{
    if (!rq->store)
        return FR_NEEDS_WORKER;
    if (!fr_store_is_ready(rq->store)) {
        reply->retry_after_s = 5;
        return fr_reply_problem(reply, 503, "The store does not answer.");
    }
    if (!fr_models[0]) {
        reply->retry_after_s = 5;
        return fr_reply_problem(reply, 503, "The engine has no models.");
    }
    return write_status(reply, "ready");
}
