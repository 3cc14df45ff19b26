/* The triangular solves of the PBLAS (docs/models/block_cyclic.md#pdtrsm).
 *
 * `order` is that of A, `sides` the number of right-hand sides.  Each solve returns whether it came
 * to its end within the limit of the question.
 */
#ifndef FR_BLOCK_CYCLIC_SOLVE_H
#define FR_BLOCK_CYCLIC_SOLVE_H

#include "engine/block_cyclic/slices.h"

/* A and B move; X A = B with A of order n (PB_CptrsmAB.c).  A transposed A is turned slice by
 * slice. */
bool cyclic_solve_moving_both(struct cyclic_walk *walk, bool is_transposed);
/* The same of a transposed A that is not turned: what was solved is combined along the rows.
 * `is_mirrored`: slices of B are rows in memory. */
bool cyclic_solve_combining(struct cyclic_walk *walk, bool is_mirrored);
/* B alone moves (PB_CptrsmB.c, PB_Cptrsm.c): the right-hand sides of process column q, or, if they
 * are turned, of process row q, one slice after the other. */
bool cyclic_solve_moving_b(struct cyclic_walk *walk, int64_t order, int64_t sides, bool is_turned,
                           bool is_mirrored);
/* Its clock updates. */
double cyclic_solve_moving_b_work(const struct cyclic_values *v, int64_t order);

#endif
