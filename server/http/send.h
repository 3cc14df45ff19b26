/* Passes a finished answer to the HTTP library, the counters and the log. */
#ifndef FR_SEND_H
#define FR_SEND_H

#include "server/http/call.h"

/* Sends call->answer; returns the result of MHD's access handler. */
int fr_call_send(struct fr_call *call);

/* Counts and logs an answer whose lines have ended. */
void fr_call_tell(struct fr_call *call);

/* Nanoseconds of a monotonic clock. */
uint64_t fr_now_ns(void);

#endif
