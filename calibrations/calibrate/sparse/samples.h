/* Factorizations of generated matrices by forerun-analyze: samples for the constants of sparse LU.
 */
#ifndef FR_SPARSE_SAMPLES_H
#define FR_SPARSE_SAMPLES_H

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/child.h"
#include "calibrations/calibrate/sparse/window_fit.h"
#include "engine/sparse/tables.h"

/* The look-ahead of the library, by default. */
enum { FR_SAMPLE_WINDOW = 10, FR_SPARSE_SAMPLES_MAX = 24 };

struct fr_sparse_sample {
    const char *matrix;             /* as for forerun-analyze --generate */
    const char *const *limit;       /* of supernodes: most columns, relaxed */
    struct fr_equation steps;       /* amounts in the steps of the paper */
    struct fr_window_sample window; /* amounts with a look-ahead window */
    double spread;                  /* of the repetitions of the last round */
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

/* Takes as many samples as the time allows, with context, program and tables of `samples`.  The
 * time of a sample is the best median of all rounds. */
void fr_sparse_samples_take(struct fr_sparse_samples *samples);

#endif
