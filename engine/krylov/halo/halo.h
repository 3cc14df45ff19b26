/* The time of halo exchanges, and what bounds it. */
#ifndef FR_KRYLOV_HALO_H
#define FR_KRYLOV_HALO_H

#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/links/links.h"

/* Interface between the files of the halo exchange: the cost of the messages of one process, which
 * are under way at the same time (docs/models/krylov.md#time-of-the-exchange,
 * docs/models/krylov-links.md#exchange-with-links). */

/* What all series of an exchange share. */
struct halo_conduct {
    const struct krylov_values *v;
    struct krylov_overlap overlap;
    bool is_burst, has_links; /* has_links: the load of the links is known */
    double gap_s;             /* with links and bursts: between two messages of a series */
};
struct halo_conduct halo_conduct(const struct krylov_values *v, struct fr_evaluation *run,
                                 const struct krylov_overlap *overlap);

/* Cost of one message. */
struct halo_message {
    double bytes;
    bool is_off_node;
    struct krylov_message cost;
    double share; /* of the postal cost that a message of a burst pays */
    double max_rate_s, congestion_s;
    struct krylov_distance distance;
};
/* A message off the node has this distance; on the node it is not read. */
struct halo_message halo_message(const struct halo_conduct *conduct, struct fr_evaluation *run,
                                 double bytes, bool is_off_node, struct krylov_distance distance);

/* Sums over the messages of a process; zero before the first one. */
struct halo_series {
    struct krylov_time time; /* without what the whole series decides */
    struct {
        double postal_s, penalty_s, first_s, transfer_s;
        bool has_off_node;
    } pipelined;
    double other_transfer_s; /* of messages that are not pipelined */
    bool has_other;
    /* Of all messages: the one with the largest postal cost, and its share. */
    struct krylov_message longest;
    double longest_share;
    double distance_s; /* largest, off the node */
    /* With links: */
    double latency_s, first_latency_s, start_s; /* sum, largest, largest with the distance */
    double on_node_transfer_s, largest_transfer_s;
};
/* Adds `count` messages, which may be fractional. */
void halo_series_add(const struct halo_conduct *conduct, const struct halo_message *message,
                     double count, struct halo_series *series);
struct krylov_time halo_series_time(const struct halo_conduct *conduct,
                                    const struct halo_series *series);

/* Times that agree to 10 digits are ordered by off-node traffic, then by on-node traffic. */
bool halo_is_slower(const struct krylov_time *a, const struct krylov_time *b);

/* Halo exchanges: of a grid, and of a partitioned matrix. */

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

/* Lower bounds of communication that hold for any schedule (docs/models/krylov.md#lower-bounds). */

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

/* What links estimate, corrected by bursts that were measured with as many processes
 * (docs/models/krylov-links.md#correction-by-bursts). */

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
