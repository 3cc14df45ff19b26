/* Bounded least squares of relative errors with a prior: the constants of sparse LU, fitted to
 * timed factorizations and solves (docs/models/sparse_lu.md#fit-with-a-window). */
#ifndef FR_PRIOR_FIT_H
#define FR_PRIOR_FIT_H

#include "calibrations/calibrate/core/sample.h"

#include <stdbool.h>
#include <stddef.h>

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

/* Parses the output of forerun-analyze: lines of JSON, some followed by bytes. */

enum { FR_TIMES_MAX = 99, FR_ANALYZED_WHY_BYTES = 200 };

/* Both return 0, or -1 with a reason in `why`, which the program may have given. */

/* Finds the bytes of the first structure; they point into `text`. */
int fr_analyzed_structure(const char *text, size_t length, const unsigned char **bytes,
                          size_t *count, char why[FR_ANALYZED_WHY_BYTES]);

struct fr_factorized {
    int times;
    double time_s[FR_TIMES_MAX]; /* of each repetition, > 0 */
    bool has_parts;              /* whether dgemm and the other routines of BLAS were timed */
    double gemm_s[FR_TIMES_MAX], panel_s[FR_TIMES_MAX]; /* of each repetition */
    int solves;                                         /* whose times are known; none: 0 or less */
    double solve_s[FR_TIMES_MAX];                       /* by number of right-hand sides, > 0 */
    double supernodes, nnz;                             /* as the library counts */
};
/* Finds the result of a factorization. */
int fr_analyzed_times(const char *text, size_t length, struct fr_factorized *out,
                      char why[FR_ANALYZED_WHY_BYTES]);

#endif
