/* The clocks of one layer of processes under a look-ahead window
 * (docs/models/sparse_lu.md#clocks-with-a-window). */
#ifndef FR_SPARSE_WINDOW_H
#define FR_SPARSE_WINDOW_H

#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/clocks/critical_path.h"
#include "engine/sparse/clocks/window_work.h"

/* A process: its clock t, the computation c on the path that led to t, and until when it is
 * sending; its work, and the time of all bytes that it sends. */
struct sparse_clock {
    double t, c, port, load_s, sending_s;
};

/* A walk through forests: it adds messages to `times`, and panels to `path`.  Borrows everything.
 * NULL if memory is short; free with sparse_walk_free, which accepts NULL. */
struct sparse_walk;
struct sparse_walk *sparse_walk_new(const struct sparse_window_work *work,
                                    const struct sparse_fit *fit,
                                    const struct sparse_network *network,
                                    struct sparse_critical_path *path, struct sparse_times *times);
void sparse_walk_free(struct sparse_walk *w);

/* Advances the clocks of the processes of a grid, by rank, through one forest of the schedule.
 * O(updates + N (w + Pr (1 + process columns with blocks of a row))) for the N of the forest. */
void sparse_walk_forest(struct sparse_walk *w, int32_t forest, struct sparse_clock *clock);

#endif
