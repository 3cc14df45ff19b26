/* The tiled block product of cnc_matmul in single precision. */
#include "calibrations/calibrate/kernels/stencil.h"

/* Three outer tiles take 3 MiB. An inner tile of B takes 16 KiB, which leaves room in the L1 cache
 * for a row of C and a row of A. */
enum { OUTER = 512, INNER_ROWS = 32, INNER_COLUMNS = 128 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Adds the product of a row of A and a tile of B to a row of C. */
static void add_row(int rows, int columns, int n, const float *restrict a, const float *restrict b,
                    float *restrict c)
{
    for (int k = 0; k < rows; k++) {
        const float factor = a[k];

        for (int j = 0; j < columns; j++)
            c[j] += factor * b[(long)k * n + j];
    }
}

/* Multiplies one outer tile of each matrix; the tiles begin at rows i0 and k0 and column j0. */
static void add_tile(int n, int i0, int j0, int k0, const float *a, const float *b, float *c)
{
    const int i1 = least(n, i0 + OUTER), j1 = least(n, j0 + OUTER), k1 = least(n, k0 + OUTER);

    for (int k = k0; k < k1; k += INNER_ROWS)
        for (int j = j0; j < j1; j += INNER_COLUMNS)
            for (int i = i0; i < i1; i++)
                add_row(least(k1 - k, INNER_ROWS), least(j1 - j, INNER_COLUMNS), n,
                        a + (long)i * n + k, b + (long)k * n + j, c + (long)i * n + j);
}

void fr_cnc_multiply(int n, const float *a, const float *b, float *c,
                     void (*progress)(void *context), void *context)
{
    for (int i = 0; i < n; i += OUTER)
        for (int k = 0; k < n; k += OUTER)
            for (int j = 0; j < n; j += OUTER) {
                if (progress)
                    progress(context);
                add_tile(n, i, j, k, a, b, c);
            }
}
