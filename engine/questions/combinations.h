/* The configurations that a question compares: its axes, their combinations, the fewest nodes. */
#ifndef FR_QUESTIONS_COMBINATIONS_H
#define FR_QUESTIONS_COMBINATIONS_H

#include "engine/core/arena.h"
#include "engine/core/param.h"
#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- axis ------------------------------------------------------------------------------ */

/* Axes of a sweep: lists and ranges of parameter values. */

enum { FR_MAX_POINTS = 100000, FR_MAX_AXES = 16 };

/* `lo..hi`, `lo..hi..step` or `lo..hi..*factor`. */
struct fr_range {
    double low, high, step;
    bool is_factor;
};
/* Reads a range, which begins a text with `..` in its first `length` bytes.  Returns FR_OK or the
 * code of the fault; does not check the limits of the parameter. */
int fr_range_parse(const struct fr_param *param, const char *text, size_t length,
                   struct fr_range *range, struct fr_faults *faults);

/* One parameter and its values. */
struct fr_axis {
    const struct fr_param *param;
    double *value;            /* all kinds but VECTOR and TEXT */
    struct fr_vector *vector; /* VECTOR */
    size_t count;
    const char *const *text; /* TEXT */
};
/* Reads `a,b,c`, `lo..hi`, `lo..hi..step` or `lo..hi..*factor`: at most FR_MAX_POINTS values.
 * Memory comes from `arena`.  Returns FR_OK or the code of the fault. */
int fr_axis_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                  struct fr_axis *axis, struct fr_faults *faults);
/* Puts numbers and choices in ascending order, each once. */
void fr_axis_sort(struct fr_axis *axis);
/* Sets the parameter to the value at `index`. */
void fr_axis_put(const struct fr_axis *axis, size_t index, void *values);
void fr_axis_print(const struct fr_axis *axis, size_t index, char *out, size_t size);
/* Sets the values of point `index` of the product; the last axis varies fastest. */
void fr_axes_point(const struct fr_axis *axis, size_t count, size_t index, void *values);
/* Computes the number of points.  FR_TOO_MANY_POINTS beyond FR_MAX_POINTS / `machines`. */
int fr_axes_count(const struct fr_axis *axis, size_t count, size_t machines, size_t *points,
                  struct fr_faults *faults);

/* ---- combinations ---------------------------------------------------------------------- */

/* The combinations of the tunables that a question leaves open, or restricts to lists. */

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

/* ---- fewest ---------------------------------------------------------------------------- */

/* The fewest nodes on which something fits into memory. */

/* Finds the fewest nodes, of those that suit the model, on which a configuration fits: more than
 * `above`, at most `most`.  0: there are none, the problem grows with the nodes, or finding them
 * takes more work than a part of the question's. */
int64_t fr_fewest_nodes(const struct fr_model *model, const void *values,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        int64_t above, int64_t most, struct fr_arena *arena);

#endif
