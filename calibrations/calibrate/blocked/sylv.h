/* Executes the sixteen variants of L X + X U = C, L lower (m x m), U upper (n x n), X overwriting
 * C, with any block size (docs/models/blocked.md#sylvester-equation).  With block size 1 it is the
 * unblocked version.
 */
#ifndef FR_SYLV_H
#define FR_SYLV_H

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

#endif
