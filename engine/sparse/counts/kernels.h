/* Operations, loads and stores of doubles in the kernels of the factorization
 * (docs/models/sparse_lu.md#kernel-counts). */
#ifndef FR_SPARSE_KERNELS_H
#define FR_SPARSE_KERNELS_H

#include "engine/sparse/counts/params.h"

#include <stdbool.h>
#include <stdint.h>

struct sparse_counts {
    double flops; /* of dgemm: those that eq. 13 multiplies by g */
    double loads, stores;
    double inner_loads; /* of eq. 1 where the operations take longer, which eq. 13 leaves out */
};

/* The ratio a_1 / g from which a dgemm of these sizes is memory-bound: its loads and stores (eqs. 1
 * and 2) then take as long as its operations (eq. 3);
 * docs/models/sparse_lu.md#choice-between-flops-bound-and-memory-bound. */
double sparse_dgemm_threshold(const struct sparse_machine *machine, int64_t m, int64_t n,
                              int64_t k);
/* Whether a_1 / g of the machine is below the threshold.  A tie is memory-bound, also if rounding
 * of the times hides it. */
bool sparse_is_flops_bound(const struct sparse_machine *machine, double threshold);

/* Sum over dgemms (M, N, K) of one kind that differ in M only: eqs. 4 to 6, with the loads of eq. 1
 * if memory-bound, else as inner loads.  `m` is the sum of M, `per_unroll` the sum of M / min(Ea,
 * M). */
struct sparse_counts sparse_dgemm(const struct sparse_machine *machine, double m, double per_unroll,
                                  int64_t n, int64_t k, bool is_flops_bound);
/* Eqs. 7 and 8: A (M x N) -= x y'. */
struct sparse_counts sparse_dger(const struct sparse_machine *machine, double m, double n);
/* The dgers that factor a column of width w, for N = w - 1 ... 1: M = rows, plus N if the process
 * has the diagonal block. */
struct sparse_counts sparse_dgers(const struct sparse_machine *machine, double width, double rows,
                                  bool has_diagonal);
/* Eqs. 9 and 10 over solves whose orders have the sum `sum` and the sum of squares `sumsq`. */
struct sparse_counts sparse_dtrsv(const struct sparse_machine *machine, double sum, double sumsq);

#endif
