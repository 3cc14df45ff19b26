/* Broadcasts that make progress beside a computation.
 *
 * The simulator's MPI_Ibcast is flat: the root sends to everybody.  So the usual algorithms of
 * MPI_Bcast are written here (which one the library has, the calibrator finds), as steps of at most
 * one message out and one in; the next step begins when both are through.  A queue has one transfer
 * under way at a time, as a thread that calls MPI_Bcast again and again would.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "tests/programs/phases.h"

enum { TRANSFERS_MAX = 64, MEMBERS_MAX = 64, STEPS_MAX = MEMBERS_MAX + 8 };

/* By the names of network.broadcast; by length as MPICH does. */
enum broadcast_algorithm { BINOMIAL, SCATTER_ALLGATHER, SCATTER_RING, BY_LENGTH };
extern const char *const broadcast_names[];

struct step {
    int to, from; /* MPI_PROC_NULL: none */
    size_t out, out_words, in, in_words;
};

struct transfer {
    MPI_Comm comm;
    double *data;
    int phase;
    int steps;
    struct step step[STEPS_MAX];
};

struct queue {
    enum broadcast_algorithm algorithm;
    struct transfer *transfer; /* TRANSFERS_MAX of them */
    int count, current, step;
    bool is_under_way; /* the step's messages are posted */
    MPI_Request request[2];
    double since_s;        /* when the current transfer began */
    struct phases *phases; /* its time is added there */
};

/* Ends the program where memory runs out. */
struct queue queue_new(struct phases *phases, enum broadcast_algorithm algorithm);
void queue_free(struct queue *queue);

void queue_broadcast(struct queue *queue, int phase, double *data, size_t words, int root,
                     MPI_Comm comm);
/* Posts what can be posted; whether nothing is left.  As a callback: queue_progress. */
bool queue_advance(struct queue *queue);
void queue_progress(void *queue);
void queue_finish(struct queue *queue);

#endif
