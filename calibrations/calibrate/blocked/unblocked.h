/* The blocked algorithms trinv and sylv, and the unblocked kernels that they end in. */
#ifndef FR_UNBLOCKED_H
#define FR_UNBLOCKED_H

/* ---- unblocked ------------------------------------------------------------------------- */

/* The unblocked kernels of the blocked algorithms (docs/models/blocked.md#unblocked-kernels), on
 * level-2 and level-1 BLAS.  The calibrator samples them and tests/validation/blocked executes
 * them. Matrices are stored by columns; L is lower without a unit diagonal, U is upper.
 */

/* L := L^-1 by variant 1 to 4: `trinvV_unb`. */
void fr_unblocked_trinv(int variant, int n, double *l, int ldl);

/* Solve L X + X U = C, X (m x n) overwriting C: `sylv_unb`, column by column, and `sylvV_unb`,
 * variant 1 to 16 with block size 1. */
void fr_unblocked_sylv(int m, int n, const double *l, int ldl, const double *u, int ldu, double *x,
                       int ldx);
void fr_unblocked_sylv_own(int variant, int m, int n, const double *l, int ldl, const double *u,
                           int ldu, double *x, int ldx);

/* ---- sylv ------------------------------------------------------------------------------ */

/* Executes the sixteen variants of L X + X U = C, L lower (m x m), U upper (n x n), X overwriting
 * C, with any block size (docs/models/blocked.md#sylvester-equation).  With block size 1 it is the
 * unblocked version.
 */

/* C(m,n) += alpha A(m,k) B(k,n); no size is 0. */
typedef void fr_sylv_update(int m, int n, int k, double alpha, const double *a, int lda,
                            const double *b, int ldb, double *c, int ldc);
/* Solves the block of a step, which is not empty. */
typedef void fr_sylv_leaf(int variant, int m, int n, const double *l, int ldl, const double *u,
                          int ldu, double *x, int ldx);

struct fr_sylv {
    int variant, block_size;
    fr_sylv_update *update;
    fr_sylv_leaf *leaf;
};

/* Solves the equation; columns of X, L and U are ldx, ldl and ldu elements apart. */
void fr_sylv_solve(const struct fr_sylv *how, int m, int n, const double *l, int ldl,
                   const double *u, int ldu, double *x, int ldx);

/* ---- trinv ----------------------------------------------------------------------------- */

/* The blocked inversion of a triangular matrix. */

/* L := L^-1, lower, of order n with blocks of b and leading dimension `ld`; variant 1 to 4
 * (docs/models/blocked.md#triangular-inverse). */
void fr_trinv_blocked(int variant, int n, int b, double *l, int ld);

#endif
