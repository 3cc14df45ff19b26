/* What the body of an upload costs its client: what it declares before it is accepted, and what
 * comes beyond while it arrives (chunks, decompressed bytes).  What does not arrive is given back.
 * Only uploads are charged: bodies of routes that write. */
#ifndef FR_BODY_CHARGE_H
#define FR_BODY_CHARGE_H

struct fr_call;

/* 0, or 429, written into the reply. */
int fr_body_charge_declared(struct fr_call *call);
/* After a piece was gathered: the same. */
int fr_body_charge_arrived(struct fr_call *call);
/* At the end of the request.  A body that could not be gathered costs nothing. */
void fr_body_charge_end(struct fr_call *call);

#endif
