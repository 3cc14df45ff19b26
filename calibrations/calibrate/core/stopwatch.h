/* The clock of measurements on one node.  Between ranks it is MPI_Wtime. */
#ifndef FR_STOPWATCH_H
#define FR_STOPWATCH_H

#include <stdint.h>

/* Since any moment; never goes back. */
int64_t fr_stopwatch_ns(void);
/* In seconds a time of months has no nanoseconds. */
double fr_stopwatch_s(void);

#endif
