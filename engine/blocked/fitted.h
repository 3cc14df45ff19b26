/* Routine models of a calibration, prepared for evaluation
 * (docs/models/kernel_models.md#evaluation-of-a-model). */
#ifndef FR_BLOCKED_FITTED_H
#define FR_BLOCKED_FITTED_H

#include "engine/blocked/routine.h"
#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"

/* Models have one of the first two; a prediction may also combine them. */
enum blocked_locality { BLOCKED_IN_CACHE, BLOCKED_OUT_OF_CACHE, BLOCKED_BLEND, BLOCKED_REUSE };

/* Times of one call or of a sum of calls, in seconds. */
struct blocked_times {
    double min, med, avg, max, std;
};

struct blocked_region {
    double low[BLOCKED_MAX_SIZES], high[BLOCKED_MAX_SIZES];
    double inverse[BLOCKED_MAX_SIZES]; /* 1 / (high - low), 0 where they are equal */
    const double *coef[BLOCKED_STATISTICS];
    double error;
    size_t place; /* index in the document */
};

/* One model, immutable.  It points into the document of its calibration. */
struct blocked_fitted {
    struct blocked_kernel kernel; /* flag '*': any letter */
    int64_t threads;
    int locality;
    size_t terms, highest; /* highest exponent */
    const unsigned char (*exponent)[BLOCKED_MAX_SIZES];
    const struct blocked_region *region; /* smallest error first */
    size_t regions;
    double low[BLOCKED_MAX_SIZES], high[BLOCKED_MAX_SIZES]; /* bounds of all regions */
};

/* Sets cal->fitted, one entry for each routine model of a checked document, in `arena`; adds a
 * fault if memory runs out. */
void blocked_prepare(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults);
/* Adds a fault for each routine model that is not valid
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document). */
void blocked_check(const struct fr_calibration *cal, struct fr_faults *faults);

/* The model with exactly these flags, else one that matches with wildcards, else one that differs
 * in `diag` alone, else NULL (docs/models/kernel_models.md#decision-flags-that-share-a-model). */
const struct blocked_fitted *blocked_find(const struct fr_calibration *cal,
                                          const struct blocked_kernel *kernel, int64_t threads,
                                          enum blocked_locality locality);

/* The region used at a point of positive sizes: the nearest, and of those as near the one of least
 * error.  *away is the product of the ratios of the sizes to its nearest point; 1: it contains the
 * point. */
const struct blocked_region *blocked_region_of(const struct blocked_fitted *fitted,
                                               const double *size, double *away);
/* The point of a region that is nearest. */
void blocked_clamp(const struct blocked_region *region, const double *size, size_t dimensions,
                   double *at);
/* The polynomials of `count` statistics from `first` on at a point of the region, which has 0 for
 * sizes that the routine does not have. */
void blocked_sums(const struct blocked_fitted *fitted, const struct blocked_region *region,
                  const double *at, enum blocked_statistic first, size_t count, double *sum);
/* Evaluates the times of a call without empty operands, of a kernel that the model describes.
 * Returns NULL, or the nearest region if the call lies outside all regions. */
const struct blocked_region *blocked_evaluate(const struct blocked_fitted *fitted,
                                              const struct blocked_call *call,
                                              struct blocked_times *out);

/* Whether boxes cover the box from `low` to `high`.  If not, `hole` gets a point outside all of
 * them. The work is subtracted from `left`; if it does not suffice, the result is false and hole[0]
 * NaN. */
struct blocked_bounds {
    const double *low, *high;
};
bool blocked_box_cover(const struct blocked_bounds *box, size_t boxes, const double *low,
                       const double *high, size_t dimensions, size_t *left, struct fr_arena *arena,
                       double *hole);

#endif
