/* Replies with a chart from the cache or from gnuplot, or with a problem if gnuplot fails. */
#include "server/charts/chart.h"
#include "server/http/server.h"

struct fr_plot fr_chart_begin(const struct fr_request *rq, const struct fr_look *look)
{
    struct fr_plot plot = { .format = rq->format,
                            .width = (int)look->width,
                            .height = (int)look->height,
                            .theme = (enum fr_theme)look->theme };

    fr_writer_init(&plot.script);
    return plot;
}

int fr_chart_find_drawn(struct fr_request *rq, struct fr_reply *reply, const char *id,
                        const char *name, const struct fr_param *params, const void *options)
{
    struct fr_writer key;
    bool is_known;

    fr_writer_init(&key);
    fr_writer_printf(&key, "%s %s %s %s", FR_ENGINE, rq->route->path, id, name);
    for (; params->name; params++) {
        char text[FR_WORDS_BYTES];

        if (fr_param_is_open(params, options))
            continue;
        fr_param_print(params, options, text, sizeof text);
        fr_writer_printf(&key, " %s=", params->name);
        fr_json_quote(&key, text);
    }
    is_known = !key.failed && fr_reply_is_known(rq, reply, key.text, key.length);
    fr_writer_free(&key);
    return is_known ? 304 : fr_chart_is_cached(rq, reply) ? 200 : 0;
}

bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply)
{
    reply->shared = fr_cache_find(rq->server->charts, reply->etag);
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

static int render(struct fr_request *rq, struct fr_reply *reply, const struct fr_plot *plot)
{
    const struct fr_writer *drawn = rq->format == FR_JSON ? &plot->shown : &plot->script;
    char why[300] = "";
    int result;

    if (!*reply->etag && fr_reply_is_known(rq, reply, drawn->text, drawn->length))
        return 304;
    if (fr_chart_is_cached(rq, reply))
        return 200;
    result = plot->script.failed
                 ? FR_RENDER_FAILED
                 : fr_render(rq->server->renderer, plot, &reply->body, why, sizeof why);
    if (result != FR_RENDERED)
        return refuse(rq, reply, result, why);
    fr_metrics_count(&rq->server->metrics, FR_METRIC_CHARTS);
    reply->shared = fr_shared_bytes_new(reply->etag, reply->body.text, reply->body.length);
    if (reply->shared && rq->format != FR_GP && !rq->is_partial)
        reply->shared = fr_cache_keep(rq->server->charts, reply->etag, reply->shared);
    return 200;
}

int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                   bool is_drawn, const struct fr_chart_subject *subject,
                   const struct fr_faults *faults, const char *nothing)
{
    int status;

    if (is_drawn) {
        fr_chart_subject_write(plot, subject);
        status = render(rq, reply, plot);
    } else {
        status = faults && faults->count ? fr_reply_faults(reply, faults)
                                         : fr_reply_problem(reply, 404, nothing);
    }
    fr_writer_free(&plot->script);
    fr_writer_free(&plot->shown);
    return status;
}
