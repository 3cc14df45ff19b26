/* Decoded runs that match a question, so that each set is decoded once.  Sets are never removed: a
 * set lives as long as struct fr_run_sets. */
#ifndef FR_RUN_SETS_H
#define FR_RUN_SETS_H

#include "server/runs/run_document.h"

struct fr_run_set {
    const struct fr_indexed_run **of; /* the matching runs */
    size_t matching;
    const struct fr_saved_run **run; /* those that can be read */
    size_t count;
};

struct fr_run_sets;
struct fr_run_sets *fr_run_sets_new(void);
void fr_run_sets_free(struct fr_run_sets *sets);
/* The set of these runs of an index that outlives the sets, or NULL. */
const struct fr_run_set *fr_run_sets_find(struct fr_run_sets *sets,
                                          const struct fr_indexed_run *const *of, size_t matching);
/* Keeps copies of the runs, without their documents and outputs; does nothing if it is full. */
void fr_run_sets_keep(struct fr_run_sets *sets, const struct fr_indexed_run *const *of,
                      size_t matching, const struct fr_saved_run *const *run, size_t count);

#endif
