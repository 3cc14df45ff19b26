/* Measured rates of a routine over its sizes, for the kernel model `calibrated`
 * (docs/models/sparse_lu.md#rate-tables). */
#ifndef FR_SPARSE_RATES_H
#define FR_SPARSE_RATES_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"

enum { SPARSE_MAX_SIZES = 64, SPARSE_MAX_AXES = 3 };

/* A table with a rate for each combination of its sizes. */
struct sparse_rates {
    size_t axes;
    struct sparse_axis {
        size_t count;
        double log2_size[SPARSE_MAX_SIZES]; /* ascending */
        double least, most;                 /* sizes, not logarithms */
        double outside_s, value; /* time of the sizes outside, and the size furthest outside */
    } axis[SPARSE_MAX_AXES];
    double *log_rate; /* the last axis fastest */
    double time_s;    /* of all look-ups */
};

/* Makes a table from rows in any order, which must have exactly the sizes of the routine (dgemm
 * m n k; dger and dtrsm m n; dtrsv n).  FR_OK, or FR_GROUP_MISSING or FR_NOMEM with a fault of
 * `calibration`.  Free with sparse_rates_free, which accepts a zeroed struct. */
int sparse_rates_init(struct sparse_rates *rates, enum fr_routine routine,
                      const struct fr_kernel *kernel, struct fr_faults *faults);
void sparse_rates_free(struct sparse_rates *rates);
/* Seconds of `flops` operations at the rate of these sizes, one for each axis, each at least 1. */
double sparse_rates_s(struct sparse_rates *rates, double flops, const double *size);
/* Records a look-up of these sizes whose result the caller has kept. */
void sparse_rates_note(struct sparse_rates *rates, const double *size, double time_s);

#endif
