/* Routine models of a calibration, ready for look-up (blocked.md 5, 7). */
#ifndef FR_BLOCKED_FITTED_H
#define FR_BLOCKED_FITTED_H

#include "engine/blocked/call.h"
#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"

enum blocked_locality { BLOCKED_IN_CACHE, BLOCKED_OUT_OF_CACHE, BLOCKED_BLEND };

/* Seconds of one call, or of many together. */
struct blocked_times {
    double min, med, avg, max, std;
};

struct blocked_region {
    double low[BLOCKED_MAX_SIZES], high[BLOCKED_MAX_SIZES];
    double inverse[BLOCKED_MAX_SIZES]; /* 1 / (high - low), 0 where they are equal */
    const double *coef[5];             /* min, med, avg, max, std */
    double error;
    size_t place; /* in the document */
};

/* One model, immutable. */
struct blocked_fitted {
    struct blocked_kernel kernel; /* a flag '*' stands for any letter */
    int64_t threads;
    int locality;
    size_t terms, highest; /* highest exponent */
    const unsigned char (*exponent)[BLOCKED_MAX_SIZES];
    const struct blocked_region *region; /* smallest error first */
    size_t regions;
    double low[BLOCKED_MAX_SIZES], high[BLOCKED_MAX_SIZES]; /* of all regions */
};

/* Makes cal->fitted of a checked document. */
void blocked_prepare(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults);
/* What a routine model must be: a routine that is known, with its flags and sizes, once for each
 * locality and thread count, its regions covering its range. */
void blocked_check(const struct fr_calibration *cal, struct fr_faults *faults);

/* The model of these flags, else one of any; NULL: the calibration has none. */
const struct blocked_fitted *blocked_find(const struct fr_calibration *cal,
                                          const struct blocked_kernel *kernel, int64_t threads,
                                          enum blocked_locality locality);

/* The region that speaks for a point and whether the point lies outside all of them.  Sizes are
 * at least 1. */
const struct blocked_region *blocked_region_of(const struct blocked_fitted *fitted,
                                               const int64_t *size, bool *is_outside);
/* The times of a non-empty call of a kernel that the model is of.  NULL, or the region nearest to a
 * call that lies outside all of them. */
const struct blocked_region *blocked_evaluate(const struct blocked_fitted *fitted,
                                              const struct blocked_call *call,
                                              struct blocked_times *out);

/* Whether boxes cover a box of so many dimensions; else `hole` gets a point that none of them
 * contains.  The work is taken from `left`; false with hole[0] NaN where it does not suffice. */
struct blocked_bounds {
    const double *low, *high;
};
bool blocked_box_cover(const struct blocked_bounds *box, size_t boxes, const double *low,
                       const double *high, size_t dimensions, size_t *left, struct fr_arena *arena,
                       double *hole);

#endif
