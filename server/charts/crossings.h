/* Where the best of the lines of a chart changes. */
#ifndef FR_CROSSINGS_H
#define FR_CROSSINGS_H

#include "engine/core/arena.h"
#include "server/charts/plot/plot.h"

enum { FR_CROSSINGS = 2 }; /* labels above the axes; more would stand upright over the lines */

/* Marks where one line overtakes all others, up to FR_CROSSINGS times; where there are more, as
 * with lines that lie on each other, none.  The lines share `x`, which rises; points are no lines.
 * `is_least`: the best is the least value.  The scales are those of the axes, as the lines are
 * straight there.  Returns the number of marks; labels belong to the arena. */
size_t fr_crossings_mark(const struct fr_series *series, size_t count, bool is_least,
                         const struct fr_plot_axis *x, const struct fr_plot_axis *y,
                         struct fr_arena *arena, struct fr_plot_mark marks[FR_CROSSINGS]);

#endif
