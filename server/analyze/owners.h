/* Which process owns which row of a matrix (docs/models/partition.md). */
#ifndef FR_ANALYZE_OWNERS_H
#define FR_ANALYZE_OWNERS_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

/* A matrix and what its partitions share: the graph of A+A' is made when METIS first needs it. */
struct fr_divided {
    const struct fr_matrix *matrix; /* borrowed */
    struct fr_graph *graph;
};

/* Sets owner[row], from 0, for all n rows.  FR_OK, or a code with a fault: more processes than
 * rows, a process without rows, memory. */
int fr_owners_find(struct fr_divided *of, const char *partition, int32_t processes, int32_t *owner,
                   struct fr_faults *faults);

/* Frees the graph. */
void fr_divided_end(struct fr_divided *of);

#endif
