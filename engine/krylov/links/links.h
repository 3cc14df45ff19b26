/* Loads of the network's links while all processes exchange with their neighbours
 * (docs/models/krylov-links.md).
 *
 * Every node has a link out and a link in.  A torus has links between neighbouring routers, a
 * dragonfly links within a chassis, within a group and between groups, a two-level fat tree links
 * between leaves and spines.  All are directed. */
#ifndef FR_KRYLOV_LINKS_H
#define FR_KRYLOV_LINKS_H

#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/partition/partition.h"

/* Whether the routes of this network are known: a torus, a dragonfly, or a uniform network with
 * nodes_per_leaf and uplinks_per_leaf. */
bool krylov_has_links(const struct fr_topology *topology);
/* Whether the injection bandwidth or the bandwidth of a node is known. */
bool krylov_has_injection(const struct fr_calibration *cal);
/* FR_OK, or FR_GROUP_MISSING with a fault where neither the injection bandwidth nor the bandwidth
 * of a node is known.  Call it where link_sharing is true. */
int krylov_check_links(const struct fr_calibration *cal, struct fr_faults *faults);

/* The busiest link of one exchange; NaN where it was not computed. */
struct krylov_link_load {
    double link_s;          /* b: largest load of a link over its bandwidth, seconds */
    double link_bytes;      /* load of that link; of equally busy links the largest */
    double link_protocol_s; /* b_w: as b, each message weighed by the rate of its protocol */
    /* Measured over estimated time of a burst; 1 where none was measured with as many processes. */
    double correction;
};
extern const struct krylov_link_load krylov_no_load;

/* How much longer a message of this size fills its links than one of the last protocol: what sends
 * a message alone slower than the link
 * (docs/models/krylov-links.md#decision-slow-protocols-fill-links). */
double krylov_protocol_rate(const struct krylov_values *v, double bytes, struct fr_evaluation *run);

/* The load of a halo exchange on a grid.  The grid is resolved and krylov_has_links holds.  The
 * messages are those of the stencil (krylov_message_bytes).  For one node nothing is computed.
 * Nor is it, with the warning link_sharing_skipped, beyond 32,768 nodes, beyond 131,072 processes
 * whose nodes hold no boxes, and for mapping=topology_aware on a dragonfly or in less than three
 * dimensions.  Warns of link_bandwidth_assumed.  FR_NOMEM goes to run->faults. */
struct krylov_link_load krylov_grid_load(const struct krylov_grid_values *v,
                                         const struct krylov_stencil *stencil,
                                         enum fr_placement placement, struct fr_evaluation *run);

/* The same load for the messages of a partition; rank r is on node floor(r / c). */
struct krylov_link_load krylov_partition_load(const struct krylov_values *v,
                                              const struct krylov_words *message, size_t messages,
                                              enum fr_placement placement,
                                              struct fr_evaluation *run);

#endif
