/* A sum over all ranks by recursive doubling, in steps that go on whenever they are tested.
 *
 * Each round swaps with the rank at twice the distance; ranks beyond the largest power of two hand
 * theirs in before the first round and get the sum after the last.  MPI_Iallreduce would do the
 * same, but on a simulated cluster everybody then sends to everybody. */
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

/* Of at most `most` doubles. */
void reduction_init(struct reduction *reduction, int most);
void reduction_free(struct reduction *reduction);
/* `own` is copied; the sum is in reduction->sum once it is done. */
void reduction_begin(struct reduction *reduction, const double *own, int count);
bool reduction_test(struct reduction *reduction);
void reduction_wait(struct reduction *reduction);

#endif
