/* A calibration document as a whole: judged, and prepared for look-ups. */
#ifndef FR_DOCUMENT_DOCUMENT_H
#define FR_DOCUMENT_DOCUMENT_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"

/* Checks what a field alone cannot know (order, repetition, either-or), with JSON pointers. */
int fr_calibration_check(const struct fr_calibration *cal, struct fr_faults *faults);
/* Sorts and indexes for lookup; what it makes lives in `arena`. */
int fr_calibration_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                           struct fr_faults *faults);

#endif
