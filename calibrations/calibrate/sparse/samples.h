/* Factorizations and solves of generated matrices by forerun-analyze: samples for the constants of
 * sparse LU.
 */
#ifndef FR_SPARSE_SAMPLES_H
#define FR_SPARSE_SAMPLES_H

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/child.h"
#include "calibrations/calibrate/sparse/prior_fit.h"
#include "engine/sparse/rates/tables.h"

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

#endif
