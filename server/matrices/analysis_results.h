/* Results of analyses: checked, stored, counted and logged. */
#ifndef FR_ANALYSIS_RESULTS_H
#define FR_ANALYSIS_RESULTS_H

#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/metrics.h"
#include "server/matrices/analysis_stream.h"

/* Where they go; borrowed. */
struct fr_analysis_results {
    struct fr_config *config;
    struct fr_log *log;
    struct fr_metrics *metrics;
    struct fr_store *store;
};

/* The result of a task with an ordering, and the facts of the matrix in its stream.  Returns what
 * the store says; FR_STORE_FAILED: it has nothing of it. */
int fr_analysis_keep_ordering(const struct fr_analysis_results *to,
                              const struct fr_analysis_stream *stream,
                              const struct fr_matrix_ordering *result, double time_s);
/* The same for a partition of a task: its facts are checked against the matrix and summarized. */
int fr_analysis_keep_partition(const struct fr_analysis_results *to,
                               const struct fr_matrix_task *task,
                               const struct fr_found_partition *found);

#endif
