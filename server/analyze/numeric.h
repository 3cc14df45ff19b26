/* One factorisation by SuperLU_DIST, and what it took. */
#ifndef FR_ANALYZE_NUMERIC_H
#define FR_ANALYZE_NUMERIC_H

#include "server/analyze/distributed.h"

/* Of all processes together, known to each. */
struct fr_numeric {
    double factor_s; /* of the slowest: pdgstrf alone */
    double residual; /* |b - A x| / (|A| |x|), largest entries */
    double supernodes, nnz;
    double flops, flops_most, memory_bytes, memory_bytes_most;
    double tiny_pivots;
};

/* Columns are eliminated in the order `place`, rows stay where they are.  Collective.  Returns the
 * library's info: 0 where all is well. */
int fr_numeric_run(const struct fr_distributed *a, const int *place,
                   struct fr_supernode_limits limits, gridinfo_t *grid, struct fr_numeric *found);

#endif
