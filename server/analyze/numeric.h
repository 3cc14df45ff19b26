/* One factorization by SuperLU_DIST, and its time, size and residual. */
#ifndef FR_ANALYZE_NUMERIC_H
#define FR_ANALYZE_NUMERIC_H

#include "server/analyze/blas_times.h"
#include "server/analyze/distributed.h"
#include "server/analyze/options.h"

/* Results over all processes, the same in each but for `blas`. */
struct fr_numeric {
    double factor_s;                /* of pdgstrf in the slowest process */
    double solve_s[FR_SOLVES_MOST]; /* of pdgstrs likewise, the least of FR_SOLVE_REPETITIONS */
    double residual;                /* |b - A x| / (|A| |x|), maximum norms; the largest */
    double supernodes, nnz;
    double flops, flops_most, memory_bytes, memory_bytes_most;
    double tiny_pivots;
    struct fr_blas_times blas; /* of this process, if they are wanted */
};

enum { FR_SOLVE_REPETITIONS = 10 };

/* Factorizes with the column order `place`, unchanged rows, and the limits and look-ahead of the
 * options, and solves with each of their numbers of right-hand sides.  Collective.  Returns the
 * library's info, 0 on success. */
int fr_numeric_run(const struct fr_distributed *a, const int *place,
                   const struct fr_analyze_options *options, gridinfo_t *grid,
                   struct fr_numeric *found);

#endif
