/* The handlers of routes about saved runs: each returns the HTTP status. */
#ifndef FR_RUNS_HANDLERS_H
#define FR_RUNS_HANDLERS_H

#include "server/http/http.h"

int fr_post_runs(struct fr_request *rq, struct fr_reply *reply);
int fr_get_runs(struct fr_request *rq, struct fr_reply *reply);
int fr_get_run(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_run(struct fr_request *rq, struct fr_reply *reply);
int fr_get_accuracy(struct fr_request *rq, struct fr_reply *reply);

#endif
