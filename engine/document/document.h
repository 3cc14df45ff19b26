/* A whole calibration document: its checks and its preparation for lookups. */
#ifndef FR_DOCUMENT_DOCUMENT_H
#define FR_DOCUMENT_DOCUMENT_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"

/* Checks relations between fields: order, repetition, alternatives.  Faults carry JSON pointers;
 * `arena` is scratch. */
int fr_calibration_check(const struct fr_calibration *cal, struct fr_arena *arena,
                         struct fr_faults *faults);
/* Sorts and indexes tables for lookups.  Memory comes from `arena`. */
int fr_calibration_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                           struct fr_faults *faults);

#endif
