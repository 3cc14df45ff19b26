/* The queue of analyses, and the requests that wait for it. */
#ifndef FR_ANALYSIS_H
#define FR_ANALYSIS_H

#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/server.h"
#include "server/store/store.h"

/* ---- analysis -------------------------------------------------------------------------- */

/* The queue of analyses: a thread takes queued orderings and partitions from the store, runs
 * forerun-analyze on each and stores the results.  Each ordering has a process of its own, so that
 * a crash affects no other; the partitions of one matrix share a process, which reads it once.
 */

/* Opens its own connection to the store and starts the thread.  NULL on failure, which is logged.
 * Borrows the arguments until fr_analysis_stop. */
struct fr_analysis *fr_analysis_start(struct fr_config *config, struct fr_clock *clock,
                                      struct fr_log *log, struct fr_metrics *metrics);
/* Tells the thread that a matrix was added or deleted. */
void fr_analysis_wake(struct fr_analysis *analysis);

/* The progress of a running analysis. */
struct fr_analysis_progress {
    char id[FR_MATRIX_ID_BYTES];
    const char *ordering, *partition; /* one of them is NULL */
    double fraction;
    char stage[32];
};
/* Copies the running analyses of one matrix; returns their number. */
enum { FR_ANALYSES_MOST = 18 }; /* analyses_at_once, and two more */
size_t fr_analysis_look(struct fr_analysis *analysis, const char *id,
                        struct fr_analysis_progress out[FR_ANALYSES_MOST]);

/* The number of structures and partitions that were found or failed so far, to wait for the next.
 */
uint64_t fr_analysis_settled(struct fr_analysis *analysis);
/* Returns when that number is no longer `settled`, at the latest after so many milliseconds. */
void fr_analysis_wait(struct fr_analysis *analysis, uint64_t settled, unsigned most_ms);

/* Kills running analyses, which are queued again, and frees everything.  Accepts NULL. */
void fr_analysis_stop(struct fr_analysis *analysis);

/* ---- waiting --------------------------------------------------------------------------- */

/* A request that waits for results of analyses: as long as it may count, its client stays, and the
 * daemon goes on. */

struct fr_waiting {
    struct fr_request *rq;
    uint64_t until_ns; /* 0: it has not waited yet */
};

/* Waits for the next result after the first `settled` (fr_analysis_settled), for a short time.
 * False if the request may wait no longer. */
bool fr_waiting_goes_on(struct fr_waiting *waiting, uint64_t settled);

#endif
