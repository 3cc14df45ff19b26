/* Halo exchanges: of a grid, and of a partitioned matrix. */
#ifndef FR_KRYLOV_HALO_H
#define FR_KRYLOV_HALO_H

#include "engine/krylov/links/links.h"

/* Cost of a halo exchange (docs/models/krylov.md#time-of-the-exchange). */
struct krylov_halo {
    struct krylov_time chosen; /* by the parameter `process` */
    double time_average_s, time_slowest_s;
};
struct krylov_halo krylov_halo_exchange(const struct krylov_grid_values *v,
                                        const struct krylov_stencil *stencil,
                                        struct fr_evaluation *run,
                                        const struct krylov_overlap *overlap);

/* Cost of the exchange of these messages, those of one process being two series: what it sends and
 * what it receives; of all series the slowest
 * (docs/models/krylov-links.md#messages-of-a-partition).  Words are positive, ranks are below
 * N c.  FR_NOMEM goes to run->faults. */
struct krylov_time krylov_partition_halo(const struct krylov_values *v,
                                         const struct krylov_words *message, size_t messages,
                                         struct fr_evaluation *run,
                                         const struct krylov_overlap *overlap);

#endif
