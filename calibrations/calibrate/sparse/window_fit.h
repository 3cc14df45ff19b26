/* The constants of the work with a look-ahead window, fitted to timed factorizations
 * (docs/models/sparse_lu.md#fit-with-a-window). */
#ifndef FR_WINDOW_FIT_H
#define FR_WINDOW_FIT_H

#include "calibrations/calibrate/core/nonnegative.h"

/* The order of the constants. */
enum { FR_BY_GEMM, FR_BY_PANEL, FR_BY_SCATTER, FR_BY_BLOCK, FR_BY_COLUMN, FR_BY_SUPERNODE };

/* A factorization of a matrix at some limits of supernodes. */
struct fr_window_sample {
    int matrix;                  /* the same number at all its limits */
    struct fr_equation equation; /* amounts with a window, measured time */
    double gemm_s, panel_s;      /* parts of the time; NaN: not measured */
};

enum fr_bound { FR_WITHIN, FR_AT_FLOOR, FR_AT_CEILING };

/* Errors are factors of at least 1 between predicted and measured. */
struct fr_window_fit {
    double constant[FR_CONSTANTS];
    enum fr_bound bound[FR_CONSTANTS]; /* where a constant is at an end of its range */
    double prior_share[FR_CONSTANTS];  /* 0: known from the samples; 1: from the prior alone */
    double factor[FR_EQUATIONS_MAX];   /* of each sample */
    double median, worst;
    /* Of the samples of each matrix with the constants fitted to the other matrices; NaN if there
     * is only one. */
    double left_out_median, left_out_worst;
};

/* Minimizes the relative errors of the times and of their parts within a tenth to ten times the
 * prior, which is above 0; `count` is 1 to FR_EQUATIONS_MAX. */
void fr_window_fit(const struct fr_window_sample *sample, int count,
                   const double prior[FR_CONSTANTS], struct fr_window_fit *out);

#endif
