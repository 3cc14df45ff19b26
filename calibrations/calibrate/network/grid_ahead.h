/* Broadcasts that run while a process computes, as binomial trees of point-to-point messages.
 *
 * Each process runs its broadcasts one after another, in the order in which they were started. It
 * tests their messages between slices of a pause.
 */
#ifndef FR_GRID_AHEAD_H
#define FR_GRID_AHEAD_H

#include "calibrations/calibrate/network/grid_patterns.h"

enum { FR_AHEAD_MAX = 2 * FR_PATTERN_BLOCKS }; /* broadcasts under way */

struct fr_ahead {
    const struct fr_grid *grid; /* borrowed */
    struct {
        MPI_Comm comm;
        int root, bytes;
    } broadcast[FR_AHEAD_MAX];
    int count, current;
    int place, members; /* of this process in the current broadcast; 0 members: not begun */
    int mask;           /* of the last message posted */
    MPI_Request request;
};

struct fr_ahead fr_ahead_make(const struct fr_grid *grid);
/* Starts a broadcast of sent[0]; every process of the communicator calls it. */
void fr_ahead_start(struct fr_ahead *ahead, MPI_Comm comm, int root, int bytes);
/* As fr_pattern_pause, while the broadcasts run. */
void fr_ahead_pause(struct fr_ahead *ahead, bool is_here, double pause_s);
/* Waits for all broadcasts. */
void fr_ahead_finish(struct fr_ahead *ahead);

#endif
