/* Replies with a chart from the cache or from gnuplot, or with a problem if gnuplot fails. */
#include "server/charts/chart_reply.h"
#include "server/charts/chart_cache.h"
#include "server/http/server.h"

bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply)
{
    reply->shared = fr_chart_cache_find(rq->server->chart_cache, reply->etag);
    return reply->shared;
}

static int refuse(struct fr_request *rq, struct fr_reply *reply, int result, const char *why)
{
    if (result == FR_RENDER_BUSY) {
        reply->retry_after_s = 1;
        return fr_reply_problem(reply, 503, "All chart programs are busy; try again.");
    }
    fr_log(&rq->server->log, FR_LOG_ERROR, "chart", "path", rq->path, "error", why, NULL);
    if (result == FR_RENDER_TIMEOUT)
        return fr_reply_problem(reply, 504, "Drawing took too long; ask for fewer points.");
    return fr_reply_problem(reply, 500, "The chart could not be drawn.");
}

/* Renders what is completely written. */
static int render(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot)
{
    char why[300] = "";
    const int result = plot->script.failed
                           ? FR_RENDER_FAILED
                           : fr_render(rq->server->renderer, plot, &reply->body, why, sizeof why);

    fr_writer_free(&plot->script);
    fr_writer_free(&plot->shown);
    if (result != FR_RENDERED)
        return refuse(rq, reply, result, why);
    fr_metrics_chart(&rq->server->metrics);
    reply->shared = fr_shared_bytes_new(reply->body.text, reply->body.length);
    if (reply->shared && rq->format != FR_GP && !rq->is_partial)
        fr_chart_cache_keep(rq->server->chart_cache, reply->etag, reply->shared);
    return 200;
}

int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                   const struct fr_chart_subject *subject)
{
    fr_chart_subject_write(plot, subject);
    return render(rq, reply, plot);
}

int fr_chart_reply_once(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                        const struct fr_chart_subject *subject)
{
    const struct fr_writer *drawn = rq->format == FR_JSON ? &plot->shown : &plot->script;
    bool is_known;

    fr_chart_subject_write(plot, subject);
    is_known = fr_reply_is_known(rq, reply, drawn->text, drawn->length);
    if (!is_known && !fr_chart_is_cached(rq, reply))
        return render(rq, reply, plot);
    fr_writer_free(&plot->script);
    fr_writer_free(&plot->shown);
    return is_known ? 304 : 200;
}
