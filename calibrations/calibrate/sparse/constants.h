/* The constants of sparse LU in the document. */
#ifndef FR_SPARSE_CONSTANTS_H
#define FR_SPARSE_CONSTANTS_H

#include "calibrations/calibrate/sparse/samples.h"

/* A group of fitted constants. */
struct fr_constant_set {
    const char *pointer;            /* in the document */
    size_t offset;                  /* in struct fr_calibration */
    int count;                      /* at most FR_CONSTANTS */
    const char *name[FR_CONSTANTS]; /* of members */
    double elsewhere[FR_CONSTANTS]; /* fitted on another machine */
    bool is_measured[FR_CONSTANTS]; /* whether the prior is measured here, not assumed */
};

/* Of factorizations, in the order of FR_BY_... */
#define FR_CONSTANT_NAMES "gemm", "panel", "scatter_s", "block_s", "column_s", "supernode_s"

/* sparse.fit: for the steps of the paper */
extern const struct fr_constant_set fr_step_constants;
/* sparse.window_fit: with a look-ahead window */
extern const struct fr_constant_set fr_window_constants;
/* sparse.solve_fit: of the triangular solves */
extern const struct fr_constant_set fr_solve_constants;

/* Writes a value for each constant. */
void fr_constants_write(struct fr_document *document, const struct fr_constant_set *set,
                        const double value[FR_CONSTANTS]);
/* Writes constants of another machine as assumed, with the reason why. */
void fr_constants_assume(struct fr_context *context, const struct fr_constant_set *set,
                         const char *why);
/* Gives a source of its own to each constant that the samples do not determine. */
void fr_constants_doubt(struct fr_document *document, const struct fr_constant_set *set,
                        const struct fr_prior_fit *fit, const double prior[FR_CONSTANTS]);

enum { FR_STATISTIC_BYTES = 64 };
/* The source of a fit to the samples; it borrows the statistic, which is written. */
struct fr_source fr_constants_source(const struct fr_sparse_samples *samples,
                                     char statistic[FR_STATISTIC_BYTES]);
/* "median factor 1.052, worst 1.250, of matrices left out 1.075 and 1.519" */
enum { FR_ERRORS_BYTES = 120 };
const char *fr_constants_errors(const struct fr_prior_fit *fit, char out[FR_ERRORS_BYTES]);

/* Each fits a set, and records it with what is known of it. */
void fr_step_constants_fit(const struct fr_sparse_samples *samples);
void fr_window_constants_fit(const struct fr_sparse_samples *samples);
void fr_solve_constants_fit(const struct fr_sparse_samples *samples);

#endif
