/* The queue of analyses: a thread takes queued orderings from the store, runs forerun-analyze on
 * each and stores the results.  Each ordering has a process of its own, so that a crash affects no
 * other.
 */
#ifndef FR_ANALYSIS_H
#define FR_ANALYSIS_H

#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/metrics.h"
#include "server/store/store.h"

struct fr_analysis;

/* Opens its own connection to the store and starts the thread.  NULL on failure, which is logged.
 * Borrows the arguments until fr_analysis_stop. */
struct fr_analysis *fr_analysis_start(struct fr_config *config, struct fr_log *log,
                                      struct fr_metrics *metrics);
/* Tells the thread that a matrix was added or deleted. */
void fr_analysis_wake(struct fr_analysis *analysis);

/* The progress of a running analysis. */
struct fr_analysis_progress {
    char id[FR_MATRIX_ID_BYTES];
    const char *ordering;
    double fraction;
    char stage[32];
};
/* Copies the running analyses of one matrix; returns their number. */
size_t fr_analysis_look(struct fr_analysis *analysis, const char *id,
                        struct fr_analysis_progress out[SPARSE_ORDERING_COUNT]);

/* Kills running analyses, which are queued again, and frees everything.  Accepts NULL. */
void fr_analysis_stop(struct fr_analysis *analysis);

#endif
