/* The handlers of routes about machines: each returns the HTTP status. */
#ifndef FR_MACHINES_HANDLERS_H
#define FR_MACHINES_HANDLERS_H

#include "server/http/http.h"

int fr_get_machines(struct fr_request *rq, struct fr_reply *reply);
int fr_get_machine(struct fr_request *rq, struct fr_reply *reply);
int fr_put_machine(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_machine(struct fr_request *rq, struct fr_reply *reply);

#endif
