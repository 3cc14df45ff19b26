/* Bounded least squares of relative errors with a prior: the constants of sparse LU, fitted to
 * timed factorizations and solves (docs/models/sparse_lu.md#fit-with-a-window). */
#ifndef FR_PRIOR_FIT_H
#define FR_PRIOR_FIT_H

#include "calibrations/calibrate/core/nonnegative.h"

/* The order of the constants of factorizations. */
enum { FR_BY_GEMM, FR_BY_PANEL, FR_BY_SCATTER, FR_BY_BLOCK, FR_BY_COLUMN, FR_BY_SUPERNODE };

/* A matrix at some limits of supernodes. */
struct fr_fit_sample {
    int matrix;                  /* the same number at all its limits */
    struct fr_equation equation; /* amounts, measured time */
    double part_s[FR_CONSTANTS]; /* what a constant takes of the time; NaN: not measured */
};

enum fr_bound { FR_WITHIN, FR_AT_FLOOR, FR_AT_CEILING };

/* Errors are factors of at least 1 between predicted and measured. */
struct fr_prior_fit {
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
 * prior, which is above 0; `count` is 1 to FR_EQUATIONS_MAX.  A fit of fewer constants has amounts
 * of 0 and a prior of 1 for the others, which remain 1. */
void fr_prior_fit(const struct fr_fit_sample *sample, int count, const double prior[FR_CONSTANTS],
                  struct fr_prior_fit *out);

#endif
