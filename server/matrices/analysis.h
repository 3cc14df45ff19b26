/* The analyses of matrices: one thread that takes what is queued in the store, lets forerun-analyze
 * work on it, and stores what comes of it.  A program for each ordering, so that one that crashes
 * takes no other with it.
 */
#ifndef FR_ANALYSIS_H
#define FR_ANALYSIS_H

#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/metrics.h"
#include "server/store/store.h"

struct fr_analysis;

/* Opens a store of its own and starts the thread; NULL on failure, logged.  The arguments must
 * outlive it. */
struct fr_analysis *fr_analysis_start(struct fr_config *config, struct fr_log *log,
                                      struct fr_metrics *metrics);
/* After a matrix has come or gone. */
void fr_analysis_wake(struct fr_analysis *analysis);

/* How far an analysis is that runs now. */
struct fr_analysis_progress {
    char id[FR_MATRIX_ID_BYTES];
    const char *ordering;
    double fraction;
    char stage[32];
};
/* Those of one matrix; returns how many. */
size_t fr_analysis_look(struct fr_analysis *analysis, const char *id,
                        struct fr_analysis_progress out[FR_MATRIX_ORDERINGS]);

/* Kills what runs, which is queued again, and frees everything. */
void fr_analysis_stop(struct fr_analysis *analysis);

#endif
