/* A message from one process to another, by one of several means: sent and received, or put into or
 * got from a window of the other's memory.
 */
#ifndef FR_TRANSFER_H
#define FR_TRANSFER_H

#include <mpi.h>

#include "calibrations/calibrate/network/networking.h"

struct fr_transfer_way {
    enum fr_transfer transfer;
    MPI_Comm comm;         /* borrowed */
    int rank, size;        /* in it */
    char *sent, *received; /* borrowed */
    MPI_Win window;        /* over `received`, for put, or `sent`, for get, or the MPI's own */
};

/* Collective over `comm`, as is what follows; the buffers have `bytes` bytes. */
struct fr_transfer_way fr_transfer_open(enum fr_transfer transfer, MPI_Comm comm, char *sent,
                                        char *received, int bytes);
void fr_transfer_close(struct fr_transfer_way *way);

/* Seconds from rank 0 to rank 1 of two: half a round trip where messages are sent, one transfer
 * with its synchronisation where they are not.  The mean of `trips`. */
double fr_transfer_s(const struct fr_transfer_way *way, int bytes, int trips);

/* Everybody passes `bytes` on to the rank `distance` further on. */
void fr_transfer_shift(const struct fr_transfer_way *way, int distance, int bytes);

/* In a few words, for sources. */
const char *fr_transfer_description(enum fr_transfer transfer);

#endif
