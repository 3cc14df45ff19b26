#include "kernel.h"

#include <stddef.h>

#include "compute.h"

/* Three tiles of floats fill a third cache of some MiB, and a first one of 32 KiB. */
enum { TILE_L3 = 480, TILE_L1 = 48 };

const char *const kernel_names[] = { "tiled", "sgemm", "charged", 0 };

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc, size_t, size_t);

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* A part of the index space. */
struct tile {
    int i, j, k, rows, columns, depth;
};

static void multiply_small(int order, const struct tile *tile, const float *restrict a,
                           const float *restrict b, float *restrict c)
{
    for (int i = tile->i; i < tile->i + tile->rows; i++)
        for (int k = tile->k; k < tile->k + tile->depth; k++) {
            const float factor = a[(size_t)i * order + k];

            for (int j = tile->j; j < tile->j + tile->columns; j++)
                c[(size_t)i * order + j] += factor * b[(size_t)k * order + j];
        }
}

/* Cuts a tile into smaller ones of this size and hands each on. */
static void multiply_tile(const struct kernel *kernel, const struct tile *tile, int size,
                          const float *a, const float *b, float *c)
{
    for (int i = 0; i < tile->rows; i += size)
        for (int k = 0; k < tile->depth; k += size)
            for (int j = 0; j < tile->columns; j += size) {
                const struct tile part = { tile->i + i,
                                           tile->j + j,
                                           tile->k + k,
                                           least(size, tile->rows - i),
                                           least(size, tile->columns - j),
                                           least(size, tile->depth - k) };

                if (size == TILE_L1) {
                    multiply_small(kernel->order, &part, a, b, c);
                    continue;
                }
                kernel->progress(kernel->context);
                multiply_tile(kernel, &part, TILE_L1, a, b, c);
            }
}

void kernel_multiply(const struct kernel *kernel, const float *a, const float *b, float *c)
{
    const int order = kernel->order;
    const struct tile whole = { 0, 0, 0, order, order, order };
    const float one = 1;

    if (kernel->choice == KERNEL_CHARGED)
        compute_sliced(kernel->time_s, kernel->slice_s, kernel->progress, kernel->context);
    else if (kernel->choice == KERNEL_TILED)
        multiply_tile(kernel, &whole, TILE_L3, a, b, c);
    else /* by rows: to the BLAS each is its transpose */
        sgemm_("N", "N", &order, &order, &order, &one, b, &order, a, &order, &one, c, &order, 1, 1);
}
