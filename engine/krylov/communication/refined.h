/* Refined communication: messages cost what was measured while all processes communicate, in place
 * of max-rate and hops (docs/models/krylov.md#refined-communication). */
#ifndef FR_KRYLOV_REFINED_H
#define FR_KRYLOV_REFINED_H

#include "engine/krylov/communication/krylov.h"

/* Whether contention_model=refined is selected and the calibration has the table. */
bool krylov_has_exchange_table(const struct krylov_values *v, const struct fr_calibration *cal);
bool krylov_has_burst_table(const struct krylov_values *v, const struct fr_calibration *cal);

/* Time of a swap with the rank at `distance`, while all processes swap, over the postal time of a
 * single off-node message. */
double krylov_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                             double distance);
/* Time of a message of an allreduce whose number of processes is no power of two, over the same.
 * Needs rows of contention.fold. */
double krylov_fold_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes);
/* Time of a further message of a burst over the postal time of a single off-node message
 * (docs/models/krylov.md#measured-ratios). */
double krylov_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes);

/* The least ratio of the table, at most 1; 1 without the table.  Folds count with exchanges. */
double krylov_least_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run);
double krylov_least_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run);

/* Seconds that contention adds to a message to the rank at `distance`, by the contention factors of
 * shifts. */
double krylov_contention_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           double distance);

#endif
