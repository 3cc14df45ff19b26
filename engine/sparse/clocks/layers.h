/* The clocks of all processes under a look-ahead window, on one layer or several
 * (docs/models/sparse_lu.md#layers). */
#ifndef FR_SPARSE_LAYERS_H
#define FR_SPARSE_LAYERS_H

#include "engine/sparse/clocks/window.h"

/* As sparse_clocks, which the paper's overlaps use; the largest load takes the place of the largest
 * loads of steps.  The layers are those of the schedule's forests; `clock_s` and `load_s` hold all
 * ranks of layer 0, then those of layer 1, and so on. */
int sparse_window_clocks(const struct sparse_window_work *work, const struct sparse_fit *fit,
                         const struct sparse_network *network, struct sparse_times *out,
                         double *clock_s, double *load_s);

#endif
