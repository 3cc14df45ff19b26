/* Refusals that need only the table of routes and the headers, before the handler. */
#ifndef FR_ADMIT_H
#define FR_ADMIT_H

#include "server/http/call.h"

/* Refuses a request that does not say clearly where its body ends (400, 501), after which the
 * connection cannot be used; else 0. */
int fr_admit_framing(struct fr_call *call);
/* Reads target and headers into the request.  0, or the status of the refusal, which is written
 * into the reply.  If a body follows, call->gather is ready for it. */
int fr_admit(struct fr_call *call);
/* The same for the body that has arrived: gives it to the request. */
int fr_admit_body(struct fr_call *call);

struct fr_upload {
    bool is_there, expects_continue, is_gzip;
    unsigned long long declared; /* Content-Length; 0 if chunked */
};
struct fr_upload fr_upload_of(const struct fr_call *call);

#endif
