/* Sizes message buffers by the free memory. */
#include "calibrations/calibrate/network/timed_collective.h"

#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"

/* Half of the memory that is free now, shared by the ranks of the node. */
static int64_t own_share(const struct fr_context *context)
{
    const double kibibytes = fr_system_number("/proc/meminfo", "MemAvailable");

    /* Simulated ranks share their pages: see the simulator's shared allocation. */
    if (!(kibibytes > 0) || context->world->is_simulated)
        return INT64_MAX;
    return (int64_t)kibibytes * 1024 / 2 / context->world->node_size;
}

int fr_message_buffer_for(const struct fr_context *context, const char *bench, int64_t bytes,
                          int buffers)
{
    const int64_t room = own_share(context) / buffers;
    int64_t own = bytes, least;

    while (own > room && own > 1)
        own /= 2;
    MPI_Allreduce(&own, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    if (least < bytes)
        fr_bench_say(context, "%s: messages of %lld bytes, memory has no room for more", bench,
                     (long long)least);
    return (int)least;
}

char *fr_message_buffer_take(const struct fr_context *context, int64_t bytes)
{
    char *buffer = malloc((size_t)bytes);

    if (!buffer)
        fr_world_out_of_memory();
    /* With all bytes 1, doubles are neither denormal nor NaN. */
    return context->world->is_simulated ? buffer : memset(buffer, 1, (size_t)bytes);
}
