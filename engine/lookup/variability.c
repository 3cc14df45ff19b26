/* The slowest of the processors of a job (docs/models/variability.md). */
#include "engine/lookup/lookup.h"

#include <math.h>

double fr_kernel_slowest(struct fr_evaluation *run, double cores)
{
    const struct fr_calibration *cal = run->cal;
    const double *time = cal->slowness;
    const size_t known = cal->kernels.variability.processor_times.count;
    const double least = 0x1p-64; /* what is left adds no digit */
    double processors, mean = 0, chance, weight = 1;

    if (!known)
        return 1;
    processors = ceil(cores / (double)cal->kernels.variability.cores);
    run->out->used |= FR_USE(VARIABILITY);
    if (processors >= (double)known) {
        if (processors > (double)known)
            weight = fr_extrapolate(run->out, "kernels.variability.processor_times", processors, 1,
                                    (double)known);
        return weight * time[known - 1];
    }
    /* Of k drawn from N, that on place i is the slowest in C(i-1, k-1) of C(N, k) cases. */
    chance = processors / (double)known;
    for (size_t i = known;; i--) {
        mean += chance * time[i - 1];
        if ((double)i <= processors || chance < least)
            break;
        chance *= ((double)i - processors) / (double)(i - 1);
    }
    return mean;
}
