/* Watches the nodes of a job while a benchmark runs, and notices what disturbs it. */
#ifndef FR_WATCH_H
#define FR_WATCH_H

#include "calibrations/calibrate/core/environment.h"
#include "calibrations/calibrate/core/world.h"

struct fr_watch {
    const struct fr_world *world;
    MPI_Comm node; /* the ranks of this node */
    int cores;     /* of a node */
    double best_s; /* of the reference loop on this node so far */
    struct fr_load_reading before;
};

/* All functions are collective over all ranks.  On a simulated cluster, which nothing disturbs,
 * they do nothing. */
struct fr_watch fr_watch_open(const struct fr_world *world, int cores);
void fr_watch_close(struct fr_watch *watch);

void fr_watch_begin(struct fr_watch *watch);
/* Whether a node was disturbed since the beginning, with the reasons on rank 0: of each kind that
 * of the node that was disturbed most. */
bool fr_watch_end(struct fr_watch *watch, char reasons[FR_LOAD_BYTES]);

#endif
