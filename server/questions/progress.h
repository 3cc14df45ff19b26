/* Follows the work on a question: ends it when the client leaves, and tells of it in lines. */
#ifndef FR_PROGRESS_H
#define FR_PROGRESS_H

#include "engine/questions/combinations.h"
#include "server/questions/ask.h"

#include <stdint.h>

struct fr_progress {
    struct fr_request *rq;
    struct fr_reply *reply;
    const struct fr_question *question;
    const struct fr_ranking *ranking; /* as far as it has come, or NULL: there are no lines */
    uint64_t told_ns;                 /* when the client last heard of it, or asked */
    /* What the ranking tries, with values of its own, to tell their number; `model` is NULL if it
     * is not told. */
    struct fr_combinations combinations;
    size_t count; /* of them, once a line has told it; 0: not yet */
};

/* Watches the request's arena until fr_progress_end.  With a ranking, a request in lines gets a
 * line `progress` every 0.1 s, except while earlier lines wait for their reader. */
void fr_progress_begin(struct fr_progress *progress, struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question, const struct fr_ranking *ranking);
void fr_progress_end(struct fr_progress *progress);

#endif
