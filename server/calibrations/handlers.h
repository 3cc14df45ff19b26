/* The handlers of routes about calibrations: each returns the HTTP status. */
#ifndef FR_CALIBRATIONS_HANDLERS_H
#define FR_CALIBRATIONS_HANDLERS_H

#include "server/http/http.h"

int fr_post_calibration(struct fr_request *rq, struct fr_reply *reply);
int fr_get_calibrations(struct fr_request *rq, struct fr_reply *reply);
int fr_get_calibration(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_calibration(struct fr_request *rq, struct fr_reply *reply);

#endif
