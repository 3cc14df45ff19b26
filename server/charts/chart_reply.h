/* Turns a plot into a reply: the cache of rendered charts, the gnuplot program, its failures. */
#ifndef FR_CHART_REPLY_H
#define FR_CHART_REPLY_H

#include "server/charts/subject.h"
#include "server/http/server.h"

/* Whether the cache holds the chart of reply->etag; if so, it becomes the body of the reply. */
bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply);
/* Renders the plot, or its JSON with the subject, stores it under reply->etag and returns the HTTP
 * status. Frees the plot's script. */
int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                   const struct fr_chart_subject *subject);
/* The same for a plot that costs little to write: what it draws makes the ETag. */
int fr_chart_reply_once(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                        const struct fr_chart_subject *subject);

#endif
