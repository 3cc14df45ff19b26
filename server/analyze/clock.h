/* Seconds from some moment on. */
#ifndef FR_ANALYZE_CLOCK_H
#define FR_ANALYZE_CLOCK_H

#include <time.h>

static inline double fr_clock_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
