/* The unblocked kernels of the blocked algorithms (docs/models/blocked.md#unblocked-kernels), on
 * level-2 and level-1 BLAS.  The calibrator samples them and tests/validation/blocked executes
 * them. Matrices are stored by columns; L is lower without a unit diagonal, U is upper.
 */
#ifndef FR_UNBLOCKED_H
#define FR_UNBLOCKED_H

/* L := L^-1 by variant 1 to 4: `trinvV_unb`. */
void fr_unblocked_trinv(int variant, int n, double *l, int ldl);

/* Solve L X + X U = C, X (m x n) overwriting C: `sylv_unb`, column by column, and `sylvV_unb`,
 * variant 1 to 16 with block size 1. */
void fr_unblocked_sylv(int m, int n, const double *l, int ldl, const double *u, int ldu, double *x,
                       int ldx);
void fr_unblocked_sylv_own(int variant, int m, int n, const double *l, int ldl, const double *u,
                           int ldu, double *x, int ldx);

#endif
