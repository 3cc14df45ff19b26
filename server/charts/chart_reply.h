/* Turns a plot into a reply: the cache of rendered charts, the gnuplot program, its failures. */
#ifndef FR_CHART_REPLY_H
#define FR_CHART_REPLY_H

#include "server/charts/subject.h"
#include "server/http/options.h"
#include "server/http/server.h"

/* An empty plot with this look. */
struct fr_plot fr_chart_begin(const struct fr_request *rq, const struct fr_look *look);
/* 304 if the client has the chart of this id and name with these options, 200 if the cache has it,
 * which becomes the body of the reply; else 0. */
int fr_chart_find_drawn(struct fr_request *rq, struct fr_reply *reply, const char *id,
                        const char *name, const struct fr_param *params, const void *options);
/* The second half of that: the ETag is there. */
bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply);
/* Renders the plot, or its JSON with the subject, and returns the HTTP status; stores it under the
 * ETag, which is made from what is drawn where there is none.  If the plot is not drawn, replies
 * with the faults if there are any, or else with 404 and `nothing`.  Frees what the plot owns. */
int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                   bool is_drawn, const struct fr_chart_subject *subject,
                   const struct fr_faults *faults, const char *nothing);

#endif
