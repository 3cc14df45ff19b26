/* What a request asks for: its address, its route, and the format of the answer. */
#ifndef FR_TARGET_H
#define FR_TARGET_H

#include "server/http/http.h"

/* ---- target ---------------------------------------------------------------------------- */

/* The target of a request: its path in decoded segments, its query in decoded pairs. */

enum { FR_TARGET_BYTES = 8 * 1024, FR_MAX_PARTS = 12 };

struct fr_request_target {
    const char *part[FR_MAX_PARTS]; /* decoded; a `/` in one came as %2F */
    size_t count;
    bool is_too_deep; /* more than FR_MAX_PARTS segments: no template matches */
};

/* Fills rq->path, rq->query and `target` from what stood in the request line; all texts are in the
 * request's arena.  Every fault is reported: bad percent escapes, NUL, text that is not UTF-8. */
int fr_request_target_parse(const char *raw, struct fr_request *rq,
                            struct fr_request_target *target, struct fr_faults *faults);

/* ---- route ----------------------------------------------------------------------------- */

/* Finds the route of a request in the table. */

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

/* ---- media ----------------------------------------------------------------------------- */

/* Media types: those that a client accepts, and that of its body. */

/* The format among `offered` that an Accept header prefers, the first of equals; 0 if it accepts
 * none of them.  NULL or empty accepts all. */
unsigned fr_media_choose(unsigned offered, const char *accept);
/* The format of that suffix (without dot), or 0. */
unsigned fr_media_of_suffix(const char *suffix);
/* Whether an Accept-Encoding header accepts gzip. */
bool fr_media_takes_gzip(const char *accept_encoding);
/* Whether a Content-Type fits the route's kind of body; NULL (none given) does.  *sent is which of
 * its kinds it is. */
bool fr_media_fits_body(enum fr_body body, const char *content_type, enum fr_body *sent);
/* "json, csv, txt": the suffixes of a set, for messages. */
void fr_media_list(unsigned formats, char *out, size_t size);

#endif
