/* Latencies between nodes by protocol and by their distance in the order of the job, linear in log2
 * of the distance and constant beyond the measured distances
 * (docs/models/block_cyclic.md#latency-by-distance).  Private to the engine. */
#ifndef FR_LATENCY_H
#define FR_LATENCY_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/prediction/prediction.h"

/* Fills cal->latencies from network.latency_by_distance, in the arena.  A factor by which a what-if
 * changes the latency of a protocol applies to its latencies by distance as well.  Adds a fault
 * FR_NOMEM if the arena is full. */
void fr_latencies_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                          struct fr_faults *faults);

/* Where a distance lies: behind the measured one of this index, by a share of the way to the next.
 */
struct fr_latency_place {
    uint32_t below;
    float share; /* 0 to 1 */
};
/* The calibration must have latencies.  Records their use and warns beyond them.  O(log rows). */
struct fr_latency_place fr_latency_place_of(struct fr_evaluation *run, double distance);
/* The latency of a protocol at a place. */
static inline struct fr_latency fr_latency_at(const struct fr_latencies *latencies,
                                              struct fr_latency_place place, size_t protocol)
{
    const struct fr_latency *low = &latencies->of[place.below * latencies->protocols + protocol];
    const struct fr_latency *high = place.share > 0 ? low + latencies->protocols : low;
    const double share = (double)place.share;

    return (struct fr_latency){
        .mean_s = low->mean_s + share * (high->mean_s - low->mean_s),
        .beyond_s = low->beyond_s + share * (high->beyond_s - low->beyond_s),
    };
}

#endif
