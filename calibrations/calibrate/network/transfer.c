/* Messages by send and receive, or by one-sided put and get. */
#include "calibrations/calibrate/network/timed_collective.h"

#include <math.h>
#include <string.h>

enum { TAG = 1 };

static bool is_get(enum fr_transfer transfer)
{
    return transfer == FR_GET_FLUSH || transfer == FR_GET_FENCE;
}

static bool has_fences(enum fr_transfer transfer)
{
    return transfer == FR_PUT_FENCE || transfer == FR_GET_FENCE;
}

/* Some libraries allow windows only on memory that they allocate. */
static void open_window(struct fr_transfer_way *way, char *buffer, int bytes)
{
    MPI_Errhandler before;
    char *own;

    MPI_Comm_get_errhandler(way->comm, &before);
    MPI_Comm_set_errhandler(way->comm, MPI_ERRORS_RETURN);
    if (MPI_Win_create(buffer, bytes, 1, MPI_INFO_NULL, way->comm, &way->window)) {
        MPI_Comm_set_errhandler(way->comm, before);
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, way->comm, &own, &way->window);
    }
    MPI_Comm_set_errhandler(way->comm, before);
}

struct fr_transfer_way fr_transfer_open(enum fr_transfer transfer, MPI_Comm comm, char *sent,
                                        char *received, int bytes)
{
    struct fr_transfer_way way = {
        .transfer = transfer, .comm = comm, .sent = sent, .received = received
    };

    MPI_Comm_rank(comm, &way.rank);
    MPI_Comm_size(comm, &way.size);
    if (transfer == FR_SEND)
        return way;
    open_window(&way, is_get(transfer) ? sent : received, bytes);
    if (has_fences(transfer))
        MPI_Win_fence(MPI_MODE_NOPRECEDE, way.window);
    else
        MPI_Win_lock_all(0, way.window);
    return way;
}

void fr_transfer_close(struct fr_transfer_way *way)
{
    if (way->transfer == FR_SEND)
        return;
    if (has_fences(way->transfer))
        MPI_Win_fence(MPI_MODE_NOSUCCEED, way->window);
    else
        MPI_Win_unlock_all(way->window);
    MPI_Win_free(&way->window);
}

/* What reading the clock takes, undisturbed. */
static double clock_s(void)
{
    enum { READINGS = 20, TRIES = 5 };
    double least_s = HUGE_VAL;

    for (int try = 0; try < TRIES; try++) {
        const double began_s = MPI_Wtime();
        double now_s = began_s;

        for (int i = 0; i < READINGS; i++)
            now_s = MPI_Wtime();
        least_s = fmin(least_s, (now_s - began_s) / READINGS);
    }
    return least_s;
}

/* Rank 0 sends `bytes` that it has just written, as programs do, and is answered by an empty
 * message.  Returns the mean time of both, without the writing. */
static double round_trip_s(const struct fr_transfer_way *way, int bytes, int trips)
{
    double sum_s = 0;

    /* The first round trip starts both sides together and is not timed. */
    for (int i = -1; i < trips; i++) {
        double began_s;

        if (way->rank == 0)
            memset(way->sent, i, (size_t)bytes);
        began_s = MPI_Wtime();
        if (way->rank == 0) {
            MPI_Send(way->sent, bytes, MPI_CHAR, 1, TAG, way->comm);
            MPI_Recv(way->received, 0, MPI_CHAR, 1, TAG, way->comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(way->received, bytes, MPI_CHAR, 0, TAG, way->comm, MPI_STATUS_IGNORE);
            MPI_Send(way->sent, 0, MPI_CHAR, 0, TAG, way->comm);
        }
        sum_s += i < 0 ? 0 : MPI_Wtime() - began_s;
    }
    return fmax(sum_s / trips - clock_s(), sum_s / trips / 2);
}

/* A message takes no less than its empty answer, whatever disturbed either. */
static double send_s(const struct fr_transfer_way *way, int bytes, int trips)
{
    const double empty_s = round_trip_s(way, 0, trips) / 2;
    const double both_s = bytes ? round_trip_s(way, bytes, trips) : 2 * empty_s;

    return fmax(both_s - empty_s, both_s / 2);
}

/* `partner` is the target of the origin's put or get; every rank takes part in a fence. */
static void move(const struct fr_transfer_way *way, bool is_origin, int partner, int bytes)
{
    if (is_origin && is_get(way->transfer))
        MPI_Get(way->received, bytes, MPI_CHAR, partner, 0, bytes, MPI_CHAR, way->window);
    else if (is_origin)
        MPI_Put(way->sent, bytes, MPI_CHAR, partner, 0, bytes, MPI_CHAR, way->window);
    if (has_fences(way->transfer))
        MPI_Win_fence(0, way->window);
    else if (is_origin)
        MPI_Win_flush(partner, way->window);
}

double fr_transfer_s(const struct fr_transfer_way *way, int bytes, int trips)
{
    double began_s = 0, took_s;

    if (way->transfer == FR_SEND)
        return send_s(way, bytes, trips);
    for (int i = -1; i < trips; i++) {
        if (i == 0)
            began_s = MPI_Wtime();
        move(way, way->rank == 0, 1, bytes);
    }
    took_s = MPI_Wtime() - began_s;
    MPI_Barrier(way->comm); /* the target waits inside MPI, which then serves the origin */
    return took_s / trips;
}

void fr_transfer_shift(const struct fr_transfer_way *way, int distance, int bytes)
{
    const int to = (way->rank + distance) % way->size;
    const int from = (way->rank + way->size - distance % way->size) % way->size;
    MPI_Request request[2];

    if (way->transfer != FR_SEND) {
        move(way, true, is_get(way->transfer) ? from : to, bytes);
        return;
    }
    MPI_Irecv(way->received, bytes, MPI_CHAR, from, TAG, way->comm, &request[0]);
    MPI_Isend(way->sent, bytes, MPI_CHAR, to, TAG, way->comm, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

const char *fr_transfer_description(enum fr_transfer transfer)
{
    static const char *const texts[FR_TRANSFERS] = {
        [FR_SEND] = "ping-pong of data just written, answered by an empty message",
        [FR_PUT_FLUSH] = "one-sided, one MPI_Put with a flush",
        [FR_GET_FLUSH] = "one-sided, one MPI_Get with a flush",
        [FR_PUT_FENCE] = "one-sided, one MPI_Put with a fence",
        [FR_GET_FENCE] = "one-sided, one MPI_Get with a fence",
    };

    return texts[transfer];
}
