/* Broadcasts that progress during a computation.
 *
 * In the simulator's MPI_Ibcast the root sends to every member.  So this file implements the usual
 * algorithms of MPI_Bcast as steps of at most one message out and one in; a step begins when the
 * messages of the last one have ended.  A queue does one broadcast at a time, like a thread that
 * calls MPI_Bcast in a loop.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "tests/programs/phases.h"

enum { TRANSFERS_MAX = 64, MEMBERS_MAX = 64, STEPS_MAX = MEMBERS_MAX + 8 };

/* The algorithms of network.broadcast; BY_LENGTH chooses like MPICH. */
enum broadcast_algorithm { BINOMIAL, SCATTER_ALLGATHER, SCATTER_RING, BY_LENGTH };
extern const char *const broadcast_names[];

struct step {
    int to, from; /* MPI_PROC_NULL for none */
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
    double since_s;        /* the time when the current transfer began */
    struct phases *phases; /* receives its time; borrowed */
};

/* Ends the program if memory runs out.  The caller frees the queue. */
struct queue queue_new(struct phases *phases, enum broadcast_algorithm algorithm);
void queue_free(struct queue *queue);

/* Appends a broadcast and starts it if the queue is empty.  `data` is borrowed until it ends. */
void queue_broadcast(struct queue *queue, int phase, double *data, size_t words, int root,
                     MPI_Comm comm);
/* Tests the messages and posts the next ones.  Returns whether the queue is empty. */
bool queue_advance(struct queue *queue);
/* queue_advance as a callback. */
void queue_progress(void *queue);
/* Waits until the queue is empty. */
void queue_finish(struct queue *queue);

#endif
