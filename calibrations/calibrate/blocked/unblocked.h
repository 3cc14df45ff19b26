/* The unblocked versions that blocked algorithms end in (blocked.md 2, 3.4), on level-2 and level-1
 * BLAS: sampled by the calibrator, executed by tests/validation/blocked.  Column-major; L lower and
 * not unit, U upper.
 */
#ifndef FR_LEAVES_H
#define FR_LEAVES_H

/* L := L^-1 by variant 1 to 4: `trinvV_unb`. */
void fr_unblocked_trinv(int variant, int n, double *l, int ldl);

/* Solves L X + X U = C, X (m x n) overwriting C.  Column by column: `sylv_unb`; by variant 1 to 16
 * in blocks of one: `sylvV_unb`. */
void fr_unblocked_sylv(int m, int n, const double *l, int ldl, const double *u, int ldu, double *x,
                       int ldx);
void fr_unblocked_sylv_own(int variant, int m, int n, const double *l, int ldl, const double *u,
                           int ldu, double *x, int ldx);

#endif
