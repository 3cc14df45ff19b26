/* The handlers of routes about the service itself: its page, health, metrics and description: each
 * returns the HTTP status. */
#ifndef FR_SERVICE_HANDLERS_H
#define FR_SERVICE_HANDLERS_H

#include "server/http/http.h"

int fr_get_static(struct fr_request *rq, struct fr_reply *reply);
int fr_get_health(struct fr_request *rq, struct fr_reply *reply);
int fr_get_ready(struct fr_request *rq, struct fr_reply *reply);
int fr_get_metrics(struct fr_request *rq, struct fr_reply *reply);
int fr_get_index(struct fr_request *rq, struct fr_reply *reply);
int fr_get_openapi_yaml(struct fr_request *rq, struct fr_reply *reply);
int fr_get_openapi_json(struct fr_request *rq, struct fr_reply *reply);

#endif
