/* Finds the route of a request in the table. */
#ifndef FR_ROUTE_H
#define FR_ROUTE_H

#include "server/http/target.h"

/* Finds the route and fills rq->segment; *suffix is the format that the path's suffix names, or 0.
 * NULL: *allow holds the methods (1 << enum fr_method) that the path knows, 0 where it is unknown.
 * A template that ends in `*` serves what no other matches, and nothing under /api. */
const struct fr_route *fr_route_find(const struct fr_route *routes,
                                     const struct fr_request_target *target, int method,
                                     struct fr_request *rq, unsigned *suffix, unsigned *allow);

/* The method's number, -1 for one that no route has; HEAD is GET. */
int fr_method_of(const char *name);
/* "GET, HEAD, POST" */
void fr_methods_list(unsigned allow, char *out, size_t size);

#endif
