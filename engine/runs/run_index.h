/* Saved runs by their configuration: which of them match a question, and what they measured. */
#ifndef FR_RUNS_RUN_INDEX_H
#define FR_RUNS_RUN_INDEX_H

#include "engine/runs/configuration.h"

#include <stddef.h>

/* At most this many runs match a question: the newest. */
enum { FR_MOST_MATCHING = 100 };

struct fr_indexed_run {
    struct fr_footprint footprint; /* of its parameters, resolved */
    double time_s;                 /* measured */
    int64_t sequence;              /* grows with each upload */
    char id[17];
};
/* Borrows the runs; fr_run_index_sort puts them in the order that the search needs, and finds the
 * newest. */
struct fr_run_index {
    const struct fr_model *model;
    struct fr_indexed_run *run;
    size_t count;
    const struct fr_indexed_run *newest[FR_MOST_MATCHING]; /* of each configuration, oldest first */
    size_t configurations;                                 /* at most FR_MOST_MATCHING */
};
void fr_run_index_sort(struct fr_run_index *index);
/* Finds the runs that agree with the values of a question, newest first; returns their number. */
size_t fr_run_index_find(const struct fr_run_index *index, const void *values, uint64_t given,
                         enum fr_agreement agreement,
                         const struct fr_indexed_run *out[FR_MOST_MATCHING]);

/* The runs that a model which transfers chooses from: the newest of each configuration, in the
 * order of their uploads, and last the newest that agrees with the values of the question, if there
 * is one; returns their number. */
size_t fr_run_index_candidates(const struct fr_run_index *index, const void *values, uint64_t given,
                               const struct fr_indexed_run *out[FR_MOST_MATCHING]);

/* The median time of the runs that agree in all that changes it; NaN without runs. */
struct fr_run_time {
    size_t runs;
    double median_s;
};
struct fr_run_time fr_run_index_time(const struct fr_run_index *index, const void *resolved,
                                     uint64_t given);

#endif
