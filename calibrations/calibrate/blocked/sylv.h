/* L X + X U = C, L lower (m x m), U upper (n x n), X overwriting C: sixteen variants in blocks of
 * any size (blocked.md 3).  In blocks of one it is the unblocked version.
 */
#ifndef FR_SYLV_H
#define FR_SYLV_H

/* C(m,n) += alpha A(m,k) B(k,n); no size is 0. */
typedef void fr_sylv_update(int m, int n, int k, double alpha, const double *a, int lda,
                            const double *b, int ldb, double *c, int ldc);
/* Solves a diagonal step's block; not empty. */
typedef void fr_sylv_leaf(int variant, int m, int n, const double *l, int ldl, const double *u,
                          int ldu, double *x, int ldx);

struct fr_sylv {
    int variant, block_size;
    fr_sylv_update *update;
    fr_sylv_leaf *leaf;
};

void fr_sylv_solve(const struct fr_sylv *how, int m, int n, const double *l, int ldl,
                   const double *u, int ldu, double *x, int ldx);

#endif
