/* One factorization by SuperLU_DIST, and its time, size and residual. */
#ifndef FR_ANALYZE_NUMERIC_H
#define FR_ANALYZE_NUMERIC_H

#include "server/analyze/blas_times.h"
#include "server/analyze/distributed.h"

/* Results over all processes, the same in each but for `blas`. */
struct fr_numeric {
    double factor_s; /* of pdgstrf in the slowest process */
    double residual; /* |b - A x| / (|A| |x|), maximum norms */
    double supernodes, nnz;
    double flops, flops_most, memory_bytes, memory_bytes_most;
    double tiny_pivots;
    struct fr_blas_times blas; /* of this process, if they are wanted */
};

/* Factorizes with the column order `place`, unchanged rows and `lookahead` panels ahead.
 * Collective.  Returns the library's info, 0 on success. */
int fr_numeric_run(const struct fr_distributed *a, const int *place,
                   struct fr_supernode_limits limits, int lookahead, gridinfo_t *grid,
                   struct fr_numeric *found);

#endif
