/* Lookups in the calibration of an evaluation: contention factors, messages, kernels.
 *
 * Each records in run->out which table it read and warns where it extrapolates.  The table must
 * exist: the model's resolve() has checked it.
 */
#ifndef FR_LOOKUP_LOOKUP_H
#define FR_LOOKUP_LOOKUP_H

#include "engine/prediction/prediction.h"

/* Contention factors, dimensionless: the time of a transfer over `distance` ranks while all
 * processes send, over that of an uncontended message
 * (docs/models/dense.md#messages-and-contention-factors).  C_avg is the mean over the processes. */
double fr_contention_average(struct fr_evaluation *run, double distance);
/* C_avg where `processes` send, if the calibration has factors by process count; else as above
 * (docs/models/dense.md#messages-under-contention). */
double fr_contention_average_among(struct fr_evaluation *run, double processes, double distance);
/* C_max, the factor of the slowest of `processes`. */
double fr_contention_maximum(struct fr_evaluation *run, double processes, double distance);

/* Latency and inverse bandwidth of the first protocol that carries `bytes`: between nodes, or
 * within the node where the calibration has no off-node values.  Borrowed from the calibration. */
const struct fr_link *fr_message_link(struct fr_evaluation *run, double bytes);
/* Seconds of an uncontended message; `bytes` may be fractional. */
double fr_message_s(struct fr_evaluation *run, double bytes);
/* The message size that the contention factors were measured with; INFINITY where it is unknown,
 * which selects the last protocol. */
double fr_contention_bytes(struct fr_evaluation *run);
/* Seconds of a message at contention factor `factor`, which applies to the inverse bandwidth of
 * messages of `reference_bytes` (docs/models/dense.md#messages-under-contention). */
double fr_message_contended_s(struct fr_evaluation *run, double bytes, double factor,
                              double reference_bytes);

/* Seconds of a routine on square operands of order n (docs/models/dense.md#kernels). */
double fr_kernel_s(struct fr_evaluation *run, enum fr_routine routine, double n, double threads);
/* The same in one precision.  Without rates of this precision, or if it is open (-1), each real
 * operation costs as in double precision, with a warning (docs/models/dense.md#precision). */
double fr_kernel_precise_s(struct fr_evaluation *run, enum fr_routine routine, int precision,
                           double n, double threads);
/* The measured rates; none if count is 0.  Borrowed from the calibration. */
const struct fr_curves *fr_kernel_rates(const struct fr_calibration *cal, enum fr_routine routine,
                                        int precision);
/* The time of a kernel on the slowest of the processors that a job on so many cores has, in the
 * last of `meeting` processes that wait for each other after it, over the time of the look-ups
 * above; 1 where the calibration does not say how processors and calls differ
 * (docs/models/variability.md).
 */
double fr_kernel_slowest(struct fr_evaluation *run, double cores, double meeting);
/* How much longer than the mean the last of the calls of so many processes takes; NAN where the
 * calibration does not say it (docs/models/variability.md#the-last-call). */
double fr_kernel_late(struct fr_evaluation *run, double meeting);
/* Operations per second of one of the threads, in double precision. */
double fr_kernel_rate(struct fr_evaluation *run, enum fr_routine routine, double n, double threads);
/* Seconds per byte of a kernel that has by_size, of one of `processes` busy cores of a node. */
double fr_stream_byte_s(struct fr_evaluation *run, enum fr_stream stream, double processes,
                        double working_set_bytes);
/* The share of the memory bandwidth that a kernel reaches; 1 where it is not calibrated. */
double fr_stream_fraction(struct fr_evaluation *run, enum fr_stream stream);
const char *fr_routine_name(enum fr_routine routine);
/* Operations of a routine on operands of order n, leading term only
 * (docs/models/dense.md#decision-kernels-count-their-leading-term). */
double fr_routine_flops(enum fr_routine routine, double n);

#endif
