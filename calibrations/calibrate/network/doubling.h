/* Exchanges at distances 1, 2, 4, ... one after another, as in recursive doubling. */
#ifndef FR_DOUBLING_H
#define FR_DOUBLING_H

#include <mpi.h>

struct fr_context;

enum { FR_DOUBLING_ROUNDS = 32 };

/* Exchanges `bytes` with rank XOR distance, where that rank exists, `times` times. */
void fr_doubling_swap(MPI_Comm team, int distance, char *sent, char *received, int bytes,
                      int times);

/* What each round adds to the time of the slowest process when the rounds follow each other; median
 * over the repetitions, on rank 0.  The rounds add up to the time of the whole sequence. Collective
 * over `team`.  Returns the number of rounds, or 0 if there was no time. */
int fr_doubling_measure(const struct fr_context *context, MPI_Comm team, char *sent, char *received,
                        int bytes, double added_s[FR_DOUBLING_ROUNDS]);

#endif
