/* The refined model of the Krylov solvers' communication (krylov.md 12): messages are charged as
 * measured while everybody sends, in place of max-rate and hops. */
#ifndef FR_KRYLOV_REFINED_H
#define FR_KRYLOV_REFINED_H

#include "engine/krylov/krylov.h"

/* Whether the tables are asked for and there. */
bool refined_has_exchange(const struct krylov_values *v, const struct fr_calibration *cal);
bool refined_has_burst(const struct krylov_values *v, const struct fr_calibration *cal);

/* Time of a message over that of a lone one off the node, where everybody swaps with the rank at
 * `distance`; and of a further message of a series. */
double refined_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run,
                              double bytes, double distance);
double refined_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes);

/* Postal cost of all rounds of an allreduce of n_on and n_off rounds, one message in each, from
 * exchanges measured. */
double refined_rounds_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                        double n_on, double n_off);
/* What contention adds to the n_off rounds off the node, one message in each, by the factors that
 * shifts measured. */
double refined_contention_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                            double n_off);

#endif
