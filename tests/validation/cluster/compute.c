#include "compute.h"

#include <math.h>

#include <mpi.h>

#ifdef SIMULATED
#include <smpi/smpi.h>

void compute_for(double seconds)
{
    if (seconds > 0)
        smpi_execute_benched(seconds);
}
#else
void compute_for(double seconds)
{
    const double end_s = MPI_Wtime() + seconds;

    while (MPI_Wtime() < end_s)
        ;
}
#endif

void compute_sliced(double seconds, double slice_s, void (*progress)(void *), void *context)
{
    const double slices = fmax(1, ceil(seconds / slice_s));

    for (double i = 0; i < slices; i++) {
        if (i > 0)
            progress(context);
        compute_for(seconds / slices);
    }
}

void compute_quiet(void)
{
    compute_for(1e-3);
}
