/* Interface between the files of the halo exchange: the cost of the messages of one process, which
 * are under way at the same time (docs/models/krylov.md#time-of-the-exchange,
 * docs/models/krylov-links.md#exchange-with-links). */
#ifndef FR_KRYLOV_SERIES_H
#define FR_KRYLOV_SERIES_H

#include "engine/krylov/communication/krylov.h"

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

#endif
