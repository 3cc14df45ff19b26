/* Detects eager messages: a send that ends before its late receiver starts. */
#include "calibrations/calibrate/network/eager.h"

#include <time.h>

enum { TAG = 7, TIMES_LATE = 20, TRIES = 5 };
static const double least_late_s = 1e-3;

static bool try_once(MPI_Comm pair, int rank, char *buffer, int bytes, double late_s)
{
    const struct timespec nap = { (time_t)late_s, (long)(1e9 * (late_s - (double)(time_t)late_s)) };
    double began_s;

    MPI_Barrier(pair);
    began_s = MPI_Wtime();
    if (rank == 0) {
        MPI_Send(buffer, bytes, MPI_CHAR, 1, TAG, pair);
        return MPI_Wtime() - began_s < late_s / 2;
    }
    nanosleep(&nap, NULL);
    MPI_Recv(buffer, bytes, MPI_CHAR, 0, TAG, pair, MPI_STATUS_IGNORE);
    return false;
}

bool fr_eager_is(MPI_Comm pair, char *buffer, int bytes, double time_s)
{
    const double late_s = TIMES_LATE * time_s > least_late_s ? TIMES_LATE * time_s : least_late_s;
    int rank, quick = 0;

    MPI_Comm_rank(pair, &rank);
    /* On a busy node either side may be kept waiting by something else: the majority counts. */
    for (int i = 0; i < TRIES; i++)
        quick += try_once(pair, rank, buffer, bytes, late_s);
    MPI_Bcast(&quick, 1, MPI_INT, 0, pair);
    return quick > TRIES / 2;
}
