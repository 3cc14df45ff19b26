/* Ranks leave a barrier one after another, which would count in short operations. */
#include "calibrations/calibrate/network/timed_collective.h"

#include <time.h>

#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"

/* Longer than an allreduce of one number takes. */
static const double ahead_s = 1e-4;

static bool has_mpi_clock(const struct fr_world *world)
{
    int *is_global, is_set;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &is_set);
    return world->is_simulated || (is_set && *is_global);
}

bool fr_together_has_clock(const struct fr_world *world)
{
    return has_mpi_clock(world) || world->hosts == 1;
}

/* MPI_Wtime may count from the start of each process, even on one host. */
static double common_s(bool is_mpi)
{
    return is_mpi ? MPI_Wtime() : fr_stopwatch_s();
}

void fr_together_start(const struct fr_world *world, MPI_Comm team)
{
    const bool has_clock = fr_together_has_clock(world), is_mpi = has_mpi_clock(world);
    double start_s = common_s(is_mpi) + ahead_s, now_s;

    MPI_Allreduce(MPI_IN_PLACE, &start_s, 1, MPI_DOUBLE, MPI_MAX, team);
    while (has_clock && (now_s = common_s(is_mpi)) < start_s) {
        const struct timespec nap = { 0, (long)(1e9 * (start_s - now_s)) };

        /* Looks at a simulated clock take long, simulated naps are exact. */
        if (world->is_simulated)
            nanosleep(&nap, NULL);
    }
}
