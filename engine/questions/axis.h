/* Axes of a sweep: lists and ranges of parameter values. */
#ifndef FR_QUESTIONS_AXIS_H
#define FR_QUESTIONS_AXIS_H

#include "engine/core/arena.h"
#include "engine/core/param.h"

#include <stddef.h>

enum { FR_MAX_POINTS = 100000, FR_MAX_AXES = 16 };

/* One parameter and the values it takes. */
struct fr_axis {
    const struct fr_param *param;
    double *value;            /* all kinds but VECTOR and TEXT */
    struct fr_vector *vector; /* VECTOR */
    size_t count;
    const char *text; /* TEXT: the one value */
};
/* Reads `a,b,c`, `lo..hi`, `lo..hi..step`, `lo..hi..*factor`; at most FR_MAX_POINTS values. */
int fr_axis_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                  struct fr_axis *axis, struct fr_faults *faults);
/* Sets the parameter to value number `index` of its axis. */
void fr_axis_put(const struct fr_axis *axis, size_t index, void *values);
void fr_axis_print(const struct fr_axis *axis, size_t index, char *out, size_t size);
/* Writes the point number `index` of the product (the last axis runs fastest) into `values`. */
void fr_axes_point(const struct fr_axis *axis, size_t count, size_t index, void *values);
/* The number of points; FR_TOO_MANY_POINTS beyond FR_MAX_POINTS / `machines`. */
int fr_axes_count(const struct fr_axis *axis, size_t count, size_t machines, size_t *points,
                  struct fr_faults *faults);

#endif
