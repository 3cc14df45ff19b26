/* Handing a finished answer to the HTTP library, to the counters and to the log. */
#ifndef FR_SEND_H
#define FR_SEND_H

#include "server/http/call.h"

/* Sends call->answer; what MHD wants of its access handler. */
int fr_call_send(struct fr_call *call);

/* Nanoseconds of a clock that only grows. */
uint64_t fr_now_ns(void);

#endif
