/* Broadcast algorithms built from point-to-point messages. */
#ifndef FR_BROADCAST_ALGORITHMS_H
#define FR_BROADCAST_ALGORITHMS_H

#include <mpi.h>

enum { FR_BINOMIAL_TREE, FR_SCATTER_DOUBLING, FR_SCATTER_RING, FR_BROADCASTS };

extern const char *const fr_broadcast_names[FR_BROADCASTS];

/* Broadcasts from rank 0 by point-to-point messages; the number of ranks is a power of two. */
void fr_broadcast_run(int algorithm, MPI_Comm comm, char *data, int bytes);

#endif
