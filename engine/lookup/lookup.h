/* Look-ups in the calibration: contention, messages, kernels. */
#ifndef FR_LOOKUP_LOOKUP_H
#define FR_LOOKUP_LOOKUP_H

#include "engine/prediction/prediction.h"

/* Lookups; each records in run->out what it read and what it had to extrapolate. */

/* C_avg of a transfer over `distance` ranks (dense-distributed.md 3). */
double fr_contention_average(struct fr_evaluation *run, double distance);
/* The same for `processes` that all send, where the document tells them apart
 * (dense-distributed.md 14.2). */
double fr_contention_average_among(struct fr_evaluation *run, double processes, double distance);
/* C_max of `processes` all sending over `distance` ranks (dense-distributed.md 3, D5, D6). */
double fr_contention_maximum(struct fr_evaluation *run, double processes, double distance);
/* Seconds of an uncontended message by the first protocol that carries it; `bytes` may be
 * fractional.  On the node where the document has no off-node values. */
double fr_message_s(struct fr_evaluation *run, double bytes);
/* The same where `factor` messages share what carries messages of `reference_bytes`: contention
 * takes bandwidth, not latency (dense-distributed.md 14.2). */
double fr_message_contended_s(struct fr_evaluation *run, double bytes, double factor,
                              double reference_bytes);
/* The size that contention factors were measured with; the largest where that is not known. */
double fr_contention_bytes(struct fr_evaluation *run);
/* Latency and inverse bandwidth of the protocol that carries it. */
const struct fr_link *fr_message_link(struct fr_evaluation *run, double bytes);
/* Seconds of a routine on square operands of order n (dense-distributed.md 5). */
double fr_kernel_s(struct fr_evaluation *run, enum fr_routine routine, double n, double threads);
const char *fr_routine_name(enum fr_routine routine);
/* Operations of a routine on operands of order n, leading term (dense-distributed.md D9). */
double fr_routine_flops(enum fr_routine routine, double n);

#endif
