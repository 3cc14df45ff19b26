/* The three kernels of a Krylov solver on the matrix of a 27-point stencil, as PETSc has them:
 * sparse rows for the product, the upper triangle by rows for both solves of an incomplete Cholesky
 * preconditioner.
 */
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

/* NULL where memory runs out; `side` from 1 to 200. */
struct fr_stencil *fr_stencil_new(int side);
/* Takes NULL. */
void fr_stencil_free(struct fr_stencil *stencil);

/* y = A x */
void fr_stencil_multiply(struct fr_stencil *stencil);
/* y = (U' D U)^-1 x, forward and backward; U has a unit diagonal. */
void fr_stencil_solve(struct fr_stencil *stencil);
/* What one iteration of conjugate gradients does beside: two inner products, three updates. */
void fr_stencil_update(struct fr_stencil *stencil);

/* Bytes that these move, counted as in docs/models/krylov.md#computation. */
double fr_stencil_multiply_bytes(const struct fr_stencil *stencil);
double fr_stencil_solve_bytes(const struct fr_stencil *stencil);
double fr_stencil_update_bytes(const struct fr_stencil *stencil);
/* About what a stencil of that side takes. */
double fr_stencil_memory_bytes(int side);

#endif
