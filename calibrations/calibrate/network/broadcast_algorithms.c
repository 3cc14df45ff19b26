/* Broadcast algorithms built from point-to-point messages. */
#include "calibrations/calibrate/network/timed_collective.h"

enum { TAG = 5 };

struct group {
    MPI_Comm comm;
    int rank, size;
    char *data;
    int bytes;
};

/* The first byte of piece `i` of as many pieces as ranks. */
static int begin(const struct group *g, int i)
{
    return (int)((long long)g->bytes * i / g->size);
}

static void send(const struct group *g, int to, int first, int last)
{
    MPI_Send(g->data + begin(g, first), begin(g, last) - begin(g, first), MPI_CHAR, to, TAG,
             g->comm);
}

static void receive(const struct group *g, int from, int first, int last)
{
    MPI_Recv(g->data + begin(g, first), begin(g, last) - begin(g, first), MPI_CHAR, from, TAG,
             g->comm, MPI_STATUS_IGNORE);
}

/* Sends down a binomial tree: everything, or to each rank only what its subtree needs. */
static void descend(const struct group *g, int is_whole)
{
    for (int half = g->size / 2; half; half /= 2) {
        const int place = g->rank % (2 * half);

        if (place == 0)
            send(g, g->rank + half, is_whole ? 0 : g->rank + half,
                 is_whole ? g->size : g->rank + 2 * half);
        else if (place == half)
            receive(g, g->rank - half, is_whole ? 0 : g->rank, is_whole ? g->size : g->rank + half);
    }
}

static void swap(const struct group *g, int to, int sent, int from, int received, int pieces)
{
    MPI_Sendrecv(g->data + begin(g, sent), begin(g, sent + pieces) - begin(g, sent), MPI_CHAR, to,
                 TAG, g->data + begin(g, received),
                 begin(g, received + pieces) - begin(g, received), MPI_CHAR, from, TAG, g->comm,
                 MPI_STATUS_IGNORE);
}

static void gather_doubling(const struct group *g)
{
    for (int pieces = 1; pieces < g->size; pieces *= 2) {
        const int partner = g->rank ^ pieces;

        swap(g, partner, g->rank / pieces * pieces, partner, partner / pieces * pieces, pieces);
    }
}

static void gather_ring(const struct group *g)
{
    const int right = (g->rank + 1) % g->size, left = (g->rank + g->size - 1) % g->size;

    for (int i = 0; i + 1 < g->size; i++)
        swap(g, right, (g->rank + g->size - i) % g->size, left, (left + g->size - i) % g->size, 1);
}

void fr_broadcast_run(int algorithm, MPI_Comm comm, char *data, int bytes)
{
    struct group g = { .comm = comm, .data = data, .bytes = bytes };

    MPI_Comm_rank(comm, &g.rank);
    MPI_Comm_size(comm, &g.size);
    descend(&g, algorithm == FR_BINOMIAL);
    if (algorithm == FR_SCATTER_ALLGATHER)
        gather_doubling(&g);
    else if (algorithm == FR_SCATTER_RING)
        gather_ring(&g);
}
