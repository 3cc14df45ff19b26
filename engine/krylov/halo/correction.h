/* What links estimate, corrected by bursts that were measured with as many processes
 * (docs/models/krylov-links.md#correction-by-bursts). */
#ifndef FR_KRYLOV_CORRECTION_H
#define FR_KRYLOV_CORRECTION_H

#include "engine/krylov/links/links.h"

/* Whether measured bursts serve (contention_model=refined) and there are some of as many processes.
 */
bool krylov_has_bursts(const struct krylov_values *v, const struct fr_calibration *cal);
/* Where bursts were measured; in the network's order unless the calibration says otherwise. */
enum fr_placement krylov_measured_placement(const struct fr_calibration *cal);
/* Whether the exchange is one that bursts were measured with: as many processes, on the same grid
 * and nodes, under the same protocols, with faces of one size. */
bool krylov_is_burst(const struct krylov_grid_values *v, const struct krylov_stencil *stencil,
                     enum fr_placement placement, const struct fr_calibration *cal);
/* The links of a measured burst of messages of one byte, of which those of any other size are a
 * multiple; krylov_no_load unless krylov_has_bursts and the grid has three dimensions. */
struct krylov_link_load krylov_burst_load(const struct krylov_grid_values *v,
                                          struct fr_evaluation *run);
/* krylov_grid_load with its correction, where there is a burst load of the same grid and bursts;
 * then mapping=topology_aware on a dragonfly has places, too: its boxes of processes lie on the
 * nodes in the network's order. */
struct krylov_link_load krylov_corrected_load(const struct krylov_grid_values *v,
                                              const struct krylov_stencil *stencil,
                                              enum fr_placement placement,
                                              const struct krylov_link_load *burst,
                                              struct fr_evaluation *run);
/* The same for models that have no parameter link_sharing: where bursts were measured with as many
 * processes, but not with this exchange; else krylov_no_load. */
struct krylov_link_load krylov_known_load(const struct krylov_grid_values *v,
                                          const struct krylov_stencil *stencil,
                                          struct fr_evaluation *run);

#endif
