/* From a handler's reply to the HTTP library, the counters and the log. */
#ifndef FR_SEND_H
#define FR_SEND_H

#include "server/http/call.h"

/* Makes call->answer of the reply, if there is room for it; fr_call_send follows on the event loop.
 */
void fr_call_settle(struct fr_call *call, int status, bool is_closing);
/* Sends call->answer; returns the result of MHD's access handler. */
int fr_call_send(struct fr_call *call);

/* On the event loop: a worker has sent the first lines of its answer.  Sends what goes ahead of
 * them; returns as fr_call_send. */
int fr_call_begin_stream(struct fr_call *call);
/* On the worker: completes the lines with the reply; may free the call. */
void fr_call_end_stream(struct fr_call *call, int status);

/* Counts and logs an answer whose lines have ended. */
void fr_call_tell(struct fr_call *call);

#endif
