/* The clock of measurements on one node.  Between ranks it is MPI_Wtime. */
#ifndef FR_CLOCK_H
#define FR_CLOCK_H

#include <stdint.h>

/* Since any moment; never goes back. */
int64_t fr_clock_ns(void);
/* In seconds a time of months has no nanoseconds. */
double fr_clock_s(void);

#endif
