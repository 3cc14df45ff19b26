/* The golden calibrations of the refined model of dense operations. */
#ifndef FR_DENSE_GOLDEN_H
#define FR_DENSE_GOLDEN_H

#include "engine/dense/dense.h"
#include "tests/unit/support/golden.h"

/* From dense_begin to dense_end, which are for a GROUP. */
extern struct fr_arena *dense_arena;
int dense_begin(void **state);
int dense_end(void **state);
const struct fr_calibration *dense_calibration(const char *name);
/* The answer, and in `of` what it was computed from, until dense_end. */
struct fr_prediction dense_predicted(const char *model, const char *query,
                                     const struct fr_calibration *cal, struct dense *of);
/* The phases add up to the time, and none hides more than it takes. */
void dense_check_phases(const struct fr_prediction *out, const char *query);

#endif
