/* Time that a kernel takes, spent in a busy loop or charged by the simulator. */
#include "tests/programs/compute.h"

#include <math.h>

#include "tests/programs/program.h"

enum { SLICES_MAX = 1000000 };

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

double compute_slices(double seconds, double slice_s)
{
    const double slices = ceil(seconds / slice_s);

    if (slices > SLICES_MAX)
        program_fail(
            "%g s of work in slices of %g s: more than %d slices; take longer ones with --slice",
            seconds, slice_s, SLICES_MAX);
    return slices;
}

void compute_sliced(double seconds, double slice_s, void (*progress)(void *), void *context)
{
    const double slices = fmax(1, compute_slices(seconds, slice_s));

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
