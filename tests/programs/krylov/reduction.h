/* A non-blocking sum over all ranks by recursive doubling.
 *
 * Each round swaps with a rank at twice the distance.  Ranks beyond the largest power of two pass
 * their values to a partner before the first round and receive the sum after the last one.  On a
 * simulated cluster MPI_Iallreduce sends from every rank to every other rank. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <mpi.h>
#include <stdbool.h>

enum { REDUCTION_STEPS_MAX = 34 };

struct reduction {
    int count; /* of doubles */
    double *sum, *received;
    int step, steps;
    struct {
        int peer;
        bool sends, receives, replaces;
    } at[REDUCTION_STEPS_MAX];
    MPI_Request request[2];
};

/* For at most `most` doubles; free with reduction_free. */
void reduction_init(struct reduction *reduction, int most);
void reduction_free(struct reduction *reduction);
/* Copies `own`; the sum is in reduction->sum after reduction_test returned true or
 * reduction_wait. */
void reduction_begin(struct reduction *reduction, const double *own, int count);
bool reduction_test(struct reduction *reduction);
void reduction_wait(struct reduction *reduction);

#endif
