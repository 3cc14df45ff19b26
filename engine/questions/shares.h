/* How much of a prediction rests on what its warnings say is extrapolated. */
#ifndef FR_QUESTIONS_SHARES_H
#define FR_QUESTIONS_SHARES_H

#include "engine/prediction/model.h"

/* Sets share_fraction of the warnings `extrapolated`: by how much of an error of the extrapolated
 * values the time changes.  Each takes a prediction more: where that takes long, only the first
 * is weighed, and where it fails, none; the other shares stay NaN.  `values` are resolved, and
 * those of the prediction. */
void fr_shares_find(const struct fr_model *model, const void *values,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *prediction);

#endif
