/* Which algorithm a broadcast uses, found out by timing. */
#ifndef FR_BROADCASTING_H
#define FR_BROADCASTING_H

#include <mpi.h>

enum { FR_BINOMIAL_TREE, FR_SCATTER_DOUBLING, FR_SCATTER_RING, FR_BROADCASTS };

extern const char *const fr_broadcasting_names[FR_BROADCASTS];

/* The algorithm by plain messages from rank 0; the number of ranks is a power of two. */
void fr_broadcasting_do(int algorithm, MPI_Comm comm, char *data, int bytes);

#endif
