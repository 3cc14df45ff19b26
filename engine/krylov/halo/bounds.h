/* Lower bounds of communication that hold for any schedule (docs/models/krylov.md#lower-bounds). */
#ifndef FR_KRYLOV_BOUNDS_H
#define FR_KRYLOV_BOUNDS_H

#include "engine/krylov/communication/krylov.h"

/* The least costs of a message over the links that the job uses. */
struct krylov_least {
    double latency_s, on_node_s_per_byte, off_node_s_per_byte;
    double exchange_share, burst_share; /* of these, while all processes communicate; at most 1 */
};
struct krylov_least krylov_least(const struct krylov_values *v, struct fr_evaluation *run);

/* Seconds: log2 P rounds of latency, the bytes that the busiest process receives, its additions. */
struct krylov_allreduce_bound {
    double critical_path_s, network_s, work_s;
};
struct krylov_allreduce_bound krylov_allreduce_bound(const struct krylov_values *v,
                                                     const struct krylov_least *least,
                                                     const struct fr_calibration *cal,
                                                     double bytes);
/* Seconds in which a process receives the messages of a halo exchange.  Where the load of the links
 * is known, messages of a process overlap: the first latency, then the bytes on the node, or those
 * that leave the node together. */
double krylov_halo_bound_s(const struct krylov_least *least, const struct krylov_time *halo,
                           const struct krylov_link_load *load, const struct fr_calibration *cal);

#endif
