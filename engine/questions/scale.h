/* The values of one parameter among which a search looks: a list, or a range of any length. */
#ifndef FR_QUESTIONS_SCALE_H
#define FR_QUESTIONS_SCALE_H

#include "engine/questions/axis.h"

#include <stddef.h>

/* Values in ascending order.  A range of vectors rises by `step` in every extent. */
struct fr_scale {
    const struct fr_param *param;
    size_t count;
    bool is_range;
    struct fr_axis list;     /* not a range */
    double low, step;        /* a range of numbers */
    struct fr_vector corner; /* a range of vectors: its first */
};
/* Reads what fr_axis_parse reads.  `lo..hi` and `lo..hi..step` may have more values than an axis,
 * and may be vectors: `8x8x8..64x64x64..8`.  FR_RANGE for numbers that do not rise. */
int fr_scale_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                   struct fr_scale *scale, struct fr_faults *faults);
/* Every integer between the limits of an INT. */
struct fr_scale fr_scale_whole(const struct fr_param *param);
/* Sets the parameter to the value at `index`. */
void fr_scale_put(const struct fr_scale *scale, size_t index, void *values);
/* The index at `part` of `parts` between two indexes: by ratio of the values if a range of positive
 * values spans more than a factor of 4, else by place.  Strictly between if there is room.  In a
 * range, values with many divisors are preferred, since many configurations need them: multiples
 * of the largest power of 2 steps that leaves the parts apart. */
size_t fr_scale_between(const struct fr_scale *scale, size_t low, size_t high, size_t part,
                        size_t parts);

#endif
