/* The Modeler: builds piecewise polynomial models of a kernel's time
 * (docs/models/kernel_models.md#modeler).
 *
 * The caller provides the function that takes samples: the calibrator's runs the kernel, a test's
 * computes a formula.
 */
#ifndef FR_BLOCKED_MODELER_H
#define FR_BLOCKED_MODELER_H

#include "engine/blocked/routine.h"

enum blocked_strategy { BLOCKED_REFINEMENT, BLOCKED_EXPANSION };
enum blocked_direction { BLOCKED_TOWARD_ORIGIN, BLOCKED_AWAY_FROM_ORIGIN };
enum blocked_split { BLOCKED_SPLIT_ALL, BLOCKED_SPLIT_LONGEST, BLOCKED_SPLIT_BEST };
enum blocked_grid { BLOCKED_CHEBYSHEV, BLOCKED_CARTESIAN };
enum blocked_measure { BLOCKED_ERROR_MAX, BLOCKED_ERROR_P90, BLOCKED_ERROR_MEAN };

/* Options of a model (docs/models/kernel_models.md#decision-default-configuration-of-the-modeler).
 */
struct blocked_build {
    enum blocked_strategy strategy;
    enum blocked_direction direction; /* expansion */
    enum blocked_split split;         /* refinement */
    enum blocked_grid grid;
    enum blocked_measure measure;
    enum blocked_statistic reference; /* the statistic of the error: min, med or avg */
    bool is_relative;
    double eps;
    int64_t s_min; /* refinement: a side shorter than 2 s_min is not split */
    /* refinement: a side shorter than 2 s_min is still split, down to s_fine, where the error
     * exceeds eps as many times as s_min the new side; 0: never */
    int64_t s_fine;
    int64_t s_ini;                       /* expansion: the first side and each step */
    int oversampling[BLOCKED_MAX_SIZES]; /* grid points beyond degree + 1, 1 to 64, each size */
    int degree_extra;
    size_t most_samples; /* limit, known samples that are used included; 0: none */
};

/* A box of sizes, bounds inclusive. */
struct blocked_box {
    int64_t min[BLOCKED_MAX_SIZES], max[BLOCKED_MAX_SIZES];
};

/* The statistics of the time at a point, in seconds. */
struct blocked_sample {
    int64_t at[BLOCKED_MAX_SIZES];
    double time_s[BLOCKED_STATISTICS];
};

/* A region: a box with one polynomial for each statistic. */
struct blocked_piece {
    struct blocked_box box;
    double error; /* by the build's measure, of its reference statistic */
    size_t samples;
    double coef[BLOCKED_STATISTICS][BLOCKED_MAX_TERMS]; /* in local coordinates */
};

/* Progress, reported after each batch and at the end. */
struct blocked_progress {
    size_t regions_done, regions_open, samples;
    double error; /* largest error of the regions done */
    /* Mean error over the ranges, weighted by volume in log2 of the sizes.  Regions to be split or
     * extended count with their present error, the rest of the ranges with 1. */
    double mean_error;
    double share_done; /* part of that volume, 0 to 1, in regions done */
    /* The points of the next batch of a refinement, without times; valid during the report. */
    const struct blocked_sample *planned;
    size_t planned_count;
    size_t levels_after; /* the most that the next batch's regions can still be split, by s_min */
};

/* The source of the samples. */
struct blocked_sampler {
    void *context;
    /* Sets time_s of each sample.  Returns the number measured, counted from the first; fewer than
     * `count` ends the building with the best model so far. */
    size_t (*take)(void *context, struct blocked_sample *sample, size_t count);
    void (*report)(void *context, const struct blocked_progress *progress); /* or NULL */
};

/* A model.  The caller frees it with blocked_model_free. */
struct blocked_model {
    size_t dimensions, terms, pieces, samples;
    int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES];
    struct blocked_piece *piece;
    struct blocked_sample *sample; /* every point that was measured, once */
    bool is_complete;              /* false: the sampler or most_samples ended it early */
};

/* The default options of a kernel. */
struct blocked_build blocked_build_default(const struct blocked_kernel *kernel);

/* Builds one model over all boxes, which share their samples; regions are listed box by box and
 * always cover the boxes.  After an early end they may overlap
 * (docs/models/kernel_models.md#decision-a-model-that-ends-early-covers-its-range).  `known`, which
 * may be NULL, has samples of an interrupted building: they are not measured again, and the model
 * is the same as without the interruption. Returns 0, or -1 with an error message in `why`: an
 * option or box out of bounds, no memory, or no sample with a usable time; `out` is unchanged then.
 */
int blocked_model_build(const struct blocked_kernel *kernel, const struct blocked_box *box,
                        size_t boxes, const struct blocked_build *build,
                        const struct blocked_sample *known, size_t known_count,
                        const struct blocked_sampler *sampler, struct blocked_model *out, char *why,
                        size_t why_bytes);
void blocked_model_free(struct blocked_model *model);

/* Writes the sample points of one side: lo, multiples of 8 between, hi, ascending and distinct.
 * Returns their number, at most `points` (docs/models/kernel_models.md#sample-grid). */
size_t blocked_grid(enum blocked_grid kind, int64_t lo, int64_t hi, size_t points, int64_t *out);

/* Fits one polynomial in local coordinates of `box` to `value[i]` at `at[i]` by least squares, of
 * relative residuals if `is_relative`; singular values below `cutoff` times the largest count as
 * zero.  Returns 0, or -1 if memory or LAPACK failed (docs/models/kernel_models.md#fit). */
int blocked_fit(const struct blocked_box *box, size_t dimensions,
                int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, int64_t (*at)[BLOCKED_MAX_SIZES],
                const double *value, size_t count, bool is_relative, double cutoff, double *coef);
/* Columns have norm 1: this cutoff is far above rounding errors and far below the smallest singular
 * value of a fit of degree 5. */
#define BLOCKED_ROUNDING 1e-13
/* Value of the polynomial at a point of the box. */
double blocked_polynomial(const struct blocked_box *box, size_t dimensions,
                          int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, const double *coef,
                          const int64_t *at);

#endif
