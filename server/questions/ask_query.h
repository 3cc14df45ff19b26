/* The query of a model question. */
#ifndef FR_ASK_QUERY_H
#define FR_ASK_QUERY_H

#include "server/questions/ask.h"

/* Reads everything but the machines, the calibration and the run into the question and the options
 * of the route, which have their defaults. */
void fr_question_read_query(struct fr_request *rq, const struct fr_asking *asking,
                            struct fr_question *question, void *options, struct fr_faults *faults);

#endif
