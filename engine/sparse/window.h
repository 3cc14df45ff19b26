/* The clocks of all processes under a look-ahead window
 * (docs/models/sparse_lu.md#clocks-with-a-window). */
#ifndef FR_SPARSE_WINDOW_H
#define FR_SPARSE_WINDOW_H

#include "engine/sparse/clocks.h"
#include "engine/sparse/window_work.h"

/* As sparse_clocks, which the paper's overlaps use; the largest load takes the place of the largest
 * loads of steps.  O(updates + N (w + Pr (1 + process columns with blocks of a row))). */
int sparse_window_clocks(const struct sparse_window_work *work, const struct sparse_fit *fit,
                         const struct sparse_network *network, struct sparse_times *out,
                         double *clock_s, double *load_s);

#endif
