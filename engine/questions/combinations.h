/* The combinations of the tunables that a question leaves open, or restricts to lists. */
#ifndef FR_QUESTIONS_COMBINATIONS_H
#define FR_QUESTIONS_COMBINATIONS_H

#include "engine/prediction/model.h"
#include "engine/questions/axis.h"

#include <stdbool.h>
#include <stddef.h>

/* The values to try of some tunables, in place of their candidates: at most FR_MAX_AXES lists, with
 * at most FR_MAX_POINTS combinations (fr_axes_count). */
struct fr_restriction {
    const struct fr_axis *list;
    size_t count;
};

struct fr_combinations {
    const struct fr_model *model;
    const struct fr_calibration *cal;
    const struct fr_restriction *only; /* NULL: no list */
    void *values; /* the current combination; the tunables to vary are open before */
    bool (*visit)(void *context); /* with each combination; false: that was the last one */
    void *context;
};
/* Visits each combination.  Candidates depend on the values of the lists. */
void fr_combinations_each(const struct fr_combinations *combinations);

#endif
