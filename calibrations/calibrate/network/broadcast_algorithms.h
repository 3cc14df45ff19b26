/* Broadcast algorithms built from point-to-point messages. */
#ifndef FR_BROADCAST_ALGORITHMS_H
#define FR_BROADCAST_ALGORITHMS_H

#include <mpi.h>

#include "engine/calibration/calibration.h"

enum { FR_BROADCASTS = FR_SCATTER_RING + 1 };

/* Broadcasts from rank 0 with an enum fr_broadcast_algorithm, by point-to-point messages; the
 * number of ranks is a power of two. */
void fr_broadcast_run(int algorithm, MPI_Comm comm, char *data, int bytes);

#endif
