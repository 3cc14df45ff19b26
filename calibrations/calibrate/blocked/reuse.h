/* What part of the out-of-cache time an operand costs by how much was touched since its last use
 * (docs/models/kernel_models.md#reuse). */
#ifndef FR_REUSE_H
#define FR_REUSE_H

#include "calibrations/calibrate/blocked/sampler.h"
#include "calibrations/calibrate/core/bench.h"

/* Announces the calls. */
void fr_reuse_add(struct fr_extent *extent);
/* Writes kernels.reuse. */
void fr_reuse_measure(struct fr_context *context, struct fr_sampler *sampler);

#endif
