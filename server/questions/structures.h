/* The block structures that a question needs, found before it is answered: all that are missing are
 * named at once or, with analyze=wait, made. */
#ifndef FR_QUESTION_STRUCTURES_H
#define FR_QUESTION_STRUCTURES_H

#include "server/questions/ask.h"

/* The values of the option `analyze`. */
enum { FR_ANALYZE_REFUSE, FR_ANALYZE_WAIT };
extern const struct fr_param fr_analyze_params[];

/* 0: the question can be answered, or `faults` say why not; else the status of the reply: 202 with
 * Retry-After if structures are not ready in time, 409 if a matrix has too many limits, 503. */
int fr_question_structures(struct fr_request *rq, struct fr_reply *reply,
                           const struct fr_question *question, struct fr_faults *faults);

#endif
