/* Broadcasts that run while a process computes. */
#include "calibrations/calibrate/network/grid.h"

#include <assert.h>

enum { TAG = 13, SLICES = 16 };

struct fr_ahead fr_ahead_make(const struct fr_grid *grid)
{
    return (struct fr_ahead){ .grid = grid, .request = MPI_REQUEST_NULL };
}

static int rank_of(const struct fr_ahead *ahead, int place)
{
    return (place + ahead->broadcast[ahead->current].root) % ahead->members;
}

/* Posts what this process receives; the root receives nothing. */
static void begin(struct fr_ahead *ahead)
{
    const MPI_Comm comm = ahead->broadcast[ahead->current].comm;
    int rank;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ahead->members);
    ahead->place = (rank - ahead->broadcast[ahead->current].root + ahead->members) % ahead->members;
    ahead->mask = 1;
    while (ahead->mask < ahead->members && !(ahead->place & ahead->mask))
        ahead->mask *= 2;
    if (ahead->place)
        MPI_Irecv(ahead->grid->sent[0], ahead->broadcast[ahead->current].bytes, MPI_CHAR,
                  rank_of(ahead, ahead->place - ahead->mask), TAG, comm, &ahead->request);
}

/* Posts the next message; the last one has ended. Returns whether there is any. */
static bool go_on(struct fr_ahead *ahead)
{
    while (ahead->current < ahead->count) {
        if (!ahead->members) {
            begin(ahead);
            if (ahead->place)
                return true;
        }
        while ((ahead->mask /= 2))
            if (ahead->place + ahead->mask < ahead->members) {
                MPI_Isend(ahead->grid->sent[0], ahead->broadcast[ahead->current].bytes, MPI_CHAR,
                          rank_of(ahead, ahead->place + ahead->mask), TAG,
                          ahead->broadcast[ahead->current].comm, &ahead->request);
                return true;
            }
        ahead->members = 0;
        ahead->current++;
    }
    ahead->current = ahead->count = 0;
    return false;
}

/* Posts what can be posted. */
static void progress(struct fr_ahead *ahead)
{
    int has_ended = 1;

    while (ahead->count && has_ended) {
        MPI_Test(&ahead->request, &has_ended, MPI_STATUS_IGNORE);
        if (has_ended && !go_on(ahead))
            break;
    }
}

void fr_ahead_start(struct fr_ahead *ahead, MPI_Comm comm, int root, int bytes)
{
    assert(ahead->count < FR_AHEAD_MAX);
    ahead->broadcast[ahead->count].comm = comm;
    ahead->broadcast[ahead->count].root = root;
    ahead->broadcast[ahead->count++].bytes = bytes;
    progress(ahead);
}

void fr_ahead_pause(struct fr_ahead *ahead, bool is_here, double pause_s)
{
    for (int i = 0; i < SLICES; i++) {
        fr_pattern_pause(ahead->grid, is_here, pause_s / SLICES);
        progress(ahead);
    }
}

void fr_ahead_finish(struct fr_ahead *ahead)
{
    while (ahead->count) {
        MPI_Wait(&ahead->request, MPI_STATUS_IGNORE);
        progress(ahead);
    }
}
