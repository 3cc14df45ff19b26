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
    int *host;           /* of each node the number that ends its host's name; else its index */
    bool has_common_clock;
};

/* Collective.  `per_node` 0: as many as there are; else nodes are pretended.  Refuses ranks that do
 * not fill their nodes one after the other, the same number on each. */
void job_find(struct job *job, int per_node);
void job_free(struct job *job);

/* Ends the program for a reason that all ranks have found; the first says it. */
_Noreturn void job_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Zeroed, never NULL, this rank's alone; free with fr_record_free. */
void *job_room(size_t count, size_t size);

/* A quiet millisecond after which all ranks begin, as nearly together as the clock allows; returns
 * the time at which they do. */
double job_begin_together(const struct job *job);
/* The most that any rank says, on all ranks. */
double job_most(double value);

#endif
