/* The diagonal block of a Cholesky factorization, summed call by call. */
#ifndef FR_FACTORED_H
#define FR_FACTORED_H

#include "engine/block_cyclic/kernels.h"

/* Seconds of a block of order n (pdpotf2.f). */
static inline double factored_s(const struct cyclic_kernels *kernels, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += cyclic_stream_s(kernels, 2 * kernels->line_bytes * i, 8 * i) +
               cyclic_dgemv_s(kernels, n - i - 1, i) + cyclic_dscal_s(kernels, n - i - 1);
    return sum;
}

#endif
