/* The Modeler: piecewise polynomial models of a kernel's time, from samples that somebody else
 * takes (blocked.md 5, 6; Peise and Bientinesi, "Performance Modeling for Dense Linear Algebra").
 *
 * The caller gives a function that measures points; the calibrator's runs the kernel, a test's
 * computes a formula.  Everything is in memory that the modeler owns.
 */
#ifndef FR_BLOCKED_MODELER_H
#define FR_BLOCKED_MODELER_H

#include "engine/blocked/routine.h"

enum blocked_strategy { BLOCKED_REFINEMENT, BLOCKED_EXPANSION };
enum blocked_direction { BLOCKED_TOWARD_ORIGIN, BLOCKED_AWAY_FROM_ORIGIN };
enum blocked_split { BLOCKED_SPLIT_ALL, BLOCKED_SPLIT_LONGEST };
enum blocked_grid { BLOCKED_CHEBYSHEV, BLOCKED_CARTESIAN };
enum blocked_measure { BLOCKED_ERROR_MAX, BLOCKED_ERROR_P90, BLOCKED_ERROR_MEAN };
enum blocked_statistic {
    BLOCKED_MIN,
    BLOCKED_MED,
    BLOCKED_AVG,
    BLOCKED_MAX,
    BLOCKED_STD,
    BLOCKED_STATISTICS
};

/* How a model is built: the options of blocked.md 6. */
struct blocked_build {
    enum blocked_strategy strategy;
    enum blocked_direction direction; /* expansion */
    enum blocked_split split;         /* refinement */
    enum blocked_grid grid;
    enum blocked_measure measure;
    enum blocked_statistic reference; /* whose error is judged: min, med or avg */
    bool is_relative;
    double eps;
    int64_t s_min;                       /* refinement: a side shorter than 2 s_min is not split */
    int64_t s_ini;                       /* expansion: the first side and each step */
    int oversampling[BLOCKED_MAX_SIZES]; /* points beyond degree + 1, at least 1, each size */
    int degree_extra;
    /* Known ones that are used count, too.  0: no limit; beyond it the best model so far. */
    size_t most_samples;
};

struct blocked_box {
    int64_t min[BLOCKED_MAX_SIZES], max[BLOCKED_MAX_SIZES];
};

struct blocked_sample {
    int64_t at[BLOCKED_MAX_SIZES];
    double time_s[BLOCKED_STATISTICS];
};

struct blocked_piece {
    struct blocked_box box;
    double error; /* by the build's measure, of its reference statistic */
    size_t samples;
    double coef[BLOCKED_STATISTICS][BLOCKED_MAX_TERMS]; /* in local coordinates */
};

/* What has been done so far, told after each batch and at the end. */
struct blocked_progress {
    size_t regions_done, regions_open, samples;
    double error; /* worst of the regions done */
    /* Mean over the ranges, by the volume that share_done counts: of the regions done, of those
     * that are still to be split or are growing, and 1 where there is none yet. */
    double mean_error;
    double share_done; /* of the ranges' volume in log2 of the sizes, 0 to 1: for the time left */
};

/* Where the samples come from. */
struct blocked_sampler {
    void *context;
    /* Fills in time_s of each; returns how many of them, from the first, it measured: fewer than
     * `count` ends the building with the best model so far. */
    size_t (*take)(void *context, struct blocked_sample *sample, size_t count);
    void (*tell)(void *context, const struct blocked_progress *progress); /* or NULL */
};

/* A model as built; free it with blocked_model_free. */
struct blocked_model {
    size_t dimensions, terms, pieces, samples;
    int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES];
    struct blocked_piece *piece;
    struct blocked_sample *sample; /* every point measured, each once */
    bool is_complete;              /* false: ended early by the sampler or most_samples */
};

/* The default of blocked.md 6 (D) for a kernel. */
struct blocked_build blocked_build_default(const struct blocked_kernel *kernel);

/* Builds one model over all boxes (their regions go into one list, box by box; points are shared).
 * The regions always cover the boxes; where it ended early they may overlap, and what was not
 * reached is a guess from the nearest that was.  `known` are samples of an earlier, interrupted
 * building (may be NULL): they are not measured again, and the model is the one that would have
 * come without the interruption.
 * Returns 0, or -1 with a sentence in `why`: an option or box out of bounds, memory, or not one
 * sample with a time; `out` is untouched then. */
int blocked_model_build(const struct blocked_kernel *kernel, const struct blocked_box *box,
                        size_t boxes, const struct blocked_build *build,
                        const struct blocked_sample *known, size_t known_count,
                        const struct blocked_sampler *sampler, struct blocked_model *out, char *why,
                        size_t why_bytes);
void blocked_model_free(struct blocked_model *model);

/* The sample points of one side: lo, multiples of 8 between, hi; ascending, no duplicates; returns
 * how many (at most `points`).  */
size_t blocked_grid(enum blocked_grid kind, int64_t lo, int64_t hi, size_t points, int64_t *out);

/* Fits one polynomial in local coordinates of `box` to `value[i]` at `at[i]` by least squares (SVD,
 * dgelsd).  Relative residuals where asked.  Returns 0, or -1: memory, or LAPACK failed. */
int blocked_fit(const struct blocked_box *box, size_t dimensions,
                int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, int64_t (*at)[BLOCKED_MAX_SIZES],
                const double *value, size_t count, bool is_relative, double *coef);
/* The polynomial's value at a point of the box. */
double blocked_polynomial(const struct blocked_box *box, size_t dimensions,
                          int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, const double *coef,
                          const int64_t *at);

#endif
