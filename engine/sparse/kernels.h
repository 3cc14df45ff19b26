/* What the kernels of the factorisation count: operations, loads and stores of doubles
 * (sparse-lu.md 2, eqs. 1 to 10). */
#ifndef FR_SPARSE_KERNELS_H
#define FR_SPARSE_KERNELS_H

#include "engine/sparse/params.h"

#include <stdbool.h>
#include <stdint.h>

struct sparse_counts {
    double flops; /* of dgemm: what eq. 13 multiplies by g */
    double loads, stores;
};

/* a_1 / g from which on a dgemm of these sizes is memory-bound: its loads and stores (eqs. 1, 2)
 * take then as long as its operations (eq. 3). */
double sparse_dgemm_threshold(const struct sparse_machine *machine, int64_t m, int64_t n,
                              int64_t k);
/* The larger of g and a_1 decides; a tie is memory-bound, also where rounding of seconds made it
 * none. */
bool sparse_is_flops_bound(const struct sparse_machine *machine, double threshold);

/* Many dgemms (M, N, K) that are alike but for M and of one kind: eqs. 4 to 6, or with the loads
 * of eq. 1 where memory-bound.  `m` is the sum of M, `per_unroll` the sum of M / min(Ea, M). */
struct sparse_counts sparse_dgemm(const struct sparse_machine *machine, double m, double per_unroll,
                                  int64_t n, int64_t k, bool is_flops_bound);
/* Eqs. 7 and 8: A (M x N) -= x y'. */
struct sparse_counts sparse_dger(const struct sparse_machine *machine, double m, double n);
/* The dgers that factor a column of width w, one for each N = w - 1 ... 1, with M = rows, and N
 * more where the process has the diagonal block. */
struct sparse_counts sparse_dgers(const struct sparse_machine *machine, double width, double rows,
                                  bool has_diagonal);
/* Eqs. 9 and 10 over solves of orders that add up to `sum`, their squares to `sumsq`. */
struct sparse_counts sparse_dtrsv(const struct sparse_machine *machine, double sum, double sumsq);

#endif
