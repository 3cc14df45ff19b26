/* Collects the differences of two documents: counts and rates them, and keeps the largest. */
#ifndef FR_COMPARISON_COLLECT_H
#define FR_COMPARISON_COLLECT_H

#include "server/comparison/comparison.h"

/* A value in each of the two documents. */
struct fr_found {
    const char *path, *pattern, *unit;
    bool is_condition; /* describes the document or the measurement */
    struct fr_found_side {
        bool is_there;
        double number; /* NaN for a text; infinite for null (no limit) */
        const char *text, *pointer;
    } side[FR_SIDES];
};

struct fr_collector {
    struct fr_comparison *out;
    struct fr_arena *arena;
    size_t limit, places;
    size_t field; /* index of the field counted last */
    bool is_out_of_memory;
};
/* Begins a collection in `out`, whose two calibrations the caller has set.  Returns FR_OK or
 * FR_NOMEM. */
int fr_collector_begin(struct fr_collector *collector, struct fr_comparison *out, size_t limit,
                       struct fr_arena *arena);
void fr_collect(struct fr_collector *collector, const struct fr_found *found);
/* Sorts the differences kept. */
void fr_collector_end(struct fr_collector *collector);

/* Compares the tables of kernels.routine_models (models.c). */
void fr_collect_routine_models(struct fr_collector *collector);

#endif
