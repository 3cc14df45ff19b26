/* The three kernels of a Krylov solver on the matrix of a 27-point stencil, in the formats of
 * PETSc: the matrix by sparse rows, the upper triangle by rows for both solves of an incomplete
 * Cholesky preconditioner. */
#ifndef FR_STENCIL_H
#define FR_STENCIL_H

#include <stdint.h>

struct fr_stencil {
    int side, rows;          /* rows = side cubed */
    int32_t *start, *column; /* of the matrix; start has rows + 1 */
    double *value;
    int32_t *upper_start, *upper_column; /* above the diagonal */
    double *upper_value, *inverse_diagonal;
    double *x, *y, *z;
};

/* Returns NULL without memory; `side` is from 1 to 200.  The caller frees it by fr_stencil_free. */
struct fr_stencil *fr_stencil_new(int side);
/* Accepts NULL. */
void fr_stencil_free(struct fr_stencil *stencil);

/* y = A x */
void fr_stencil_multiply(struct fr_stencil *stencil);
/* y = (U' D U)^-1 x, forward and backward; U has a unit diagonal. */
void fr_stencil_solve(struct fr_stencil *stencil);
/* The other work of one conjugate gradient iteration: two inner products and three updates. */
void fr_stencil_update(struct fr_stencil *stencil);

/* Bytes that the kernels move, counted as in docs/models/krylov.md#computation. */
double fr_stencil_multiply_bytes(const struct fr_stencil *stencil);
double fr_stencil_solve_bytes(const struct fr_stencil *stencil);
double fr_stencil_update_bytes(const struct fr_stencil *stencil);
/* Approximate memory of a stencil of this side. */
double fr_stencil_memory_bytes(int side);

#endif
