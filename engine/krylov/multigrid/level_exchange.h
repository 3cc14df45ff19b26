/* Messages of a level of multigrid (docs/models/multigrid.md#messages). */
#ifndef FR_KRYLOV_LEVEL_EXCHANGE_H
#define FR_KRYLOV_LEVEL_EXCHANGE_H

#include "engine/krylov/multigrid/multigrid.h"

/* The busiest link of an exchange of the level; all NaN where none is counted. */
struct krylov_link_load krylov_level_load(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run);
/* A blocking exchange of the finest level, without links. */
struct krylov_time krylov_finest_exchange(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run);
/* A halo exchange of a level, and one of a transfer between it and the next, which waits.  The
 * exchange of the finest level tells which share of messages stays on the node where a level was
 * given by its size. */
struct krylov_time krylov_level_exchange(const struct krylov_cycle_conduct *conduct,
                                         const struct krylov_level *level,
                                         const struct krylov_time *finest,
                                         const struct krylov_overlap *overlap,
                                         struct fr_evaluation *run);
struct krylov_time krylov_transfer_exchange(const struct krylov_cycle_conduct *conduct,
                                            const struct krylov_level *level,
                                            const struct krylov_time *finest,
                                            struct fr_evaluation *run);

#endif
