/* The algorithms as the calibrator runs them. */
#include "tests/validation/blocked/algorithms.h"

#include <stddef.h>

#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/blas.h"

static void update(int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                   int ldb, double *c, int ldc)
{
    const double beta = 1;

    if (m && n && k)
        dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
}

void trinv_blocked(int variant, int n, int b, double *l, int ld)
{
    fr_trinv_blocked(variant, n, b, l, ld);
}

static void common_leaf(int variant, int m, int n, const double *l, int ldl, const double *u,
                        int ldu, double *x, int ldx)
{
    (void)variant;
    fr_unblocked_sylv(m, n, l, ldl, u, ldu, x, ldx);
}

void sylv_blocked(int variant, int has_own_leaf, int m, int n, int b, const double *l,
                  const double *u, double *x, int ld)
{
    const struct fr_sylv how = { variant, b, update,
                                 has_own_leaf ? fr_unblocked_sylv_own : common_leaf };

    fr_sylv_solve(&how, m, n, l, ld, u, ld, x, ld);
}
