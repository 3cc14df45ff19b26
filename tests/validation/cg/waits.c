/* The functions of MPI that PETSc calls in a solve: messages that complete together belong to the
 * halo, single waits and tests to reductions. */
#include "tests/validation/cg/waits.h"

#include <mpi.h>

static struct waits total;

struct waits waits_now(void)
{
    return total;
}

static void count_reduction(int count, MPI_Datatype type)
{
    int bytes = 0;

    PMPI_Type_size(type, &bytes);
    total.reductions++;
    total.reduction_bytes += (double)count * bytes;
}

#define TIMED(sum, call)                     \
    do {                                     \
        const double began_s = PMPI_Wtime(); \
        const int status = (call);           \
                                             \
        total.sum += PMPI_Wtime() - began_s; \
        return status;                       \
    } while (0)

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    count_reduction(count, type);
    TIMED(reduction_s, PMPI_Allreduce(from, to, count, type, op, comm));
}

int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    count_reduction(count, type);
    TIMED(reduction_s, PMPI_Iallreduce(from, to, count, type, op, comm, request));
}

int MPI_Wait(MPI_Request *request, MPI_Status *state)
{
    TIMED(reduction_s, PMPI_Wait(request, state));
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *state)
{
    TIMED(reduction_s, PMPI_Test(request, flag, state));
}

int MPI_Startall(int count, MPI_Request requests[])
{
    TIMED(halo_s, PMPI_Startall(count, requests));
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    TIMED(halo_s, PMPI_Isend(from, count, type, to, tag, comm, request));
}

int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    TIMED(halo_s, PMPI_Irecv(to, count, type, from, tag, comm, request));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    TIMED(halo_s, PMPI_Waitall(count, requests, statuses));
}
