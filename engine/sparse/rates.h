/* Measured rates of a routine over its sizes, for the kernel model `calibrated` (sparse-lu.md 7):
 * multilinear in log2 of the sizes of the logarithm of the rate, constant outside. */
#ifndef FR_SPARSE_RATES_H
#define FR_SPARSE_RATES_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"

enum { SPARSE_MAX_SIZES = 64, SPARSE_MAX_AXES = 3 };

/* A table that has a rate for every combination of its sizes. */
struct sparse_rates {
    size_t axes;
    struct sparse_axis {
        size_t count;
        double log2_size[SPARSE_MAX_SIZES]; /* ascending */
    } axis[SPARSE_MAX_AXES];
    double *log_rate; /* the last axis fastest */
    /* What look-ups met: the time of all, of those outside, and the size furthest out. */
    double time_s, outside_s, value, low, high;
};

/* From rows in any order, which have the sizes of the routine alone (dgemm m n k; dger and dtrsm
 * m n; dtrsv n).  A code; faults name `calibration` and what is missing in it.  Free with
 * sparse_rates_free, which accepts zeros. */
int sparse_rates_init(struct sparse_rates *rates, enum fr_routine routine,
                      const struct fr_kernel *kernel, struct fr_faults *faults);
void sparse_rates_free(struct sparse_rates *rates);
/* Seconds of so many operations at the rate of these sizes (as many as there are axes), none of
 * which is less than 1. */
double sparse_rates_s(struct sparse_rates *rates, double flops, const double *size);

#endif
