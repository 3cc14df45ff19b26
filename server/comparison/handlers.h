/* The handlers of routes about comparisons of calibrations: each returns the HTTP status. */
#ifndef FR_COMPARISON_HANDLERS_H
#define FR_COMPARISON_HANDLERS_H

#include "server/http/http.h"

int fr_get_comparison(struct fr_request *rq, struct fr_reply *reply);

#endif
