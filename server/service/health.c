/* GET /healthz: the process is alive.  GET /readyz: it can answer, including from the store. */
#include "server/http/handlers.h"
#include "server/http/server.h"

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
    const char *trouble;

    if (!rq->store)
        return FR_NEEDS_WORKER;
    trouble = fr_store_trouble(rq->store);
    if (!trouble && atomic_load(&rq->server->is_store_damaged))
        trouble = "A request found the database damaged; stop the daemon and restore a backup.";
    if (trouble) {
        reply->retry_after_s = 5;
        return fr_reply_problem(reply, 503, trouble);
    }
    if (!fr_models[0]) {
        reply->retry_after_s = 5;
        return fr_reply_problem(reply, 503, "The engine has no models.");
    }
    return write_status(reply, "ready");
}
