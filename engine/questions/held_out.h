/* Held-out checks: how wrong extrapolation was inside a calibration's own measurements. */
#ifndef FR_QUESTIONS_HELD_OUT_H
#define FR_QUESTIONS_HELD_OUT_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/held_out.h"

/* Sets cal->held_outs, in the arena, from the tables of `contention` and `kernels` of a prepared
 * calibration: each key of each table without its outer values, and without one value at a time
 * (docs/calibration.md#held-out-checks).  FR_OK, or FR_NOMEM and a fault.  A document with very
 * many rows is checked in part. */
int fr_held_outs_find(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults);

#endif
