/* Deadlines of connections: for the headers of a request, its body, and the reading of its answer.
 *
 * MHD ends connections that are silent.  One that drips a byte at times is not, so the main thread
 * looks every second, and shuts down those that are late. */
#ifndef FR_DEADLINE_H
#define FR_DEADLINE_H

#include <stddef.h>

struct fr_call;
struct fr_listener;

/* When a connection has begun, and before it ends. */
void fr_deadline_join(struct fr_call *call);
void fr_deadline_leave(struct fr_call *call);

/* The next headers must be there in time; after an answer, the connection may also be idle. */
void fr_deadline_for_headers(struct fr_call *call);
void fr_deadline_for_next(struct fr_call *call);
/* So many bytes of a body or an answer must pass at the least rate. */
void fr_deadline_for_bytes(struct fr_call *call, size_t bytes);
/* So many more bytes of the body have come: there is time for as many again. */
void fr_deadline_extend(struct fr_call *call, size_t bytes);
/* The daemon works: nothing is due. */
void fr_deadline_none(struct fr_call *call);

/* Shuts down the connections that are late; called every second. */
void fr_deadlines_check(struct fr_listener *listener);

#endif
