/* The graph of a matrix as METIS takes it. */
#ifndef FR_ANALYZE_GRAPH_H
#define FR_ANALYZE_GRAPH_H

#include "engine/forerun.h"
#include "server/matrices/files/matrix.h"

#include <metis.h>

/* The pattern of A+A' without its diagonal: the neighbours of row i are neighbour[at[i]] to
 * neighbour[at[i + 1] - 1], ascending; weight[i] is the number of its entries in A, at least 1. */
struct fr_graph {
    idx_t n, *at, *neighbour, *weight;
};

/* NULL with a fault; free with fr_graph_free, which accepts NULL. */
struct fr_graph *fr_graph_make(const struct fr_matrix *matrix, struct fr_faults *faults);
void fr_graph_free(struct fr_graph *graph);

#endif
