#include "calibrations/calibrate/core/sample.h"

#include <time.h>

int64_t fr_stopwatch_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double fr_stopwatch_s(void)
{
    return (double)fr_stopwatch_ns() / 1e9;
}
