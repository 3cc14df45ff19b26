/* The target of a request: its path in decoded segments, its query in decoded pairs. */
#ifndef FR_TARGET_H
#define FR_TARGET_H

#include "server/http/http.h"

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

#endif
