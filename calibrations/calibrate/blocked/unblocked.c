/* The unblocked kernels.  Like the blocked algorithms, they make no calls on empty operands. */
#include "calibrations/calibrate/blocked/unblocked.h"

#include "calibrations/calibrate/core/blas.h"

static const int one = 1;

/* L10 := L10 L00. */
static void times_l00(int k, const double *l, double *l10, int ldl)
{
    dtrmv_("L", "T", "N", &k, l, &ldl, l10, &ldl, 1, 1, 1);
}

/* L21 := L22^-1 L21. */
static void solve_l22(int r, const double *l22, int ldl, double *l21)
{
    dtrsv_("L", "N", "N", &r, l22, &ldl, l21, &one, 1, 1, 1);
}

static void scale(int n, double by, double *x, int step)
{
    if (n)
        dscal_(&n, &by, x, &step);
}

/* L20 += alpha L21 L10. */
static void update_l20(int r, int k, double alpha, const double *l21, const double *l10, int ldl,
                       double *l20)
{
    if (r && k)
        dger_(&r, &k, &alpha, l21, &one, l10, &ldl, l20, &ldl);
}

void fr_unblocked_trinv(int variant, int n, double *l, int ldl)
{
    for (int k = 0; k < n; k++) {
        const int r = n - k - 1;
        double *l10 = l + k, *l20 = l10 + 1;
        double *l11 = l10 + (ptrdiff_t)k * ldl, *l21 = l11 + 1, *l22 = l21 + ldl;

        switch (variant) {
        case 1:
            if (k)
                times_l00(k, l, l10, ldl);
            scale(k, -1 / *l11, l10, ldl);
            break;
        case 2:
            if (r)
                solve_l22(r, l22, ldl, l21);
            scale(r, -1 / *l11, l21, 1);
            break;
        case 3:
            scale(r, -1 / *l11, l21, 1);
            update_l20(r, k, 1, l21, l10, ldl, l20);
            scale(k, 1 / *l11, l10, ldl);
            break;
        default:
            if (r)
                solve_l22(r, l22, ldl, l21);
            scale(r, -1, l21, 1);
            update_l20(r, k, -1, l21, l10, ldl, l20);
            if (k)
                times_l00(k, l, l10, ldl);
        }
        *l11 = 1 / *l11;
    }
}

void fr_unblocked_sylv(int m, int n, const double *l, int ldl, const double *u, int ldu, double *x,
                       int ldx)
{
    const double minus = -1, plus = 1;

    for (int j = 0; j < n; j++) {
        const double *u_j = u + (ptrdiff_t)j * ldu;
        double *x_j = x + (ptrdiff_t)j * ldx;

        if (j)
            dgemv_("N", &m, &j, &minus, x, &ldx, u_j, &one, &plus, x_j, &one, 1);
        /* (L + u_jj I) x_j = c_j; no BLAS routine shifts the diagonal. */
        for (int i = 0; i < m; i++) {
            const double *l_i = l + i + (ptrdiff_t)i * ldl;
            const double x_ij = x_j[i] / (*l_i + u_j[j]);

            x_j[i] = x_ij;
            for (int k = 1; k < m - i; k++)
                x_j[i + k] -= x_ij * l_i[k];
        }
    }
}

/* With block size 1, one of the three sizes is always 1. */
static void update_vectors(int m, int n, int k, double alpha, const double *a, int lda,
                           const double *b, int ldb, double *c, int ldc)
{
    const double plus = 1, alpha_a = alpha * *a, alpha_b = alpha * *b;

    if (m == 1 && n == 1)
        *c += alpha * ddot_(&k, a, &lda, b, &one);
    else if (k == 1 && n == 1)
        daxpy_(&m, &alpha_b, a, &one, c, &one);
    else if (k == 1 && m == 1)
        daxpy_(&n, &alpha_a, b, &ldb, c, &ldc);
    else if (k == 1)
        dger_(&m, &n, &alpha, a, &one, b, &ldb, c, &ldc);
    else if (n == 1)
        dgemv_("N", &m, &k, &alpha, a, &lda, b, &one, &plus, c, &one, 1);
    else
        dgemv_("T", &k, &n, &alpha, b, &ldb, a, &lda, &plus, c, &ldc, 1);
}

static void divide(int variant, int m, int n, const double *l, int ldl, const double *u, int ldu,
                   double *x, int ldx)
{
    (void)variant, (void)m, (void)n, (void)ldl, (void)ldu, (void)ldx;
    *x /= *l + *u;
}

void fr_unblocked_sylv_own(int variant, int m, int n, const double *l, int ldl, const double *u,
                           int ldu, double *x, int ldx)
{
    const struct fr_sylv how = { variant, 1, update_vectors, divide };

    fr_sylv_solve(&how, m, n, l, ldl, u, ldu, x, ldx);
}
