/* Messages from one process to another: sent and received, or put into or got from a window of the
 * memory of the other process. */
#ifndef FR_TRANSFER_H
#define FR_TRANSFER_H

#include <mpi.h>

#include "calibrations/calibrate/network/networking.h"

struct fr_transfer_way {
    enum fr_transfer transfer;
    MPI_Comm comm;         /* borrowed */
    int rank, size;        /* in comm */
    char *sent, *received; /* borrowed */
    MPI_Win window;        /* over `received` (put), `sent` (get) or memory of MPI */
};

/* Opens a way over buffers of `bytes` bytes.  This and the next three functions are collective over
 * `comm`. */
struct fr_transfer_way fr_transfer_open(enum fr_transfer transfer, MPI_Comm comm, char *sent,
                                        char *received, int bytes);
void fr_transfer_close(struct fr_transfer_way *way);

/* Seconds from rank 0 to rank 1 of two: half a round trip for sent messages, otherwise one transfer
 * with its synchronization.  The mean of `trips`. */
double fr_transfer_s(const struct fr_transfer_way *way, int bytes, int trips);

/* Every process passes `bytes` to the rank at `distance`. */
void fr_transfer_shift(const struct fr_transfer_way *way, int distance, int bytes);

/* A short description for sources. */
const char *fr_transfer_description(enum fr_transfer transfer);

#endif
