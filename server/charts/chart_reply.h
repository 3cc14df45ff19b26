/* From a plot to a reply: the cache of rendered charts, the gnuplot program, its failures. */
#ifndef FR_CHART_REPLY_H
#define FR_CHART_REPLY_H

#include "server/charts/plot/plot.h"
#include "server/http/server.h"

/* Whether the chart of reply->etag is in the cache; then the reply has it. */
bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply);
/* Renders and keeps it under reply->etag; returns the status. Frees the plot's script. */
int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot);

#endif
