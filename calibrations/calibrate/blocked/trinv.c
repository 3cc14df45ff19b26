/* The four variants: L11 is the diagonal block, with k rows above and r rows below. */
#include "calibrations/calibrate/blocked/unblocked.h"

#include "calibrations/calibrate/core/blas.h"

/* B := alpha A^-1 B (side "L") or alpha B A^-1 (side "R"). */
static void solve(const char *side, int m, int n, double alpha, const double *a, double *b, int ld)
{
    if (m && n)
        dtrsm_(side, "L", "N", "N", &m, &n, &alpha, a, &ld, b, &ld, 1, 1, 1, 1);
}

/* B := B A. */
static void multiply(int m, int n, const double *a, double *b, int ld)
{
    const double alpha = 1;

    if (m && n)
        dtrmm_("R", "L", "N", "N", &m, &n, &alpha, a, &ld, b, &ld, 1, 1, 1, 1);
}

static void update(int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                   int ldb, double *c, int ldc)
{
    const double beta = 1;

    if (m && n && k)
        dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
}

void fr_trinv_blocked(int variant, int n, int b, double *l, int ld)
{
    for (int k = 0; k < n; k += b) {
        const int block = b < n - k ? b : n - k, r = n - k - block;
        double *l10 = l + k, *l20 = l10 + block;
        double *l11 = l10 + (ptrdiff_t)k * ld, *l21 = l11 + block;
        double *l22 = l21 + (ptrdiff_t)block * ld;

        switch (variant) {
        case 1:
            multiply(block, k, l, l10, ld);
            solve("L", block, k, -1, l11, l10, ld);
            break;
        case 2:
            solve("L", r, block, 1, l22, l21, ld);
            solve("R", r, block, -1, l11, l21, ld);
            break;
        case 3:
            solve("R", r, block, -1, l11, l21, ld);
            update(r, k, block, 1, l21, ld, l10, ld, l20, ld);
            solve("L", block, k, 1, l11, l10, ld);
            break;
        default:
            solve("L", r, block, -1, l22, l21, ld);
            update(r, k, block, -1, l21, ld, l10, ld, l20, ld);
            multiply(block, k, l, l10, ld);
        }
        fr_unblocked_trinv(variant, block, l11, ld);
    }
}
