/* All processes pass messages of two sizes to the ranks at a few distances.  The slowest process at
 * the worst distance counts, as a plan should rather be too long than too short. */
#include "calibrations/calibrate/network/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { TIMES = 2, TAG_ALL = 23, SHORT_BYTES = 8, LONG_BYTES = 64 << 10 };

/* Seconds of a message for the slowest process; the first message opens the connections. */
static double shift_s(const struct fr_world *world, int distance, char *sent, char *received,
                      int bytes)
{
    const int to = (world->rank + distance) % world->size;
    const int from = (world->rank + world->size - distance) % world->size;
    double own_s = 0, slowest_s;

    for (int i = 0; i <= TIMES; i++) {
        if (i == 1) {
            MPI_Barrier(MPI_COMM_WORLD);
            own_s = MPI_Wtime();
        }
        MPI_Sendrecv(sent, bytes, MPI_CHAR, to, TAG_ALL, received, bytes, MPI_CHAR, from, TAG_ALL,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    own_s = (MPI_Wtime() - own_s) / TIMES;
    MPI_Allreduce(&own_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest_s;
}

struct fr_link fr_all_send(const struct fr_context *context)
{
    const struct fr_world *world = context->world;
    const int distance[] = { 1, (int)sqrt(world->size), world->size / 2 };
    double short_s = 0, long_s = 0;
    char *sent, *received;

    if (world->size < 2)
        return (struct fr_link){ 0 };
    sent = fr_message_buffer_take(context, LONG_BYTES);
    received = fr_message_buffer_take(context, LONG_BYTES);
    for (size_t i = 0; i < sizeof distance / sizeof *distance; i++) {
        short_s = fmax(short_s, shift_s(world, distance[i], sent, received, SHORT_BYTES));
        long_s = fmax(long_s, shift_s(world, distance[i], sent, received, LONG_BYTES));
    }
    free(sent);
    free(received);
    return (struct fr_link){ short_s, fmax(0, long_s - short_s) / LONG_BYTES };
}
