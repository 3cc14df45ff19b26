/* What a rank asks of MPI: a count of its reductions by size, and of its messages by receiver and
 * size.  calls.c defines the functions of MPI that PETSc calls, and forwards them. */
#ifndef KRYLOV_COUNTS_CALLS_H
#define KRYLOV_COUNTS_CALLS_H

#include <mpi.h>

enum { CALLS_MOST = 512 };
/* A reduction has the receiver CALLS_BLOCKING or CALLS_NONBLOCKING. */
enum { CALLS_BLOCKING = -1, CALLS_NONBLOCKING = -2 };
struct calls_row {
    int to, bytes, count;
};
struct calls {
    int rows;
    struct calls_row row[CALLS_MOST];
};

/* Counts from zero. */
void calls_begin(void);
/* What was counted since then; ends the program if it was more than the table holds. */
const struct calls *calls_end(void);

#endif
