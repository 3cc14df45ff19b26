/* The handlers of routes about charts: each returns the HTTP status. */
#ifndef FR_CHARTS_HANDLERS_H
#define FR_CHARTS_HANDLERS_H

#include "server/http/http.h"

int fr_get_calibration_chart(struct fr_request *rq, struct fr_reply *reply);
int fr_get_accuracy_chart(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix_spy(struct fr_request *rq, struct fr_reply *reply);
int fr_get_chart(struct fr_request *rq, struct fr_reply *reply);

#endif
