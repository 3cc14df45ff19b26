/* Recursive doubling as a list of steps, each with at most one send and one receive. */
#include "tests/programs/krylov/reduction.h"

#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/krylov/job.h"

enum { TAG_REDUCTION = 40 };

static void add_step(struct reduction *reduction, int peer, bool sends, bool receives,
                     bool replaces)
{
    const int i = reduction->steps++;

    reduction->at[i].peer = peer;
    reduction->at[i].sends = sends;
    reduction->at[i].receives = receives;
    reduction->at[i].replaces = replaces;
}

/* Beyond a power of two, pairs of ranks merge: the odd rank takes part in the rounds. */
static void plan(struct reduction *reduction, int rank, int size)
{
    int whole = 1, pairs;
    const bool is_odd = rank % 2;

    while (whole <= size / 2)
        whole *= 2;
    pairs = size - whole;
    if (rank < 2 * pairs)
        add_step(reduction, is_odd ? rank - 1 : rank + 1, !is_odd, is_odd, false);
    for (int distance = 1; distance < whole && (is_odd || rank >= 2 * pairs); distance *= 2) {
        const int place = rank < 2 * pairs ? rank / 2 : rank - pairs, peer = place ^ distance;

        add_step(reduction, peer < pairs ? 2 * peer + 1 : peer + pairs, true, true, false);
    }
    if (rank < 2 * pairs)
        add_step(reduction, is_odd ? rank - 1 : rank + 1, is_odd, !is_odd, true);
}

void reduction_init(struct reduction *reduction, int most)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(reduction, 0, sizeof *reduction);
    reduction->sum = job_room((size_t)most, sizeof(double));
    reduction->received = job_room((size_t)most, sizeof(double));
    plan(reduction, rank, size);
    reduction->step = reduction->steps;
}

void reduction_free(struct reduction *reduction)
{
    fr_record_free(reduction->sum);
    fr_record_free(reduction->received);
}

static void post(struct reduction *reduction)
{
    const int i = reduction->step;

    reduction->request[0] = reduction->request[1] = MPI_REQUEST_NULL;
    if (i == reduction->steps)
        return;
    if (reduction->at[i].receives)
        MPI_Irecv(reduction->received, reduction->count, MPI_DOUBLE, reduction->at[i].peer,
                  TAG_REDUCTION, MPI_COMM_WORLD, &reduction->request[0]);
    if (reduction->at[i].sends)
        MPI_Isend(reduction->sum, reduction->count, MPI_DOUBLE, reduction->at[i].peer,
                  TAG_REDUCTION, MPI_COMM_WORLD, &reduction->request[1]);
}

/* Completes a step and posts the next one. */
static void advance(struct reduction *reduction)
{
    const int i = reduction->step++;

    for (int k = 0; reduction->at[i].receives && k < reduction->count; k++)
        reduction->sum[k] =
            reduction->received[k] + (reduction->at[i].replaces ? 0 : reduction->sum[k]);
    post(reduction);
}

void reduction_begin(struct reduction *reduction, const double *own, int count)
{
    memcpy(reduction->sum, own, (size_t)count * sizeof *own);
    reduction->count = count;
    reduction->step = 0;
    post(reduction);
}

bool reduction_test(struct reduction *reduction)
{
    int is_done;

    while (reduction->step < reduction->steps) {
        MPI_Testall(2, reduction->request, &is_done, MPI_STATUSES_IGNORE);
        if (!is_done)
            return false;
        advance(reduction);
    }
    return true;
}

void reduction_wait(struct reduction *reduction)
{
    while (reduction->step < reduction->steps) {
        MPI_Waitall(2, reduction->request, MPI_STATUSES_IGNORE);
        advance(reduction);
    }
}
