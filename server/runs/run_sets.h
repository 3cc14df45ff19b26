/* Saved runs of a model as predictions take them, by what they must match: decoded once.
 *
 * Sets are added and never taken away, so that a set lives as long as all of them. */
#ifndef FR_RUN_SETS_H
#define FR_RUN_SETS_H

#include "server/runs/run_document.h"

struct fr_run_set {
    char key[FR_RUN_KEY_BYTES];
    const struct fr_saved_run **run;
    size_t count;
};

struct fr_run_sets;
struct fr_run_sets *fr_run_sets_new(void);
void fr_run_sets_free(struct fr_run_sets *sets);
/* NULL: not known. */
const struct fr_run_set *fr_run_sets_find(struct fr_run_sets *sets, const char *key);
/* Copies of these, without their documents and outputs; nothing happens where there is no room. */
void fr_run_sets_keep(struct fr_run_sets *sets, const char *key,
                      const struct fr_saved_run *const *run, size_t count);

#endif
