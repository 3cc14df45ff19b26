/* Kernels of sparse factorizations: samples and constants of them. */
#ifndef FR_BENCH_SPARSE_KERNELS_H
#define FR_BENCH_SPARSE_KERNELS_H

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/sparse/prior_fit.h"
#include "engine/forerun.h"
#include "engine/sparse/rates/rates.h"

/* Factorizations and solves of generated matrices by forerun-analyze: samples for the constants of
 * sparse LU.
 */

/* The look-ahead of the library, by default. */
enum { FR_SAMPLE_WINDOW = 10, FR_SPARSE_SAMPLES_MAX = 24 };

/* Right-hand sides of the solves, each the best of some repetitions. */
enum { FR_SAMPLE_SOLVES = 2, FR_SAMPLE_SOLVE_REPETITIONS = 10 };
extern const int fr_sample_nrhs[FR_SAMPLE_SOLVES];

struct fr_sparse_sample {
    const char *matrix;                           /* as for forerun-analyze --generate */
    const char *const *limit;                     /* of supernodes: most columns, relaxed */
    struct fr_equation steps;                     /* amounts in the steps of the paper */
    struct fr_fit_sample window;                  /* amounts with a look-ahead window */
    struct fr_fit_sample solve[FR_SAMPLE_SOLVES]; /* time_s 0: not measured */
    double spread;                                /* of the repetitions of the last round */
};

struct fr_sparse_samples {
    struct fr_context *context;
    const char *program; /* forerun-analyze */
    struct sparse_tables tables;
    int repetitions;
    int rounds; /* that were begun */
    int count;
    struct fr_sparse_sample sample[FR_SPARSE_SAMPLES_MAX];
    char why[FR_CHILD_WHY_BYTES]; /* of the last failure, if any */
};

/* The seconds that all of them should take. */
double fr_sparse_samples_expected_s(const struct fr_context *context);
/* Takes as many samples as the time allows, with context, program and tables of `samples`.  The
 * time of a sample is the best median of all rounds. */
void fr_sparse_samples_take(struct fr_sparse_samples *samples);

/* The constants of sparse LU in the document. */

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

/* The time to scatter products into blocks of L and U. */

struct fr_scatter {
    double scatter_s; /* of an element of a long column */
    double column_s;  /* of a column, beyond its elements */
};

/* Measures on the calling core. */
struct fr_scatter fr_scatter_measure(struct fr_random *random);

/* The results of the benchmark sparse_kernels for sparse_fit. */

/* Whether all tables for sparse LU were measured.  `kernels` receives them, indexed by routine;
 * borrowed until the program ends. */
bool fr_sparse_kernels_find(struct fr_kernel kernels[FR_ROUTINES]);

#endif
