/* The handler of a request, and who pays for it. */
#ifndef FR_CALL_WORK_H
#define FR_CALL_WORK_H

#include "server/http/call.h"

/* Takes from the limits of the client what the request costs before it is looked at.  0, or the
 * status of a refusal. */
int fr_call_charge(struct fr_call *call);
/* Has a worker look up the token ahead of the body: 0, and fr_call_go_on follows with
 * FR_CALL_CHECKED; or the status of a refusal. */
int fr_call_look_up_token(struct fr_call *call);
/* The request is complete: runs an inline handler here, any other on a worker.  Returns the result
 * of MHD's access handler. */
int fr_call_run(struct fr_call *call);

#endif
