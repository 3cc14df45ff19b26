/* A request that waits for results of analyses: as long as it may count, its client stays, and the
 * daemon goes on. */
#ifndef FR_WAITING_H
#define FR_WAITING_H

#include <stdbool.h>
#include <stdint.h>

struct fr_request;

struct fr_waiting {
    struct fr_request *rq;
    uint64_t until_ns; /* 0: it has not waited yet */
};

/* Waits for the next result after the first `settled` (fr_analysis_settled), for a short time.
 * False if the request may wait no longer. */
bool fr_waiting_goes_on(struct fr_waiting *waiting, uint64_t settled);

#endif
