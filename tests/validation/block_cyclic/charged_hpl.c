/* Routines of HPL that only copy, as charges; HPL's main path uses the transposed forms. */
#include "tests/validation/block_cyclic/charged.h"

#include "hpl.h"

/* Rows of the matrix become columns of a buffer, or the reverse. */
static void across(double rows, double columns, double times)
{
    charged_stream(times * (8 + charged_core.line_bytes) * rows * columns, 8 * rows * columns);
}

void HPL_dlocswpT(HPL_T_panel *panel, const int ii, const int jj, double *work)
{
    across(panel->jb, 1, 2);
}

void HPL_dlaswp00N(const int m, const int n, double *a, const int lda, const int *ipiv)
{
    charged_stream(4 * charged_core.line_bytes * m * n, 8.0 * m * n);
}

void HPL_dlaswp01T(const int m, const int n, double *a, const int lda, double *u, const int ldu,
                   const int *lindxa, const int *lindxau)
{
    across(m, n, 1);
}

void HPL_dlaswp02N(const int m, const int n, const double *a, const int lda, double *w0, double *w,
                   const int ldw, const int *lindxa, const int *lindxau)
{
    across(m, n, 1);
}

void HPL_dlaswp03T(const int m, const int n, double *u, const int ldu, const double *w0,
                   const double *w, const int ldw)
{
    charged_stream(16.0 * m * n, 8.0 * m * n);
}

void HPL_dlaswp04T(const int m0, const int m1, const int n, double *u, const int ldu, double *a,
                   const int lda, const double *w0, const double *w, const int ldw,
                   const int *lindxa, const int *lindxau)
{
    across(m0, n, 1);
    charged_stream(16.0 * m1 * n, 8.0 * m1 * n);
}

void HPL_dlaswp05T(const int m, const int n, double *a, const int lda, const double *u,
                   const int ldu, const int *lindxa, const int *lindxau)
{
    across(m, n, 1);
}

void HPL_dlaswp06T(const int m, const int n, double *a, const int lda, double *u, const int ldu,
                   const int *lindxa)
{
    across(m, n, 2);
}

void HPL_dlaswp10N(const int m, const int n, double *a, const int lda, const int *ipiv)
{
    charged_stream(32.0 * m * n, 8.0 * m * n);
}

void HPL_dlacpy(const int m, const int n, const double *a, const int lda, double *b, const int ldb)
{
    charged_stream(16.0 * m * n, 8.0 * m * n);
}

void HPL_dlatcpy(const int m, const int n, const double *a, const int lda, double *b, const int ldb)
{
    across(m, n, 1);
}
