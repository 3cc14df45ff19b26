/* The parallel products of the PBLAS, by the operand that stays in its place
 * (docs/models/block_cyclic.md#pdgemm).
 *
 * Each returns whether it came to its end within the limit of the question.
 */
#ifndef FR_BLOCK_CYCLIC_PRODUCT_H
#define FR_BLOCK_CYCLIC_PRODUCT_H

#include "engine/block_cyclic/walk.h"

/* C stays: slices of A travel along the rows, slices of B down the columns (PB_CpgemmAB.c). */
bool cyclic_multiply_c_stays(struct cyclic_walk *walk);
/* Whether that is one slice: no operand spans several process rows or columns with its k. */
bool cyclic_is_one_slice(const struct cyclic_values *v);
/* Its slices. */
struct cyclic_sequence cyclic_product_slices(const struct cyclic_values *v);
/* B, as it is, stays: slices of A travel, rows of C are combined (PB_CpgemmAC.c).  An A that is not
 * transposed stays in the mirror image (PB_CpgemmBC.c). */
bool cyclic_multiply_b_stays(struct cyclic_walk *walk);
/* A, transposed, stays: slices of B travel, columns of C are combined (PB_CpgemmBC.c).  A
 * transposed B stays in the mirror image (PB_CpgemmAC.c). */
bool cyclic_multiply_transposed_a_stays(struct cyclic_walk *walk);

#endif
