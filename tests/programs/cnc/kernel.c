/* The block product: the kernel of the calibrator, sgemm, or a charged time. */
#include "tests/programs/cnc/kernel.h"

#include <stddef.h>

#include "calibrations/calibrate/kernels/stencil.h"
#include "tests/programs/compute.h"

const char *const kernel_names[] = { "tiled", "sgemm", "charged", 0 };

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc, size_t, size_t);

void kernel_multiply(const struct kernel *kernel, const float *a, const float *b, float *c)
{
    const int order = kernel->order;
    const float one = 1;

    if (kernel->choice == KERNEL_CHARGED)
        compute_sliced(kernel->time_s, kernel->slice_s, kernel->progress, kernel->context);
    else if (kernel->choice == KERNEL_TILED)
        fr_cnc_multiply(order, a, b, c, kernel->progress, kernel->context);
    else /* stored by rows: the BLAS sees the transposes */
        sgemm_("N", "N", &order, &order, &order, &one, b, &order, a, &order, &one, c, &order, 1, 1);
}
