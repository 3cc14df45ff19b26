/* Preloaded into the calibrator: MPI_Wtime of each rank counts from a moment of its own, as the
 * standard allows on one host, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

double MPI_Wtime(void);

double MPI_Wtime(void)
{
    static const double apart_s = 0.1;
    static double (*mpi_wtime)(void);
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (!mpi_wtime)
        *(void **)&mpi_wtime = dlsym(RTLD_NEXT, "MPI_Wtime");
    return mpi_wtime() + (rank ? apart_s * strtod(rank, NULL) : 0);
}
