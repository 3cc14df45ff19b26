/* The functions of MPI that a solver of PETSc calls. */
#include "tests/validation/krylov_counts/calls.h"

#include <stdbool.h>
#include <stdio.h>

static struct calls counted;
static bool is_counting;

/* Persistent sends, as PETSc's scatters use them. */
static struct {
    MPI_Request request;
    int to, bytes;
} sends[CALLS_MOST];
static int send_count;

static void end_if_full(int used)
{
    if (used < CALLS_MOST)
        return;
    fprintf(stderr, "calls.c: more than %d different calls\n", CALLS_MOST);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int bytes_of(int count, MPI_Datatype type)
{
    int bytes;

    PMPI_Type_size(type, &bytes);
    return count * bytes;
}

static void count_call(int to, int bytes)
{
    int i = 0;

    if (!is_counting)
        return;
    while (i < counted.rows && (counted.row[i].to != to || counted.row[i].bytes != bytes))
        i++;
    if (i == counted.rows) {
        end_if_full(counted.rows);
        counted.row[counted.rows++] = (struct calls_row){ to, bytes, 0 };
    }
    counted.row[i].count++;
}

void calls_begin(void)
{
    counted.rows = 0;
    is_counting = true;
}

const struct calls *calls_end(void)
{
    is_counting = false;
    return &counted;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    count_call(CALLS_BLOCKING, bytes_of(count, type));
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    count_call(CALLS_NONBLOCKING, bytes_of(count, type));
    return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count_call(to, bytes_of(count, type));
    return PMPI_Isend(from, count, type, to, tag, comm, request);
}

int MPI_Send_init(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    const int status = PMPI_Send_init(from, count, type, to, tag, comm, request);

    end_if_full(send_count);
    sends[send_count].request = *request;
    sends[send_count].to = to;
    sends[send_count++].bytes = bytes_of(count, type);
    return status;
}

int MPI_Request_free(MPI_Request *request)
{
    for (int i = 0; i < send_count; i++)
        if (sends[i].request == *request)
            sends[i] = sends[--send_count];
    return PMPI_Request_free(request);
}

static void count_start(MPI_Request request)
{
    for (int i = 0; i < send_count; i++)
        if (sends[i].request == request)
            count_call(sends[i].to, sends[i].bytes);
}

int MPI_Start(MPI_Request *request)
{
    count_start(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        count_start(requests[i]);
    return PMPI_Startall(count, requests);
}
