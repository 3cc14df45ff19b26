/* GET /healthz: the process is alive.  GET /readyz: it can answer, including from the store. */
#include "server/http/handlers.h"
#include "server/service/service.h"

#include "server/store/store.h"

#include <sys/statvfs.h>

const char *fr_health_trouble(struct fr_server *server, struct fr_store *store)
{
    const char *trouble = fr_store_trouble(store);

    if (!trouble && atomic_load(&server->is_store_damaged))
        trouble = "A request found the database damaged; stop the daemon and restore a backup.";
    if (!trouble && atomic_load(&server->is_behind))
        trouble = "The daemon does not hear what others write to the database, so that its answers "
                  "may be old; the log says why.";
    return trouble;
}

void fr_health_record(struct fr_server *server, struct fr_store *store)
{
    struct statvfs found;

    fr_metrics_set(&server->metrics, FR_METRIC_READY, !fr_health_trouble(server, store));
    if (statvfs(server->config.db, &found) == 0)
        fr_metrics_set(&server->metrics, FR_METRIC_DISK_FREE,
                       (uint64_t)found.f_bavail * found.f_frsize);
}

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
    trouble = fr_health_trouble(rq->server, rq->store);
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
