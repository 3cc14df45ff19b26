/* The handlers of routes about questions to models: each returns the HTTP status. */
#ifndef FR_QUESTIONS_HANDLERS_H
#define FR_QUESTIONS_HANDLERS_H

#include "server/http/http.h"

int fr_get_models(struct fr_request *rq, struct fr_reply *reply);
int fr_get_model(struct fr_request *rq, struct fr_reply *reply);
int fr_get_fields(struct fr_request *rq, struct fr_reply *reply);
bool fr_prediction_is_long(const struct fr_request *rq);
int fr_get_prediction(struct fr_request *rq, struct fr_reply *reply);
int fr_post_predictions(struct fr_request *rq, struct fr_reply *reply);
int fr_get_sweep(struct fr_request *rq, struct fr_reply *reply);
int fr_get_forecast(struct fr_request *rq, struct fr_reply *reply);
int fr_get_rank(struct fr_request *rq, struct fr_reply *reply);
int fr_get_recommendation(struct fr_request *rq, struct fr_reply *reply);

#endif
