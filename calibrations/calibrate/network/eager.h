/* Whether a message is sent without its receiver. */
#ifndef FR_EAGER_H
#define FR_EAGER_H

#include <stdbool.h>

#include <mpi.h>

/* Rank 1 of `pair` receives late, by a multiple of `time_s`, the time that the message takes:
 * whether rank 0 was done sending before.  Collective; the same on both. */
bool fr_eager_is(MPI_Comm pair, char *buffer, int bytes, double time_s);

#endif
