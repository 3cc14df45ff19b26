/* The places of the queue of analyses, each of which runs one program at a time; and the state that
 * the files analysis*.c share.
 *
 * The analysis thread owns everything except the table of running analyses, which requests read
 * under a mutex.
 */
#ifndef FR_ANALYSIS_PLACE_H
#define FR_ANALYSIS_PLACE_H

#include "server/matrices/analysis.h"
#include "server/matrices/analysis_child.h"
#include "server/matrices/analysis_results.h"

#include <pthread.h>

struct fr_analysis_place {
    struct fr_analysis *analysis;
    struct fr_analysis_child child;
    uint64_t begun_ns;
    bool is_taken;
    bool is_owed; /* the task, or what is left of it, goes back into the queue */
    size_t lost[FR_PARTITIONS_AT_ONCE]; /* parts that the store took no result of */
    size_t lost_count;
};

struct fr_analysis {
    struct fr_analysis_results results;
    pthread_t thread;
    /* Of all threads; a compiler may read the flags below together. */
    _Atomic bool is_stopping;
    int wake;               /* an eventfd */
    bool is_store_troubled; /* retry later */
    bool is_shared;         /* other daemons take analyses from the same store */
    struct fr_clock *clock;
    uint64_t look_ns; /* when to retry, and to look for analyses of daemons that are gone */
    unsigned count;   /* of places; the last two are for partitions, for which somebody waits, and
                         for natural orderings, which are not urgent */
    struct fr_analysis_place *place;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t settled;
    uint64_t settled_count;                              /* results so far */
    struct fr_analysis_progress shown[FR_ANALYSES_MOST]; /* by place; an empty id: free */
};

/* Starts the program; if it cannot start, the task fails. */
void fr_analysis_place_begin(struct fr_analysis *analysis, struct fr_analysis_place *place,
                             const struct fr_matrix_task *task);
/* The program has ended: keeps what it found, or why it failed. */
void fr_analysis_place_end(struct fr_analysis *analysis, struct fr_analysis_place *place);
/* Ends the program; what it would find is not wanted. */
void fr_analysis_place_drop(struct fr_analysis *analysis, struct fr_analysis_place *place);
/* Queues the task of a place again; a status of the store. */
int fr_analysis_place_give_back(struct fr_analysis_place *place);

/* Shows requests what place `i` does. */
void fr_analysis_show(struct fr_analysis *analysis, unsigned i);
/* Wakes the requests that wait for a result. */
void fr_analysis_settle(struct fr_analysis *analysis);

#endif
