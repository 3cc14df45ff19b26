/* The ranks of a job, the nodes that hold them and the clock that times them. */
#ifndef JOB_H
#define JOB_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { MESSAGE_BYTES_MAX = 1 << 30 };

struct job {
    int rank, size;
    int nodes, per_node; /* rank r is on node r / per_node */
    int *host;           /* of each node: the number at the end of its host name, else its index */
    bool has_common_clock;
};

/* Collective.  With `per_node` 0 the nodes are those of the job, else groups of `per_node` ranks.
 * Refuses ranks that do not fill the nodes in order, with the same number on each. */
void job_find(struct job *job, int per_node);
void job_free(struct job *job);

/* Collective: ends the program; the first rank prints the message. */
_Noreturn void job_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Zeroed memory of this rank, never NULL; free with fr_record_free. */
void *job_room(size_t count, size_t size);

/* Collective: waits a millisecond without messages, then all ranks begin as simultaneously as the
 * clocks allow.  Returns the start time of MPI_Wtime, in seconds. */
double job_begin_together(const struct job *job);
/* Collective: the maximum over all ranks. */
double job_most(double value);

#endif
