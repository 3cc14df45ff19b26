/* The time of the messages of an allreduce of a number of processes that is no power of two: each
 * process beyond the power hands its part to a neighbor before the rounds of recursive doubling,
 * and gets the result after them (docs/models/krylov.md#allreduce-from-exchanges). */
#ifndef FR_FOLD_H
#define FR_FOLD_H

#include "calibrations/calibrate/core/value.h"
#include "calibrations/calibrate/network/timed_collective.h"

struct fr_context;

struct fr_folds {
    int times_each;               /* allreduces one after another */
    int sizes, size[FR_LIST_MAX]; /* numbers of processes, on every rank of their teams */
    struct fr_timed_collective times[FR_LIST_MAX];
    struct fr_collective_summary summary;
};

/* The number of processes that a team of so many measures: three quarters of a power of two; else
 * all.  0 if there are none. */
int fr_fold_processes(int processes);
/* Adds the rows of the team to the document, one for each size, on its rank 0.  `what` is the text
 * of the progress report.  The buffers hold a message each.  Collective over `team`. */
void fr_fold_measure(struct fr_context *context, MPI_Comm team, const char *what,
                     const struct fr_list *messages, char *sent, char *received,
                     struct fr_folds *folds);
/* Adds the source of the rows, if there are any. */
void fr_fold_record(struct fr_context *context, struct fr_folds *folds);

#endif
